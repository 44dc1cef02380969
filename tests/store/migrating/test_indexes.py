"""Indexes built concurrently, also over partitions, and built anew where a build failed."""

import asyncio

import pytest

from tests.support.migrating import NUMBERS, Write
from tidings.engine.db.migrate import migrate
from tidings.engine.db.pool import Database
from tidings.engine.db.schema.files import MigrationError
from tidings.engine.db.schema.indexes import Index, name_for, read_index
from tidings.engine.db.schema.statements import split

PARTS = """
CREATE TABLE parts (n integer, word text) PARTITION BY LIST (n);
CREATE TABLE parts_default PARTITION OF parts DEFAULT;
CREATE TABLE parts_2026_01 PARTITION OF parts FOR VALUES IN (1, 2);
CREATE TABLE parts_2026_02 PARTITION OF parts FOR VALUES IN (15);
INSERT INTO parts SELECT n, n::text FROM generate_series(0, 30) n;
"""
OUTSIDE = "-- compatible\n-- outside a transaction\n"
BY_WORD = OUTSIDE + "-- Finds words.\nCREATE INDEX CONCURRENTLY parts_by_word ON parts (word);\n"
VALID = """
    SELECT c.relname, x.indisvalid FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid
     WHERE c.relname LIKE '%by%' ORDER BY c.relname
"""


async def valid(db: Database) -> dict[str, bool]:
    return {row["relname"]: row["indisvalid"] for row in await db.rows(VALID)}


async def test_an_index_over_partitions_is_built_partition_by_partition(
    db: Database, write: Write
) -> None:
    folder = write(m0001_parts=PARTS, m0002_by_word=BY_WORD)
    await migrate(db, folder)
    assert await valid(db) == {
        "parts_by_word": True,
        "parts_by_word_2026_01": True,
        "parts_by_word_2026_02": True,
        "parts_by_word_default": True,
    }


async def test_what_a_failed_build_left_is_dropped_and_built_anew(
    db: Database, write: Write
) -> None:
    unique = BY_WORD.replace("CREATE INDEX", "CREATE UNIQUE INDEX").replace("(word)", "(n, word)")
    folder = write(m0001_parts=PARTS, m0002_by_word=unique)
    (folder / "0002_by_word.sql").rename(folder / "0002_by_word.later")
    await migrate(db, folder)
    await db.rows("INSERT INTO parts VALUES (15, '15')")  # twice: the build must fail
    (folder / "0002_by_word.later").rename(folder / "0002_by_word.sql")
    with pytest.raises(MigrationError, match="could not create unique index"):
        await migrate(db, folder)
    left = await valid(db)
    assert left["parts_by_word_2026_01"] is True
    assert left["parts_by_word_2026_02"] is False
    assert left["parts_by_word"] is False
    await db.rows("DELETE FROM parts WHERE ctid IN (SELECT max(ctid) FROM parts WHERE n = 15)")
    await migrate(db, folder)
    assert set((await valid(db)).values()) == {True}


async def test_an_index_of_a_plain_table_is_mended_too(db: Database, write: Write) -> None:
    index = OUTSIDE + "CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS numbers_by_n ON numbers (n);"
    folder = write(m0001_numbers=NUMBERS.replace(" PRIMARY KEY", ""))
    await migrate(db, folder)
    await db.rows("INSERT INTO numbers VALUES (1)")
    write(m0002_index=index)
    with pytest.raises(MigrationError):
        await migrate(db, folder)
    assert await valid(db) == {"numbers_by_n": False}
    await db.rows("TRUNCATE numbers")
    assert await migrate(db, folder) == ["0002_index.sql"]
    assert await valid(db) == {"numbers_by_n": True}


async def test_a_build_waits_for_long_transactions_and_nobody_waits_for_it(
    db: Database, write: Write
) -> None:
    folder = write(m0001_parts=PARTS)
    await migrate(db, folder)
    write(m0002_by_word=BY_WORD)
    writer_ = await db.dedicated()
    transaction = writer_.transaction()
    await transaction.start()
    await writer_.execute("INSERT INTO parts_2026_01 VALUES (1, 'long')")
    migrating = asyncio.create_task(migrate(db, folder, lock_seconds_max=0.05))
    waits = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONC%' AND"
    waits += " wait_event_type = 'Lock' AND datname = current_database()"
    async with asyncio.timeout(60):
        while not await db.value(waits):
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.2)  # longer than a limit for locks would have let it wait
    await db.rows("INSERT INTO parts VALUES (2, 'meanwhile')")
    assert not migrating.done()
    await transaction.commit()
    assert await migrating == ["0002_by_word.sql"]
    await writer_.close()


def test_the_statement_is_read_as_people_write_it() -> None:
    text = "create unique index concurrently if not exists a_by_b\n    on a (b) where c;"
    (statement,) = split(text)
    assert read_index(statement) == Index("UNIQUE ", "a_by_b", "a", "(b) where c")
    assert read_index("CREATE INDEX a_by_b ON a (b)") is None


def test_an_index_of_partitions_is_named_after_them() -> None:
    index = Index("", "messages_by_day", "messages", "(day)")
    assert name_for(index, "messages_2026_11") == "messages_by_day_2026_11"
    assert name_for(index, "messages_default") == "messages_by_day_default"
    with pytest.raises(MigrationError, match="too long"):
        name_for(Index("", "x" * 60, "messages", "(day)"), "messages_2026_11")


def test_statements_end_where_postgresql_ends_them() -> None:
    body = "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $x$ SELECT 1; $x$"
    text = f"-- a; b\nSELECT ';', E'\\';', \"a;b\"; /* c;\nd */ {body};\n\nSELECT '\\';\n-- end;"
    assert split(text) == ["SELECT ';', E'\\';', \"a;b\"", body, "SELECT '\\'"]
