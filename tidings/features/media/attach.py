"""What other slices may ask of media: attach a file to a message, or look uploads up.

`attach` and `attach_image` keep what is new; `preview` and `preview_image` refuse alike and keep
nothing (X-Dry-Run).
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from tidings import ids
from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account
from tidings.platforms.content import MediaRef

from . import rules, store
from .model import File, FileUse, MediaFile
from .upload import hold

Key = tuple[UUID, str]  # account, mediaId


async def load_media(tx: Tx, keys: Sequence[Key]) -> dict[Key, MediaFile]:
    """The uploads of these accounts by mediaId; what is not theirs, or nobody's, is left out."""
    parsed = [(account_id, ids.parse_ref("med_", ref)) for account_id, ref in keys]
    asked = [(account_id, media_id) for account_id, media_id in parsed if media_id is not None]
    found = await store.load(tx, sorted(set(asked))) if asked else {}
    return {(media.account_id, media.ref): media for media in found.values()}


@dataclass(frozen=True, slots=True)
class Attached:
    """A file in its place: how the content names it, and what keeps it until acceptance."""

    ref: MediaRef
    use: FileUse | None = None  # None: only looked at, nothing is kept


async def attach(
    ctx: Context,
    account: Account,
    *,
    media_base64: str | None = None,
    media_id: str | None = None,
    type_: str | None = None,
) -> Attached:
    """The media of a message (4.1): exactly one of the two, and a type that fits it."""
    found = await _resolve(ctx, account, media_base64, media_id, type_)
    if isinstance(found, File):
        return await _hold(ctx, account, found, "mediaBase64")
    return Attached(found.for_content(), FileUse(found.id))


async def preview(
    ctx: Context,
    account: Account,
    *,
    media_base64: str | None = None,
    media_id: str | None = None,
    type_: str | None = None,
) -> Attached:
    """The same, and nothing is kept: of new content the reference has no id."""
    found = await _resolve(ctx, account, media_base64, media_id, type_)
    return _unkept(found) if isinstance(found, File) else Attached(found.for_content())


async def attach_image(
    ctx: Context, account: Account, value: str, field: str = "headerImage"
) -> Attached:
    """The header image of a rich message (4.4): base64 or a `data:` URI."""
    file = await asyncio.to_thread(rules.decode_image, value, field)
    return await _hold(ctx, account, file, field)


async def preview_image(value: str, field: str = "headerImage") -> Attached:
    return _unkept(await asyncio.to_thread(rules.decode_image, value, field))


async def _hold(ctx: Context, account: Account, file: File, field: str) -> Attached:
    media, use = await hold(ctx, account, file, field=field)
    return Attached(media.for_content(), use)


async def _resolve(
    ctx: Context,
    account: Account,
    media_base64: str | None,
    media_id: str | None,
    type_: str | None,
) -> File | MediaFile:
    if (media_base64 is None) == (media_id is None):
        problem = "give either mediaBase64 or mediaId, with type image or document"
        raise ApiError(Code.VALIDATION_ERROR, problem, field="mediaBase64")
    kind = rules.require_kind(type_)
    if media_base64 is not None:
        file = await asyncio.to_thread(rules.decode_file, media_base64)
        rules.require_agreement(kind, file.mimetype, "mediaBase64")
        return file
    assert media_id is not None
    media = await _require_own(ctx, account, media_id)
    rules.require_agreement(kind, media.mimetype, "mediaId")
    return media


async def _require_own(ctx: Context, account: Account, media_id: str) -> MediaFile:
    """The same words for an id of another account and for one that never was."""
    found = await ctx.db.transact(lambda tx: load_media(tx, [(account.id, media_id)]))
    media = found.get((account.id, media_id))
    if media is None:
        raise rules.unknown_media()
    return media


def _unkept(file: File) -> Attached:
    return Attached(MediaRef("", file.mimetype, rules.default_filename(file.mimetype)))
