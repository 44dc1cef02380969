"""An uploaded file: its content (`File`) and its stored record (`MediaFile`). Pure."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from tidings import ids
from tidings.platforms.content import MediaRef


class MediaKind(StrEnum):
    """The `type` of a message with media (4.1)."""

    IMAGE = "image"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True)
class File:
    """Validated content, not yet stored."""

    data: bytes = field(repr=False)
    mimetype: str
    digest: bytes  # SHA-256


@dataclass(frozen=True, slots=True)
class FileUse:
    """A file to be sent with a message. `hold` protects it from removal until the message is
    accepted; an upload needs none, because it is kept while its `mediaId` is valid."""

    media_id: UUID
    hold: UUID | None = None


@dataclass(frozen=True, slots=True)
class MediaFile:
    """A row of `media`."""

    account_id: UUID
    id: UUID
    object_name: bytes  # random, never reused
    mimetype: str
    size: int  # in bytes
    filename: str
    created_at: datetime  # by the account's clock

    @property
    def ref(self) -> str:
        """The public `mediaId`."""
        return ids.media_ref(self.id)

    @property
    def object_key(self) -> str:
        """The key in the object store; accounts never share an object."""
        return f"{self.account_id.hex}/{self.object_name.hex()}"

    def for_content(self) -> MediaRef:
        """The reference used in a message's content."""
        return MediaRef(self.ref, self.mimetype, self.filename)
