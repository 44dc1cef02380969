"""Migration 0024: the files and waiting messages of the version before it."""

import hashlib
import shutil
from pathlib import Path
from uuid import UUID, uuid4

from tests.support.database import empty_database, opened_database
from tidings.clock import SystemClock
from tidings.engine.db.migrate import migrate
from tidings.engine.db.pool import Database

FOLDER = Path(__file__).parents[2] / "tidings" / "migrations"
ACCOUNT = uuid4()
MEDIA = """
    INSERT INTO media (account_id, id, sha256, mimetype, bytes, filename, created_at)
    VALUES ($1, $2, $3, 'image/png', $4, 'image.png', now())
"""
MESSAGE = """
    INSERT INTO messages (account_id, id, client_message_id, kind, recipient, content, outside,
                          status, created_at, times_out_at)
    VALUES ($1, $2::uuid, $2::uuid::text, 'notification', '972501234567', $3::text::jsonb,
            $4::text::jsonb, $5, now(), now())
"""
JOB = """
    INSERT INTO jobs (account_id, pool, kind, subject, due_at)
    VALUES ($1, 'send', 'message.send', $2, now())
"""


async def add_media(db: Database, content: bytes) -> UUID:
    media_id = uuid4()
    digest = hashlib.sha256(content).digest()
    await db.rows(MEDIA, ACCOUNT, media_id, digest, len(content))
    return media_id


async def add_message(db: Database, content: str, outside: str | None = None) -> UUID:
    message_id = uuid4()
    await db.rows(MESSAGE, ACCOUNT, message_id, content, outside, "scheduled")
    await db.rows(JOB, ACCOUNT, message_id.hex)
    return message_id


def ref(media_id: UUID) -> str:
    return f'{{"id": "med_{media_id.hex}", "mimetype": "image/png"}}'


async def test_waiting_messages_keep_their_files_and_old_uploads_stay_valid(tmp_path: Path) -> None:
    async with opened_database(empty_database(), SystemClock()) as db:
        for path in FOLDER.glob("*.sql"):
            if path.name < "0024":
                shutil.copy(path, tmp_path)
        await migrate(db, tmp_path)
        one, two, three = [await add_media(db, bytes([n]) * 10) for n in range(3)]
        expected = {
            await add_message(db, f'{{"type": "media", "media": {ref(one)}}}'): one,
            await add_message(db, f'{{"type": "rich", "image": {ref(two)}}}'): two,
            await add_message(db, '{"type": "text"}', f'{{"media": {ref(three)}}}'): three,
        }
        await add_message(db, f'{{"type": "text", "body": "med_{one.hex}"}}')
        await migrate(db, FOLDER)
        uses = await db.rows("SELECT id, media_id, held_until FROM media_uses")
        assert {row["id"]: row["media_id"] for row in uses} == expected
        assert {row["held_until"] for row in uses} == {None}
        stays = "SELECT digest = sha256 AND valid_until > now() + '89 days' AS ok FROM media"
        assert {row["ok"] for row in await db.rows(stays)} == {True}
        storage = await db.rows("SELECT account_id, bytes FROM media_storage")
        assert [tuple(row) for row in storage] == [(ACCOUNT, 30)]
        late = await add_media(db, b"written by the version before")
        (row,) = await db.rows("SELECT valid_until FROM media WHERE id = $1", late)
        assert row["valid_until"] is not None
