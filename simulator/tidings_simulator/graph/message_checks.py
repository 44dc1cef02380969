"""The parsed message, and checks shared by all message types. Pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from tidings.platforms.content import Content, MediaRef
from tidings_simulator.graph.errors import GraphError, bad_value, invalid, param_must, required
from tidings_simulator.graph.message_bodies import Media
from tidings_simulator.model import MediaFile, Number
from tidings_simulator.world import World

UNREACHABLE_SUFFIX = ".invalid"  # a link on such a host cannot be fetched (RFC 2606)
MEDIA_UPLOAD_ERROR = 131053
MIMETYPES = {
    "image": {"image/jpeg", "image/png"},
    "video": {"video/mp4", "video/3gpp"},
    "audio": {"audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg"},
    "sticker": {"image/webp"},
}


@dataclass(slots=True)
class ParsedMessage:
    """A valid message."""

    content: Content | None  # None for types that a gateway does not send
    category: str = "service"
    is_template: bool = False
    fails: int | None = None  # accepted, then failed with this code
    constants: dict[str, Any] | None = None  # constants that a form adds to the answers


@dataclass(frozen=True, slots=True)
class CheckContext:
    """What the checks need: the platform, the sending number, the time."""

    world: World
    number: Number
    now: datetime

    def require_media(self, media: Media, kind: str, param: str) -> tuple[MediaRef, int | None]:
        """The file, and the code it will fail with if its link cannot be fetched."""
        if (media.id is None) == (media.link is None):
            raise invalid(f"Param {param} must have exactly one of 'id' and 'link'.")
        if media.link is not None:
            return MediaRef(media.link, "", media.filename or ""), _unreachable(media.link, param)
        id_ = str(media.id)
        found = self.world.nodes.get(id_)
        if (
            not isinstance(found, MediaFile)
            or found.waba is not self.number.waba
            or found.expires_at <= self.now
        ):
            raise bad_value(f"Param {param}['id']: media {id_} does not exist or has expired.")
        allowed = MIMETYPES.get(kind)
        if allowed is not None and found.mimetype not in allowed:
            raise GraphError(
                MEDIA_UPLOAD_ERROR, f"Media of type {found.mimetype} cannot be sent as {kind}."
            )
        return MediaRef(id_, found.mimetype, media.filename or ""), None


def require_chars(text: str, most: int, param: str) -> None:
    if not text.strip():
        raise required(param)
    if len(text) > most:
        raise param_must(param, f"be at most {most} characters long.")


def _unreachable(link: str, param: str) -> int | None:
    try:
        parts = urlsplit(link)
        host = parts.hostname or ""
    except ValueError:
        host, parts = "", urlsplit("")
    if parts.scheme not in ("http", "https") or not host:
        raise bad_value(f"Param {param}['link'] is not a valid URL.")
    return MEDIA_UPLOAD_ERROR if host.endswith(UNREACHABLE_SUFFIX) else None
