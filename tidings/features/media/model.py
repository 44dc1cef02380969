"""An uploaded file: its content as it came (`File`), and what is kept of it (`MediaFile`). Pure."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from tidings import ids
from tidings.platforms.content import MediaRef


class Kind(StrEnum):
    """The `type` of a message with media (4.1)."""

    IMAGE = "image"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True)
class File:
    """Content that was looked at and found good, not yet stored."""

    data: bytes = field(repr=False)
    mimetype: str
    digest: bytes  # SHA-256


@dataclass(frozen=True, slots=True)
class FileUse:
    """A file that a message is to carry, and what keeps it until the message is accepted. An
    upload needs no hold: it stays while its `mediaId` is valid."""

    media_id: UUID
    hold: UUID | None = None


@dataclass(frozen=True, slots=True)
class MediaFile:
    """A row of `media`."""

    account_id: UUID
    id: UUID
    object_name: bytes  # never used twice
    mimetype: str
    size: int  # in bytes
    filename: str
    created_at: datetime  # the account's time

    @property
    def ref(self) -> str:
        """The `mediaId` the customer knows it by."""
        return ids.media_ref(self.id)

    @property
    def object_key(self) -> str:
        """Where the bytes lie in the object store: never shared between accounts."""
        return f"{self.account_id.hex}/{self.object_name.hex()}"

    def for_content(self) -> MediaRef:
        """How a message's content names it."""
        return MediaRef(self.ref, self.mimetype, self.filename)
