"""Attach files to messages, and look up uploads; for other slices.

`attach` and `attach_image` store new content; `preview` and `preview_image` validate the same way
and store nothing (X-Dry-Run).
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
    """Uploads by account and mediaId; unknown ids and those of other accounts are omitted."""
    parsed = [(account_id, ids.parse_ref("med_", ref)) for account_id, ref in keys]
    known = [(account_id, media_id) for account_id, media_id in parsed if media_id is not None]
    found = await store.load(tx, sorted(set(known))) if known else {}
    return {(media.account_id, media.ref): media for media in found.values()}


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file of a message: its reference in the content, and its hold until acceptance."""

    ref: MediaRef
    use: FileUse | None = None  # None: a preview, nothing is stored


async def attach(
    ctx: Context,
    account: Account,
    *,
    media_base64: str | None = None,
    media_id: str | None = None,
    type_: str | None = None,
) -> AttachedFile:
    """The media of a message (4.1): either base64 or a mediaId, and a matching type."""
    found = await _resolve(ctx, account, media_base64, media_id, type_)
    if isinstance(found, File):
        return await _hold(ctx, account, found, "mediaBase64")
    return AttachedFile(found.for_content(), FileUse(found.id))


async def preview(
    ctx: Context,
    account: Account,
    *,
    media_base64: str | None = None,
    media_id: str | None = None,
    type_: str | None = None,
) -> AttachedFile:
    """The same without storing anything: the reference of new content has no id."""
    found = await _resolve(ctx, account, media_base64, media_id, type_)
    return _not_stored(found) if isinstance(found, File) else AttachedFile(found.for_content())


async def attach_image(
    ctx: Context, account: Account, value: str, field: str = "headerImage"
) -> AttachedFile:
    """The header image of a rich message (4.4): base64 or a `data:` URI."""
    file = await asyncio.to_thread(rules.decode_image, value, field)
    return await _hold(ctx, account, file, field)


async def preview_image(value: str, field: str = "headerImage") -> AttachedFile:
    return _not_stored(await asyncio.to_thread(rules.decode_image, value, field))


async def _hold(ctx: Context, account: Account, file: File, field: str) -> AttachedFile:
    media, use = await hold(ctx, account, file, field=field)
    return AttachedFile(media.for_content(), use)


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
    """Same error for another account's id and an unknown one, so that ids cannot be probed."""
    found = await ctx.db.transact(lambda tx: load_media(tx, [(account.id, media_id)]))
    media = found.get((account.id, media_id))
    if media is None:
        raise rules.unknown_media()
    return media


def _not_stored(file: File) -> AttachedFile:
    return AttachedFile(MediaRef("", file.mimetype, rules.default_filename(file.mimetype)))
