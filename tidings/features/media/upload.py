"""Store a file: a row, and its bytes in the object store. Identical content is stored once.

The row and a hold are written first, so that whatever a crash leaves behind can be found and
removed (`remove.py`). The object is written next, outside any transaction. Only then can the file
be used: the upload's id is returned, or a message that references it is accepted.
"""

import secrets
from uuid import UUID

from tidings import ids, limits
from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.objects import ObjectsUnavailable
from tidings.features.accounts.model import Account

from . import reference_store as use_store
from . import remove, rules, store
from .model import File, FileUse, MediaFile


async def upload(
    ctx: Context, account: Account, file: File, filename: str = "", field: str = "mediaBase64"
) -> MediaFile:
    """Store the content as an upload, or return the account's existing upload of it.

    A new `filename` renames it for messages accepted from now on.
    """
    media, use = await hold(ctx, account, file, filename, field=field)
    if not await ctx.db.transact(lambda tx: _finish(tx, media, use)):
        await ctx.objects.delete(media.object_key)
        raise ObjectsUnavailable("the upload took too long")
    return media


async def hold(
    ctx: Context, account: Account, file: File, filename: str = "", *, field: str
) -> tuple[MediaFile, FileUse]:
    """Store a file with a hold, which the caller must pass on or release."""
    name = rules.clean_filename(filename, file.mimetype)
    quota = ctx.settings.storage_per_account
    media, held = await ctx.db.transact(lambda tx: _begin(tx, account, file, name, quota, field))
    stored = False
    try:
        if not await ctx.objects.exists(media.object_key):
            await ctx.objects.put(media.object_key, file.data)
        stored = True
    finally:
        if not stored:
            await remove.release(ctx, account.id, [held])
    return media, FileUse(media.id, held)


async def _begin(
    tx: Tx, account: Account, file: File, name: str, quota: int | None, field: str
) -> tuple[MediaFile, UUID]:
    used = await use_store.lock_storage(tx, account.id)
    media = await store.find_same(tx, account.id, file.digest)
    if media is None:
        rules.require_room(len(file.data), used, quota, field)
        media = MediaFile(
            account_id=account.id,
            id=ids.new_id(),
            object_name=secrets.token_bytes(32),
            mimetype=file.mimetype,
            size=len(file.data),
            filename=name or rules.default_filename(file.mimetype),
            created_at=account.now(tx.now),
        )
        await store.insert(tx, media, file.digest)
        await use_store.add_bytes(tx, account.id, media.size)
    elif name not in ("", media.filename):
        await store.rename(tx, media, name)
    held = ids.new_id()
    await use_store.hold(tx, (account.id, held), media.id, tx.now + limits.MEDIA_HELD)
    return media, held


async def _finish(tx: Tx, media: MediaFile, use: FileUse) -> bool:
    """Make the mediaId valid; False if the hold expired and the file was removed meanwhile."""
    until = tx.now + limits.MEDIA_KEPT
    found = await store.extend(tx, [(media.account_id, media.id)], until)
    if use.hold is not None:
        await use_store.delete_holds(tx, media.account_id, [use.hold])
    return bool(found)
