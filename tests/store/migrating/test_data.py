"""Data changes: page by page, resumed where they were, seen from outside, waited for."""

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.database import Dsn
from tests.support.migrating import FILLED, MANY, NUMBERS, SQUARES, Write
from tests.support.waiting import until
from tidings.engine.db.migrate import apply_pending, migrate
from tidings.engine.db.pool import Database
from tidings.engine.db.schema.data_changes import advance, load_states, next_size, run
from tidings.engine.db.schema.files import Migration, MigrationError, read_migrations
from tidings.engine.db.schema.upgrade import advance_upgrade, load_left

ROOT = Path(__file__).parents[3]
NEW = "0.3.0"
LEFT = "SELECT count(*) FROM numbers WHERE square IS DISTINCT FROM n::bigint * n"


def change(folder: Path) -> Migration:
    return next(one for one in read_migrations(folder) if one.head.pages)


async def test_a_data_change_begins_with_its_file_and_goes_on_in_pages(
    db: Database, write: Write
) -> None:
    folder = write(m0001_numbers=MANY, m0002_squares=SQUARES)
    assert await migrate(db, folder) == ["0001_numbers.sql", "0002_squares.sql"]
    (state,) = await load_states(db)
    assert (state.rows_done, state.complete_at) == (1000, None)
    connection = await db.dedicated()
    assert await advance(connection, change(folder)) is not None
    await connection.close()
    left = await db.value(LEFT)
    assert 0 < left < 4000
    assert await run(db, [change(folder)], rest=0)
    (state,) = await load_states(db)
    assert state.rows_done == state.rows_total == 5000
    assert state.complete_at is not None
    assert await db.value(LEFT) == 0


async def test_a_small_table_is_complete_at_once(db: Database, write: Write) -> None:
    small = NUMBERS + "ALTER TABLE numbers ADD square bigint;"
    folder = write(m0001_numbers=small, m0002_squares=SQUARES, m0003_filled=FILLED)
    outcome = await apply_pending(db, folder, version=NEW)
    assert outcome.names == ["0001_numbers.sql", "0002_squares.sql", "0003_filled.sql"]
    assert await db.value(LEFT) == 0


async def test_a_contracting_migration_waits_until_it_is_complete(
    db: Database, write: Write
) -> None:
    folder = write(m0001_numbers=MANY, m0002_squares=SQUARES, m0003_filled=FILLED)
    outcome = await apply_pending(db, folder, version=NEW)
    assert outcome.names == ["0001_numbers.sql", "0002_squares.sql"]
    reason = "0003_filled.sql waits until the data change 0002_squares.sql is complete."
    assert [one.reason for one in outcome.waiting] == [reason]
    await advance_upgrade(db, folder, NEW)  # the workers' task: the data change
    await advance_upgrade(db, folder, NEW)  # and then the file
    left = await load_left(db, folder, NEW)
    assert (left.pending, left.changes) == ([], [])


async def test_a_program_that_needs_a_complete_change_does_not_start_before(
    db: Database, write: Write
) -> None:
    reads = "-- compatible\n-- after data change 0002_squares.sql\nSELECT 1;"
    folder = write(m0001_numbers=MANY, m0002_squares=SQUARES, m0003_reads=reads)
    with pytest.raises(MigrationError, match="tidings migrate --wait"):
        await migrate(db, folder)
    assert await run(db, [change(folder)], rest=0)
    assert await migrate(db, folder) == ["0003_reads.sql"]


async def test_one_process_at_a_time_runs_it(db: Database, write: Write) -> None:
    folder = write(m0001_numbers=MANY, m0002_squares=SQUARES)
    await migrate(db, folder)
    other = await db.dedicated()
    await other.execute("SELECT pg_advisory_lock($1)", 0x7469_6463_6867)
    assert not await run(db, [change(folder)], rest=0)
    await other.close()


async def test_rows_that_others_hold_are_tried_again(db: Database, write: Write) -> None:
    folder = write(m0001_numbers=MANY, m0002_squares=SQUARES)
    await migrate(db, folder)
    holder = await db.dedicated()
    transaction = holder.transaction()
    await transaction.start()
    await holder.execute("UPDATE numbers SET n = n WHERE n = 1001")
    connection = await db.dedicated()
    assert await advance(connection, change(folder)) is not None
    (state,) = await load_states(db)
    assert state.rows_done == 1000
    assert state.error == "LockNotAvailable (55P03)"
    await transaction.rollback()
    assert await run(db, [change(folder)], rest=0)
    (state,) = await load_states(db)
    assert (state.rows_done, state.error) == (5000, None)
    await holder.close()
    await connection.close()


async def test_a_page_that_cannot_be_done_is_reported_and_undone(
    db: Database, write: Write
) -> None:
    wrong = SQUARES.replace("page.n::bigint * page.n", "1 / (page.n - 3000)")
    folder = write(m0001_numbers=MANY, m0002_squares=wrong)
    await migrate(db, folder)
    with pytest.raises(MigrationError, match=r"0002_squares\.sql failed: division by zero"):
        await run(db, [change(folder)], rest=0)
    (state,) = await load_states(db)
    assert state.error == "DivisionByZero (22012)"
    done = await db.value("SELECT count(*) FROM numbers WHERE square IS NOT NULL")
    assert done == state.rows_done


KILLED = """
import asyncio, json, sys
from pathlib import Path
from tidings.clock import SystemClock
from tidings.engine.db.pool import Database
from tidings.engine.db.schema.upgrade import advance_upgrade

async def main():
    db = await Database.open(json.loads(sys.argv[1]), SystemClock())
    await advance_upgrade(db, Path(sys.argv[2]))

asyncio.run(main())
"""


async def test_killed_in_the_middle_it_goes_on(db: Database, dsn: Dsn, write: Write) -> None:
    folder = write(m0001_numbers=MANY, m0002_squares=SQUARES)
    await migrate(db, folder)
    holder = await db.dedicated()
    transaction = holder.transaction()
    await transaction.start()
    await holder.execute("UPDATE numbers SET n = n WHERE n = 4900")  # it does not come to its end
    command = [sys.executable, "-c", KILLED, json.dumps(dsn), str(folder)]
    with subprocess.Popen(command, cwd=ROOT) as child:
        await until(lambda: _is_past(db, 1000))
        child.kill()
    await transaction.rollback()
    await holder.close()
    (state,) = await load_states(db)
    assert 1000 < state.rows_done < 4900
    while not await run(db, [change(folder)], rest=0):
        pass  # until PostgreSQL has noticed that the killed one is gone
    (state,) = await load_states(db)
    assert state.rows_done == 5000
    assert await db.value(LEFT) == 0


async def _is_past(db: Database, rows: int) -> bool:
    (state,) = await load_states(db)
    return state.rows_done > rows


async def test_keys_of_several_columns_and_of_any_type(db: Database, write: Write) -> None:
    pairs = (
        "CREATE TABLE pairs (owner uuid, at timestamptz, seen boolean, PRIMARY KEY (owner, at));"
        "INSERT INTO pairs SELECT md5((n % 7)::text)::uuid,"
        " 'epoch'::timestamptz + n * '3 microseconds'::interval FROM generate_series(1, 3000) n;"
    )
    see = (
        "-- compatible\n-- data change over pairs by owner, at\n"
        "UPDATE pairs SET seen = true FROM page WHERE pairs.owner = page.owner"
        " AND pairs.at = page.at;"
    )
    folder = write(m0001_pairs=pairs, m0002_see=see)
    await migrate(db, folder)
    assert await run(db, [change(folder)], rest=0)
    assert await db.value("SELECT count(*) FROM pairs WHERE seen") == 3000
    (state,) = await load_states(db)
    assert state.rows_done == 3000


async def test_a_change_without_its_key_or_with_two_statements_is_refused(
    db: Database, write: Write
) -> None:
    folder = write(m0001_numbers=MANY, m0002_squares=SQUARES.replace("by n", "by m"))
    with pytest.raises(MigrationError, match="numbers has no m"):
        await migrate(db, folder)
    write(m0002_squares=SQUARES + " SELECT 1;")
    with pytest.raises(MigrationError, match="has one statement"):
        await migrate(db, folder)


def test_pages_follow_the_time_they_take() -> None:
    assert next_size(1000, timedelta(milliseconds=250)) == 1000
    assert next_size(1000, timedelta(milliseconds=1)) == 2000
    assert next_size(1000, timedelta(seconds=3)) == 500
    assert next_size(10, timedelta(seconds=3)) == 10
    assert next_size(50_000, timedelta(0)) == 50_000
