"""Keep a file: its bytes in the object store, one row about it. The same content is kept once.

The object goes first and outside any transaction, so a row never speaks of bytes that are not
there; an object without its row is only space, and the same upload again makes it good.
"""

from tidings import ids
from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account

from . import rules, store
from .model import File, MediaFile, object_key


async def upload(ctx: Context, account: Account, file: File, filename: str = "") -> MediaFile:
    """The upload of this content in this account: a new one, or the one there was.

    A `filename` given later renames it for messages yet to be accepted.
    """
    key = object_key(account.id, file.sha256)
    if not await ctx.objects.exists(key):
        await ctx.objects.put(key, file.data)
    name = rules.clean_filename(filename, file.mimetype)
    return await ctx.db.transact(lambda tx: _record(tx, account, file, name))


async def _record(tx: Tx, account: Account, file: File, name: str) -> MediaFile:
    same = await store.find_same(tx, account.id, file.sha256)
    if same is not None and name in ("", same.filename):
        return same
    media = MediaFile(
        account_id=account.id,
        id=ids.new_id(),
        sha256=file.sha256,
        mimetype=file.mimetype,
        size=len(file.data),
        filename=name or rules.default_filename(file.mimetype),
        created_at=account.now(tx.now),
    )
    return await store.save(tx, media, renames=bool(name))
