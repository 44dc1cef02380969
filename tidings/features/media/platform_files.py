"""Files of messages for the platform client: their bytes, and their ids at the platform.

Implements `port.Files`. A platform id is reused for 25 of the 30 days that the platform keeps it.
"""

from dataclasses import dataclass
from uuid import UUID

import structlog

from tidings import ids, limits
from tidings.engine.db.errors import UNAVAILABLE_ERRORS
from tidings.engine.db.pool import Database
from tidings.engine.objects import ObjectMissing, Objects, ObjectsUnavailable
from tidings.platforms.port import FileMissing, FileUnavailable

from . import platform_file_store as uploaded_store
from .attach import load_media

UNAVAILABLE: tuple[type[Exception], ...] = (ObjectsUnavailable, *UNAVAILABLE_ERRORS)

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class UploadedFiles:
    db: Database
    objects: Objects

    async def read(self, account: str, media: str) -> bytes:
        owner = UUID(hex=account)
        try:
            found = await self.db.transact(lambda tx: load_media(tx, [(owner, media)]))
            file = found.get((owner, media))
            if file is None:
                raise FileMissing(media)
            return await self.objects.get(file.object_key)
        except ObjectMissing:
            raise FileMissing(media) from None
        except UNAVAILABLE as fault:
            raise FileUnavailable(media) from fault

    async def find_upload(self, account: str, media: str, phone_number_id: str) -> str | None:
        key = _key(account, media, phone_number_id)
        try:
            return await self.db.transact(
                lambda tx: uploaded_store.find(tx, key, tx.now - limits.PLATFORM_MEDIA_KEPT)
            )
        except UNAVAILABLE_ERRORS as fault:
            raise FileUnavailable(media) from fault

    async def save_upload(
        self, account: str, media: str, phone_number_id: str, platform_id: str
    ) -> None:
        """Best effort: if this fails, the file is uploaded again next time."""
        key = _key(account, media, phone_number_id)
        try:
            await self.db.transact(lambda tx: uploaded_store.save(tx, key, platform_id))
        except UNAVAILABLE_ERRORS as fault:
            log.warning(
                "media.upload_forgotten", account=key[0], media=media, error=type(fault).__name__
            )

    async def delete_upload(self, account: str, media: str, phone_number_id: str) -> None:
        key = _key(account, media, phone_number_id)
        try:
            await self.db.transact(lambda tx: uploaded_store.delete(tx, key))
        except UNAVAILABLE_ERRORS as fault:
            raise FileUnavailable(media) from fault


def _key(account: str, media: str, phone_number_id: str) -> uploaded_store.Key:
    media_id = ids.parse_ref("med_", media)
    if media_id is None:
        raise FileMissing(media)
    return (UUID(hex=account), media_id, phone_number_id)
