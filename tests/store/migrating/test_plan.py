"""The plan of an upgrade says what PostgreSQL does: locks, who waits, what is read or copied."""

import pytest

from tests.support.migrating import FILLED, MANY, SQUARES, Write
from tidings.engine.db.migrate import migrate
from tidings.engine.db.pool import Database
from tidings.engine.db.schema.files import MigrationError
from tidings.engine.db.schema.plan import Plan, Step, make_plan

PARTS = """
CREATE TABLE parts (n integer, word text) PARTITION BY LIST (n);
CREATE TABLE parts_default PARTITION OF parts DEFAULT;
"""
TABLES = MANY + PARTS + "CREATE TABLE others (id integer PRIMARY KEY, n integer);"


async def plan_of(db: Database, write: Write, sql: str, **more: str) -> Plan:
    folder = write(m0001_tables=TABLES)
    await migrate(db, folder)
    await measure_numbers(db)
    write(m0002_change=sql, **more)
    return await make_plan(db, folder)


async def measure_numbers(db: Database) -> None:
    """So that autovacuum does not, between two plans that are compared."""
    await db.rows("VACUUM (ANALYZE) numbers")


def locks(step: Step) -> dict[str, tuple[str, str, str]]:
    return {one.table: (one.mode, one.waits, one.held_for) for one in step.locks}


EXCLUSIVE = ("ACCESS EXCLUSIVE", "reads and writes")


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("ALTER TABLE numbers ADD w integer", {"numbers": (*EXCLUSIVE, "an instant")}),
        ("ALTER TABLE numbers ADD w integer DEFAULT 1", {"numbers": (*EXCLUSIVE, "an instant")}),
        (
            "ALTER TABLE numbers ADD w uuid DEFAULT gen_random_uuid()",
            {"numbers": (*EXCLUSIVE, "rewrite of numbers")},
        ),
        (
            "ALTER TABLE numbers ALTER n TYPE bigint",
            {"numbers": (*EXCLUSIVE, "rewrite of numbers")},
        ),
        (
            "ALTER TABLE others ALTER n SET NOT NULL",
            {"others": (*EXCLUSIVE, "scan of others")},
        ),
        (
            "ALTER TABLE numbers ADD CHECK (square > 0) NOT VALID",
            {"numbers": (*EXCLUSIVE, "an instant")},
        ),
        (
            "CREATE INDEX numbers_by_square ON numbers (square)",
            {"numbers": ("SHARE", "writes", "scan of numbers")},
        ),
        (
            "CREATE INDEX parts_by_word ON parts (word)",
            {"parts": ("SHARE", "writes", "scan of parts")},
        ),
        ("DROP TABLE others", {"others": (*EXCLUSIVE, "an instant")}),
        ("CREATE TABLE more (n integer); ", {}),
        (
            "COMMENT ON TABLE others IS 'x'",
            {"others": ("SHARE UPDATE EXCLUSIVE", "nobody", "an instant")},
        ),
    ],
)  # fmt: skip
async def test_a_statement_shows_the_locks_it_takes(
    db: Database, write: Write, sql: str, expected: dict[str, tuple[str, str, str]]
) -> None:
    plan = await plan_of(db, write, sql)
    (file,) = plan.files
    (step,) = file.steps
    assert locks(step) == expected


async def test_a_foreign_key_reads_one_table_and_locks_two(db: Database, write: Write) -> None:
    plan = await plan_of(db, write, "ALTER TABLE others ADD FOREIGN KEY (n) REFERENCES numbers")
    (step,) = plan.files[0].steps
    mode = "SHARE ROW EXCLUSIVE"
    assert {table: lock[:2] for table, lock in locks(step).items()} == {
        "numbers": (mode, "writes"),
        "others": (mode, "writes"),
    }
    assert "scan of others" in step.locks[0].held_for


async def test_a_lock_is_held_for_all_that_follows_in_the_file(db: Database, write: Write) -> None:
    sql = "ALTER TABLE others ADD w integer; UPDATE numbers SET square = 1 WHERE square = 2;"
    plan = await plan_of(db, write, sql)
    first, second = plan.files[0].steps
    assert locks(first) == {"others": (*EXCLUSIVE, "scan of numbers")}
    assert (locks(second), second.work) == ({}, {"numbers": "scan"})
    assert plan.files[0].how == "in one transaction"


async def test_sizes_are_those_of_the_real_tables(db: Database, write: Write) -> None:
    plan = await plan_of(db, write, "ALTER TABLE numbers ADD w integer")
    (lock,) = plan.files[0].steps[0].locks
    assert lock.size.rows == 5000
    assert lock.size.bytes > 100_000


async def test_a_concurrent_index_makes_nobody_wait(db: Database, write: Write) -> None:
    sql = (
        "-- outside a transaction\nCREATE INDEX CONCURRENTLY parts_by_n ON parts (n);"
        "CREATE INDEX CONCURRENTLY numbers_by_square ON numbers (square);"
    )
    plan = await plan_of(db, write, sql)
    (file,) = plan.files
    assert file.how == "statement by statement"
    assert [one.waits for step in file.steps for one in step.locks] == ["nobody", "nobody"]


async def test_a_data_change_and_what_follows_it(db: Database, write: Write) -> None:
    after = FILLED.replace("0002_squares", "0002_change")
    plan = await plan_of(db, write, SQUARES, m0003_after=after)
    change, last = plan.files
    assert change.how == "in pages"
    assert change.steps[0].note.startswith("about 5,000 rows of numbers, in the background")
    assert last.waits == "0003_after.sql waits until the data change 0002_change.sql is complete."


async def test_nothing_is_changed_and_nothing_left(db: Database, write: Write) -> None:
    plan = await plan_of(db, write, "ALTER TABLE numbers ADD w integer")
    again = await make_plan(db, write())
    assert again == plan
    assert plan.server == plan.tried_on
    left = "SELECT count(*) FROM pg_database WHERE datname LIKE 'tidings_plan_' || $1 || '_%'"
    own = await db.value("SELECT oid::text FROM pg_database WHERE datname = current_database()")
    assert await db.value(left, own) == 0
    assert await migrate(db, write()) == ["0002_change.sql"]
    assert (await make_plan(db, write())).files == []


async def test_a_file_that_fails_says_so_before_it_is_applied(db: Database, write: Write) -> None:
    with pytest.raises(MigrationError, match=r"0002_change\.sql fails on a copy"):
        await plan_of(db, write, "ALTER TABLE numbers ADD n integer")


async def test_a_role_that_may_not_create_databases_tries_it_elsewhere(
    db: Database, write: Write
) -> None:
    folder = write(m0001_tables=TABLES)
    await migrate(db, folder)
    await measure_numbers(db)
    write(m0002_change="ALTER TABLE numbers ADD w integer")
    elsewhere = await make_plan(db, folder, here=False)
    assert elsewhere.files == (await make_plan(db, folder)).files


async def test_the_plan_of_an_empty_database_is_everything(db: Database) -> None:
    plan = await make_plan(db)
    assert plan.files[0].name == "0001_baseline.sql"
    assert not any(step.locks for step in plan.files[0].steps)
