"""A file that a guest sent: its platform id, and how it may be displayed (4.13). Pure."""

import re
from datetime import datetime

import msgspec

from tidings.platforms.port import InboundMessage

BINARY = "application/octet-stream"
# Types displayed inline in <img>, <video> or <audio>. Everything else is served as an attachment:
# a page that a guest sent must not run on our domain.
INLINE_TYPES = frozenset(
    {
        "image/jpeg", "image/png", "image/webp", "image/gif", "video/mp4", "video/3gpp",
        "audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg",
    }
)  # fmt: skip
_TYPE = re.compile(r"[a-z0-9][a-z0-9.+-]{0,60}/[a-z0-9][a-z0-9.+-]{0,100}")
_UNSAFE = re.compile(r'[^\w .,()\[\]-]|[\r\n"\\]')
FILENAME_CHARS_MAX = 120


class GuestFile(msgspec.Struct, frozen=True):
    platform_id: str  # of the message it came with
    type: str  # image, document, audio, video, sticker
    media_id: str
    mimetype: str
    filename: str
    number: str  # our number that received it
    received_at: datetime  # by the account's clock


def guest_file(inbound: InboundMessage) -> GuestFile | None:
    """The file of a message, or None."""
    if inbound.media_id is None:
        return None
    return GuestFile(
        platform_id=inbound.platform_id,
        type=inbound.type,
        media_id=inbound.media_id,
        mimetype=plain_type(inbound.media_type),
        filename=_filename(inbound),
        number=inbound.sender,
        received_at=inbound.at,
    )


def plain_type(given: str | None) -> str:
    """The media type without parameters; application/octet-stream if it is invalid."""
    kind = (given or "").partition(";")[0].strip().lower()
    return kind if _TYPE.fullmatch(kind) else BINARY


def is_inline(mimetype: str) -> bool:
    return mimetype in INLINE_TYPES


def safe_filename(name: str) -> str:
    """A name that is safe in HTTP headers and file systems; may be empty."""
    return _UNSAFE.sub("_", name).strip(" .")[:FILENAME_CHARS_MAX]


def _filename(inbound: InboundMessage) -> str:
    """The name of a document, which only the platform's raw message contains."""
    if inbound.type != "document":
        return ""
    try:
        message = msgspec.json.decode(inbound.raw)
        name = message["document"]["filename"]
    except (msgspec.DecodeError, KeyError, TypeError):
        return ""
    return safe_filename(name) if isinstance(name, str) else ""
