"""Put the caller's media where the message needs it: before acceptance, outside any transaction."""

from collections.abc import Iterable

from msgspec.structs import replace

from tidings.context import Context
from tidings.features.accounts.model import Account
from tidings.features.media import lookup as media
from tidings.features.media import remove
from tidings.platforms.content import Media, Rich, Text

from .model import Wanted


async def attach(ctx: Context, account: Account, wanted: Wanted, *, storing: bool) -> Wanted:
    """The wanted message with its media in place; `storing` False only looks at it."""
    asked = wanted.media
    assert asked is not None, "called only where there is media"
    if isinstance(wanted.free, Rich):
        assert asked.base64 is not None, "a header image comes as base64"
        look = (
            media.attach_image(ctx, account, asked.base64)
            if storing
            else (media.preview_image(asked.base64))
        )
        return _placed(wanted, asked.type, await look)
    attaching = media.attach if storing else media.preview
    found = await attaching(
        ctx, account, media_base64=asked.base64, media_id=asked.media_id, type_=asked.type
    )
    return _placed(wanted, asked.type, found)


async def release(ctx: Context, account: Account, wanted: Iterable[Wanted]) -> None:
    """These were not all accepted: files that came with them, and that nothing refers to, go."""
    holds = [one.file.hold for one in wanted if one.file is not None and one.file.hold is not None]
    await remove.release(ctx, account.id, holds)


def _placed(wanted: Wanted, kind: str, attached: media.Attached) -> Wanted:
    """A template takes it as its header; free content is the media itself, text its caption."""
    ref = attached.ref
    wanted = replace(wanted, file=attached.use)
    if isinstance(wanted.free, Rich):
        rich = wanted.free
        pictured = Rich(rich.body, rich.buttons, rich.title, rich.footer, ref)
        return replace(wanted, free=pictured, media=None)
    template = wanted.template and replace(wanted.template, media=ref)
    caption = wanted.free.body if isinstance(wanted.free, Text) else ""
    if template is not None and not caption:
        return replace(wanted, template=template, media=None)
    return replace(wanted, template=template, free=Media(kind, ref, caption), media=None)
