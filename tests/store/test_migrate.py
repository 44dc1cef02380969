"""Migrations: in order, once, together or not at all, whoever else calls at the same time."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from itertools import chain
from pathlib import Path

import asyncpg
import pytest

from tests.support.clock import ManualClock
from tests.support.database import empty_database, opened_database
from tidings.clock import SystemClock
from tidings.engine.db.migrate import migrate
from tidings.engine.db.pool import Database
from tidings.engine.db.schema.files import MigrationError, read_migrations

ROOT = Path(__file__).parents[2]
NUMBERS = "CREATE TABLE numbers (n integer); INSERT INTO numbers VALUES (1);"
MORE = "INSERT INTO numbers VALUES (2);"


@pytest.fixture
async def db() -> AsyncIterator[Database]:
    """An empty database."""
    async with opened_database(empty_database(), SystemClock()) as db:
        yield db


@pytest.fixture
def write(tmp_path: Path):
    def write(**files: str) -> Path:
        for name, sql in files.items():
            (tmp_path / f"{name.removeprefix('m')}.sql").write_text(sql)
        return tmp_path

    return write


async def numbers(db: Database) -> list[int]:
    return [row["n"] for row in await db.rows("SELECT n FROM numbers ORDER BY n")]


async def test_files_are_applied_in_order_and_once(db: Database, write) -> None:
    folder = write(m0002_more=MORE, m0001_numbers=NUMBERS)
    assert await migrate(db, folder) == ["0001_numbers.sql", "0002_more.sql"]
    assert await migrate(db, folder) == []
    write(m0003_drop="DELETE FROM numbers WHERE n = 1;")
    assert await migrate(db, folder) == ["0003_drop.sql"]
    assert await numbers(db) == [2]


async def test_the_packages_own_migrations_apply(db: Database) -> None:
    names = await migrate(db)
    assert names == sorted(path.name for path in (ROOT / "tidings/migrations").glob("*.sql"))
    assert names[0] == "0001_baseline.sql"
    assert await migrate(db) == []


async def test_many_at_once_apply_each_file_once(db: Database, write) -> None:
    folder = write(m0001_numbers=NUMBERS, m0002_more=MORE)
    done = await asyncio.gather(*(migrate(db, folder) for _ in range(8)))
    assert list(chain(*done)) == ["0001_numbers.sql", "0002_more.sql"]
    assert await numbers(db) == [1, 2]


async def test_a_file_that_fails_leaves_nothing_and_can_be_mended(db: Database, write) -> None:
    folder = write(m0001_numbers=NUMBERS, m0002_more=MORE + "SELECT 1/0;")
    with pytest.raises(MigrationError, match=r"0002_more\.sql failed: division by zero"):
        await migrate(db, folder)
    assert await numbers(db) == [1]
    write(m0002_more=MORE)
    assert await migrate(db, folder) == ["0002_more.sql"]
    assert await numbers(db) == [1, 2]


async def test_a_changed_file_is_refused(db: Database, write) -> None:
    folder = write(m0001_numbers=NUMBERS)
    await migrate(db, folder)
    write(m0001_numbers=NUMBERS + " ", m0002_more=MORE)
    with pytest.raises(MigrationError, match="has changed since it was applied"):
        await migrate(db, folder)
    assert await numbers(db) == [1]


async def test_a_database_newer_than_the_program_is_refused(db: Database, write) -> None:
    folder = write(m0001_numbers=NUMBERS, m0002_more=MORE)
    await migrate(db, folder)
    (folder / "0002_more.sql").unlink()
    with pytest.raises(MigrationError, match="newer than the program"):
        await migrate(db, folder)


def test_names_that_are_not_numbered_or_numbered_twice_are_refused(write) -> None:
    folder = write(m0001_numbers=NUMBERS, m0001_again=MORE)
    with pytest.raises(MigrationError, match="free number"):
        read_migrations(folder)
    (folder / "0001_again.sql").rename(folder / "again.sql")
    with pytest.raises(MigrationError, match=r"again\.sql: name it"):
        read_migrations(folder)


async def test_an_index_can_be_built_outside_a_transaction_while_others_wait(
    db: Database, write
) -> None:
    index = (
        "-- outside a transaction\n"
        "DROP INDEX CONCURRENTLY IF EXISTS numbers_by_n;\n"
        "CREATE INDEX CONCURRENTLY numbers_by_n ON numbers (n);\n"
    )
    folder = write(m0001_numbers=NUMBERS, m0002_index=index)
    done = await asyncio.wait_for(asyncio.gather(*(migrate(db, folder) for _ in range(3))), 60)
    assert len(list(chain(*done))) == 2
    valid = "SELECT indisvalid FROM pg_index WHERE indexrelid = 'numbers_by_n'::regclass"
    assert await db.value(valid) is True


async def test_a_file_waits_for_its_locks_without_holding_up_the_service(
    db: Database, write
) -> None:
    folder = write(m0001_numbers=NUMBERS)
    await migrate(db, folder)
    write(m0002_wider="ALTER TABLE numbers ADD wide integer;")
    reader = await db.dedicated()
    transaction = reader.transaction()
    await transaction.start()
    await reader.fetch("SELECT * FROM numbers")
    migrating = asyncio.create_task(migrate(db, folder, lock_seconds_max=0.1))
    await asyncio.sleep(0.2)  # the first attempt has given up its place in the queue
    assert await db.value("SELECT count(*) FROM numbers") == 1
    await transaction.commit()
    assert await migrating == ["0002_wider.sql"]
    await reader.close()


HALF_WAY = """
import asyncio, json, sys
from itertools import chain
from pathlib import Path
from tidings.clock import SystemClock
from tidings.engine.db.migrate import migrate
from tidings.engine.db.pool import Database

async def main():
    db = await Database.open(json.loads(sys.argv[1]), SystemClock())
    await migrate(db, Path(sys.argv[2]))

asyncio.run(main())
"""


async def test_a_process_killed_half_way_harms_nothing(write) -> None:
    dsn = empty_database()
    folder = write(m0001_numbers=NUMBERS, m0002_more=MORE + "SELECT pg_sleep(30);")
    command = [sys.executable, "-c", HALF_WAY, json.dumps(dsn), str(folder)]
    with subprocess.Popen(command, cwd=ROOT) as child:
        await asyncio.wait_for(_until_asleep(dsn), 60)
        child.kill()
    write(m0002_more=MORE)

    db = await Database.open(dsn, ManualClock())
    assert await migrate(db, folder) == ["0002_more.sql"]
    assert await numbers(db) == [1, 2]
    await db.close()


async def _until_asleep(dsn) -> None:
    admin = await asyncpg.connect(**dsn)
    asleep = (
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event = 'PgSleep'"
    )
    while not await admin.fetchval(asleep):
        await asyncio.sleep(0.02)
    await admin.close()
