"""Files of messages: attached before acceptance, released when nothing refers to them any more.

Attaching stores the bytes outside any transaction. Files of messages that have left us are found by
a periodic sweep (contract2 A, "Files"), so that sending does no work for them.
"""

from collections.abc import Iterable
from functools import partial
from uuid import UUID

from msgspec.structs import replace

from tidings import limits
from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.features.media import attach as media
from tidings.features.media import references as uses
from tidings.features.media import remove
from tidings.platforms.content import Media, Rich, Text

from ..model import MessageRequest
from ..read import lookup_store

START = (UUID(int=0), UUID(int=0))


async def attach(
    ctx: Context, account: Account, request: MessageRequest, *, dry_run: bool
) -> MessageRequest:
    """Replace the request's media by a reference. `dry_run`: only check it."""
    requested = request.media
    assert requested is not None, "called only where there is media"
    if isinstance(request.free, Rich):
        assert requested.base64 is not None, "a header image comes as base64"
        found = await (
            media.preview_image(requested.base64)
            if dry_run
            else media.attach_image(ctx, account, requested.base64)
        )
    else:
        found = await (media.preview if dry_run else media.attach)(
            ctx,
            account,
            media_base64=requested.base64,
            media_id=requested.media_id,
            type_=requested.type,
        )
    return _with_file(request, requested.type, found)


async def release(ctx: Context, account: Account, requests: Iterable[MessageRequest]) -> None:
    """Not all of these were accepted: delete their files that no message refers to."""
    holds = [one.file.hold for one in requests if one.file and one.file.hold is not None]
    await remove.release(ctx, account.id, holds)


def _with_file(request: MessageRequest, kind: str, attached: media.AttachedFile) -> MessageRequest:
    """A template takes it as its header; free content is the media itself, text its caption."""
    ref = attached.ref
    request = replace(request, file=attached.use)
    if isinstance(request.free, Rich):
        rich = request.free
        pictured = Rich(rich.body, rich.buttons, rich.title, rich.footer, ref)
        return replace(request, free=pictured, media=None)
    template = request.template and replace(request.template, media=ref)
    caption = request.free.body if isinstance(request.free, Text) else ""
    if template is not None and not caption:
        return replace(request, template=template, media=None)
    return replace(request, template=template, free=Media(kind, ref, caption), media=None)


async def sweep(ctx: Context) -> int:
    """Delete every file that nothing refers to any more; how many were deleted."""
    after: uses.Key | None = START
    while after is not None:
        after = await ctx.db.transact(partial(_drop_uses_of_ended, after=after))
    return await remove.sweep(ctx)


async def _drop_uses_of_ended(tx: Tx, after: uses.Key) -> uses.Key | None:
    """One page of the messages that use files; the last key of the page, None at the end."""
    keys = await uses.find_messages(tx, after, limits.PURGE_PAGE_ROWS)
    unsent = await lookup_store.find_unsent(tx, keys) if keys else set()
    await uses.delete_messages(tx, [key for key in keys if key not in unsent])
    return keys[-1] if len(keys) == limits.PURGE_PAGE_ROWS else None
