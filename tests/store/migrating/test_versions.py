"""Programs of two versions on one database: which may run, and which migrations must wait."""

import asyncio
from pathlib import Path

import asyncpg
import pytest

from tests.support.database import Dsn
from tests.support.migrating import NUMBERS, Write
from tests.support.waiting import until
from tidings.engine.db.migrate import apply_pending, migrate
from tidings.engine.db.pool import Database
from tidings.engine.db.schema.files import (
    ANY,
    Head,
    MigrationError,
    Pages,
    read_head,
    read_migrations,
    version_name,
    version_number,
)
from tidings.engine.db.schema.presence import LOCK_CLASS, Presence, load_running
from tidings.engine.db.schema.upgrade import advance_upgrade

WIDER = "-- compatible\nALTER TABLE numbers ADD wide integer;"
NARROWER = "-- needs programs from 0.3.0\nALTER TABLE numbers DROP wide;"
LATER = "-- compatible\nALTER TABLE numbers ADD later integer;"
OLD, NEW = "0.2.0", "0.3.0"
# Of this database: the server has those of other tests, too.
HOLDER = """
    SELECT pid FROM pg_locks
     WHERE locktype = 'advisory' AND classid = $1::bigint::oid
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


async def present(
    db: Database, folder: Path, version: str, check_seconds: float = 0.01
) -> Presence:
    presence = Presence(db, version, read_migrations(folder), check_seconds)
    await presence.announce()
    return presence


def old_folder(folder: Path, *names: str) -> Path:
    """What a program had that knows only these files."""
    old = folder / "old"
    old.mkdir()
    for name in names:
        (old / name).write_text((folder / name).read_text())
    return old


async def test_an_older_program_accepts_compatible_migrations(db: Database, write: Write) -> None:
    folder = write(m0001_numbers=NUMBERS, m0002_wider=WIDER)
    await migrate(db, folder, version=NEW)
    assert await migrate(db, old_folder(folder, "0001_numbers.sql"), version=OLD) == []


async def test_a_program_that_is_too_old_is_told_so(db: Database, write: Write) -> None:
    folder = write(m0001_numbers=NUMBERS, m0002_wider=WIDER, m0003_narrower=NARROWER)
    await migrate(db, folder, version=NEW)
    old = old_folder(folder, "0001_numbers.sql")
    reason = r"0003_narrower\.sql, .* \(0\.2\.0\) .* needs tidings 0\.3\.0 or newer"
    with pytest.raises(MigrationError, match=reason):
        await migrate(db, old, version=OLD)
    assert await migrate(db, old, version="0.3.1") == []  # such as one without this very file


async def test_a_file_that_declares_nothing_suits_only_its_own_program(
    db: Database, write: Write
) -> None:
    folder = write(m0001_numbers=NUMBERS, m0002_more="INSERT INTO numbers VALUES (2);")
    await migrate(db, folder, version=NEW)
    with pytest.raises(MigrationError, match="only programs that know it"):
        await migrate(db, old_folder(folder, "0001_numbers.sql"), version="9.0.0")


async def test_a_contracting_migration_waits_for_the_last_older_program(
    db: Database, write: Write
) -> None:
    folder = write(m0001_numbers=NUMBERS, m0002_wider=WIDER)
    await migrate(db, folder, version=OLD)
    presences = [await present(db, folder, OLD) for _ in range(2)]
    write(m0003_narrower=NARROWER, m0004_later=LATER)

    outcome = await apply_pending(db, folder, version=NEW)
    assert outcome.names == ["0004_later.sql"]  # what can be applied is not held up
    assert [one.reason for one in outcome.waiting] == [
        "0003_narrower.sql needs programs from 0.3.0, and older processes run (2 of 0.2.0): it"
        " waits until they have stopped."
    ]
    for presence in presences:
        assert await migrate(db, folder, version=NEW) == []
        await presence.leave()
    await until(lambda: _gone(db))
    await advance_upgrade(db, folder, NEW)  # the workers' task
    assert not await db.rows("SELECT FROM pg_attribute WHERE attname = 'wide'")


async def test_a_role_that_may_not_contract_leaves_it_to_the_owner(
    db: Database, write: Write
) -> None:
    denied = "DO $$ BEGIN RAISE insufficient_privilege; END $$;"
    folder = write(m0001_numbers=NUMBERS, m0002_denied=f"-- needs programs from 0.3.0\n{denied}")
    outcome = await apply_pending(db, folder, version=NEW)
    assert [one.reason for one in outcome.waiting] == [
        "0002_denied.sql waits for tidings migrate by the role that owns the tables."
    ]
    write(m0003_denied=f"-- compatible\n{denied}")
    with pytest.raises(MigrationError, match="by the role that owns the tables first"):
        await migrate(db, folder, version=NEW)


async def _gone(db: Database) -> bool:
    connection = await db.dedicated()
    try:
        return not await load_running(connection)
    finally:
        await connection.close()


async def test_a_killed_program_is_not_waited_for(db: Database, dsn: Dsn, write: Write) -> None:
    folder = write(m0001_numbers=NUMBERS, m0002_wider=WIDER)
    await migrate(db, folder, version=OLD)
    presence = await present(db, folder, OLD)
    write(m0003_narrower=NARROWER)
    assert await migrate(db, folder, version=NEW) == []
    admin = await asyncpg.connect(**dsn)
    pid = await admin.fetchval(HOLDER, LOCK_CLASS)
    await admin.execute("SELECT pg_terminate_backend($1)", pid)
    await admin.close()
    await until(lambda: _gone(db))
    assert await migrate(db, folder, version=NEW) == ["0003_narrower.sql"]
    await presence.leave()


async def test_a_program_that_has_become_too_old_stops_by_itself(
    db: Database, write: Write
) -> None:
    """It was cut off from the database while the migration was applied."""
    folder = write(m0001_numbers=NUMBERS, m0002_wider=WIDER)
    await migrate(db, folder, version=OLD)
    presence = Presence(db, OLD, read_migrations(folder), check_seconds=0.01)
    reasons: list[str] = []
    write(m0003_narrower=NARROWER)
    await migrate(db, folder, version=NEW)
    await asyncio.wait_for(presence.watch(reasons.append), 60)
    assert len(reasons) == 1
    assert "needs tidings 0.3.0 or newer" in reasons[0]
    await presence.leave()


async def test_a_program_is_present_again_after_its_connection_broke(
    db: Database, dsn: Dsn, write: Write
) -> None:
    folder = write(m0001_numbers=NUMBERS)
    await migrate(db, folder, version=OLD)
    presence = await present(db, folder, OLD, check_seconds=3600)  # it need not look to notice
    watching = asyncio.create_task(presence.watch(lambda _: None))
    admin = await asyncpg.connect(**dsn)
    first = await admin.fetchval(HOLDER, LOCK_CLASS)
    await admin.execute("SELECT pg_terminate_backend($1)", first)
    async with asyncio.timeout(60):
        while await admin.fetchval(HOLDER, LOCK_CLASS) in (first, None):
            await asyncio.sleep(0.01)
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    await presence.leave()
    await admin.close()


async def test_a_program_that_could_not_look_looks_again(db: Database, write: Write) -> None:
    folder = write(m0001_numbers=NUMBERS)
    await migrate(db, folder, version=OLD)
    presence = await present(db, folder, OLD)
    await db.rows("ALTER TABLE schema_migrations RENAME COLUMN name TO hidden")
    reasons: list[str] = []
    watching = asyncio.create_task(presence.watch(reasons.append))
    await until(lambda: _gone(db))
    await db.rows("ALTER TABLE schema_migrations RENAME COLUMN hidden TO name")
    await db.rows("INSERT INTO schema_migrations VALUES (3, '0003_x.sql', '', now(), '0.3.0')")
    await asyncio.wait_for(watching, 60)
    assert "needs tidings 0.3.0 or newer" in reasons[0]
    await presence.leave()


def test_the_head_of_a_file_is_read() -> None:
    text = (
        "-- What for.\n-- needs programs from 0.3.0\n-- after data change 0002_fill.sql\nSELECT 1;"
    )
    assert read_head("x", text) == Head(programs_from="0.3.0", after=("0002_fill.sql",))
    text = "-- compatible\n-- outside a transaction\n\nSELECT 1;\n-- needs programs from 9.0.0"
    assert read_head("x", text) == Head(programs_from=ANY, outside=True)
    text = "-- data change over messages by account_id, id\nUPDATE messages"
    assert read_head("x", text) == Head(pages=Pages("messages", ("account_id", "id")))


@pytest.mark.parametrize(
    "line", ["-- needs programs from next", "-- compatible.", "-- data change of messages"]
)
def test_a_declaration_with_a_slip_is_refused(line: str) -> None:
    with pytest.raises(MigrationError, match=r"0002_x\.sql: its head says"):
        read_head("0002_x.sql", f"{line}\nSELECT 1;")


def test_versions_are_ordered_by_their_numbers() -> None:
    versions = ["0.2.0", "0.2.10", "0.10.0", "1.0.0", "12.34.56"]
    numbers = [version_number(version) for version in versions]
    assert numbers == sorted(numbers)
    assert [version_name(number) for number in numbers] == versions
    assert version_number("0.3.0.dev1") == version_number("0.3.0")
