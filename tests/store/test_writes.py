"""Writes that a transaction gathers have the effect of writing them one by one."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

import asyncpg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.clock import ManualClock
from tests.support.database import Dsn, empty_database, opened_database
from tidings.engine.db.errors import Conflict
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx, is_plain_read
from tidings.engine.db.writes import combine, written_tables

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
TABLES = """
    CREATE TABLE notes (id integer PRIMARY KEY, text text);
    CREATE TABLE marks (id integer PRIMARY KEY, count integer NOT NULL);
"""
ADD = "INSERT INTO notes (id, text) SELECT * FROM unnest($1::int[], $2::text[])"
MARK = """
    INSERT INTO marks AS m (id, count) SELECT id, 1 FROM unnest($1::int[]) AS u (id)
    ON CONFLICT (id) DO UPDATE SET count = m.count + 1
"""


@pytest.fixture(scope="module")
async def dsn() -> Dsn:
    dsn = empty_database()
    connection = await asyncpg.connect(**dsn)
    await connection.execute(TABLES)
    await connection.close()
    return dsn


@pytest.fixture
async def db(dsn: Dsn) -> AsyncIterator[Database]:
    async with partial(opened_database, dsn, ManualClock(NOON), "notes", "marks")() as db:
        yield db


async def notes(db: Database) -> list[tuple[int, str]]:
    return [tuple(row) for row in await db.rows("SELECT id, text FROM notes ORDER BY id")]


async def marks(db: Database) -> dict[int, int]:
    return {row["id"]: row["count"] for row in await db.rows("SELECT id, count FROM marks")}


def listen(tx: Tx) -> list[str]:
    """The statements sent from now on; complete once the event loop has run."""
    sent: list[str] = []
    tx.connection.add_query_logger(lambda logged: sent.append(logged.query))
    return sent


async def test_only_writing_takes_one_statement_and_no_transaction(db: Database) -> None:
    async with db.transaction() as tx:
        sent = listen(tx)
        await tx.write(ADD, [1, 2], ["a", "b"], expected=2)
        await tx.write(MARK, [1, 7])
        assert sent == []
    await asyncio.sleep(0)
    assert len(sent) == 1
    assert await notes(db) == [(1, "a"), (2, "b")]
    assert await marks(db) == {1: 1, 7: 1}


async def test_plain_reads_before_the_writes_need_no_transaction(db: Database) -> None:
    async with db.transaction() as tx:
        sent = listen(tx)
        assert await tx.value("SELECT count(*) FROM notes") == 0
        await tx.write(ADD, [1], ["a"])
    await asyncio.sleep(0)
    assert [query.split()[0] for query in sent] == ["SELECT", "INSERT"]


async def test_a_lock_begins_the_transaction(db: Database) -> None:
    async with db.transaction() as tx:
        sent = listen(tx)
        await tx.rows("SELECT id FROM notes FOR UPDATE")
        await tx.write(ADD, [1], ["a"])
    await asyncio.sleep(0)
    assert [query.split()[0] for query in sent] == ["BEGIN", "SELECT", "INSERT", "COMMIT"]


async def test_a_read_sees_what_was_written_before_it(db: Database) -> None:
    async with db.transaction() as tx:
        await tx.write(ADD, [1], ["a"])
        assert await tx.value("SELECT text FROM notes WHERE id = 1") == "a"


async def test_a_table_that_is_written_twice_is_written_in_order(db: Database) -> None:
    async with db.transaction() as tx:
        await tx.write(ADD, [1], ["a"])
        await tx.write(MARK, [1])
        await tx.write("UPDATE notes SET text = text || '+' WHERE id = $1", 1, expected=1)
        await tx.write("INSERT INTO marks SELECT id + 1, length(text) FROM notes")
    assert await notes(db) == [(1, "a+")]
    assert await marks(db) == {1: 1, 2: 2}


class Unexpected(Exception):
    pass


@pytest.mark.parametrize("locked", [False, True])
async def test_a_wrong_count_writes_nothing_and_raises_what_was_asked_for(
    db: Database, locked: bool
) -> None:
    async def work(tx: Tx) -> None:
        if locked:
            await tx.rows("SELECT id FROM notes FOR UPDATE")
        await tx.write(ADD, [1], ["a"], expected=1)
        await tx.write("UPDATE marks SET count = 0", expected=3, error=Unexpected)

    with pytest.raises(Unexpected, match="0 rows instead of 3"):
        await db.transact(work)
    assert await notes(db) == []


async def test_a_write_that_is_refused_leaves_nothing_to_clean_up(db: Database) -> None:
    with pytest.raises(Conflict):
        async with db.transaction() as tx:
            sent = listen(tx)
            await tx.write("UPDATE marks SET count = 0", expected=3)
    await asyncio.sleep(0)
    assert len(sent) == 1


@pytest.mark.parametrize("locked", [False, True])
async def test_a_failed_check_undoes_what_was_written_at_once_and_later(
    db: Database, locked: bool
) -> None:
    async def work(tx: Tx) -> None:
        tx.check("SELECT FROM marks WHERE id = $1", 5, expected=1, error=Unexpected)
        if locked:
            await tx.run(ADD, [1], ["a"])
        else:
            await tx.write(ADD, [1], ["a"])

    with pytest.raises(Unexpected, match="0 rows instead of 1"):
        await db.transact(work)
    assert await notes(db) == []
    await db.transact(lambda tx: tx.write(MARK, [5]))
    await db.transact(work)
    assert await notes(db) == [(1, "a")]


async def test_a_check_without_a_write_is_not_sent(db: Database) -> None:
    async with db.transaction() as tx:
        sent = listen(tx)
        tx.check("SELECT FROM marks", expected=9, error=Unexpected)
    await asyncio.sleep(0)
    assert sent == []


async def test_a_taken_key_is_a_conflict_and_the_work_is_done_again(db: Database) -> None:
    runs: list[int] = []

    async def work(tx: Tx) -> None:
        runs.append(len(runs))
        await tx.write(MARK, [9])
        await tx.write(ADD, [len(runs)], ["again"], unique="notes")

    await db.transact(lambda tx: tx.write(ADD, [1], ["first"]))
    await db.transact(work)
    assert len(runs) == 2
    assert await notes(db) == [(1, "first"), (2, "again")]
    assert await marks(db) == {9: 1}


async def test_a_taken_key_that_nobody_expected_is_an_error(db: Database) -> None:
    await db.transact(lambda tx: tx.write(ADD, [1], ["first"]))
    with pytest.raises(asyncpg.UniqueViolationError):
        await db.transact(lambda tx: tx.write(ADD, [1], ["second"], unique="marks"))


async def test_a_preview_finds_what_the_write_would_raise_and_keeps_nothing(db: Database) -> None:
    await db.preview(lambda tx: tx.write(ADD, [1], ["a"], expected=1))
    with pytest.raises(Conflict):
        await db.preview(lambda tx: tx.write(ADD, [1], ["a"], expected=2))
    assert await notes(db) == []


async def test_what_waits_is_not_written_if_the_work_is_refused(db: Database) -> None:
    with pytest.raises(ZeroDivisionError):
        async with db.transaction() as tx:
            await tx.write(ADD, [1], ["a"])
            raise ZeroDivisionError
    assert await notes(db) == []


async def test_a_cancelled_write_frees_its_connection(dsn: Dsn) -> None:
    async with opened_database(dsn, ManualClock(NOON), "notes", "marks", size=1) as db:
        slow = "INSERT INTO notes SELECT 5, coalesce(pg_sleep(5)::text, '')"
        task = asyncio.create_task(db.transact(lambda tx: tx.write(slow)))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await notes(db) == []


OWN_WITH = """
    WITH given AS (SELECT * FROM unnest($1::int[]) AS u (id)),
    marked AS (INSERT INTO marks (id, count) SELECT id, 5 FROM given)
    INSERT INTO notes (id, text) SELECT id, 'given' FROM given
"""


async def test_a_statement_with_parts_of_its_own_is_taken_apart(db: Database) -> None:
    async with db.transaction() as tx:
        await tx.write("UPDATE notes SET text = $1", "never")
        await tx.write(OWN_WITH, [3, 4], expected=2)
    assert await notes(db) == [(3, "given"), (4, "given")]
    assert await marks(db) == {3: 5, 4: 5}


def test_parameters_are_numbered_on() -> None:
    combined = combine(
        (("DELETE FROM a WHERE x = $1 AND y = $2", False), ("UPDATE b SET z = $1", True))
    )
    assert "UPDATE b SET z = $3" in combined
    assert "$4::bigint" in combined


def test_tables_are_found_in_every_kind_of_statement() -> None:
    assert written_tables(OWN_WITH) == {"marks", "notes"}
    assert written_tables(MARK) == {"marks"}  # not the SET of ON CONFLICT
    assert written_tables("DELETE FROM notes USING marks WHERE true") == {"notes"}
    assert written_tables("WITH a AS (UPDATE notes n SET x = 1) SELECT 1") == {"notes"}


@pytest.mark.parametrize(
    ("sql", "plain"),
    [
        ("SELECT updated_at FROM notes", True),
        ("WITH a AS (SELECT 1) SELECT * FROM a", True),
        ("SELECT 1 FROM notes FOR UPDATE", False),
        ("SELECT 1 FROM notes for share", False),
        ("SELECT pg_notify('a', 'b')", False),
        ("WITH a AS (DELETE FROM notes RETURNING 1) SELECT * FROM a", False),
        ("SET LOCAL lock_timeout = 1", False),
    ],
)
def test_what_a_plain_read_is(sql: str, plain: bool) -> None:
    assert is_plain_read(sql) is plain


# Any sequence of writes and reads

STEP = "UPDATE notes SET text = text || $2 WHERE id = ANY($1::int[])"
FORGET = "DELETE FROM notes WHERE id = ANY($1::int[])"
COPY = "INSERT INTO marks SELECT id + $1, length(text) FROM notes ON CONFLICT DO NOTHING"
PUT = """
    INSERT INTO notes AS n (id, text) SELECT id, $2 FROM unnest($1::int[]) AS u (id)
    ON CONFLICT (id) DO UPDATE SET text = n.text || excluded.text
"""
ids = st.lists(st.integers(0, 4), max_size=3, unique=True)
acts = st.one_of(
    st.tuples(st.sampled_from([STEP, PUT]), ids, st.sampled_from("xyz")),
    st.tuples(st.sampled_from([FORGET, MARK]), ids),
    st.tuples(st.just(COPY), st.integers(0, 3)),
    st.just(("SELECT count(*) FROM notes",)),
)


@given(st.lists(acts, max_size=12))
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
async def test_gathered_or_one_by_one_is_the_same(db: Database, steps: Sequence[Any]) -> None:
    async def one_by_one(tx: Tx) -> None:
        for sql, *arguments in steps:
            await tx.run(sql, *arguments)

    async def gathered(tx: Tx) -> None:
        for sql, *arguments in steps:
            if sql.startswith("SELECT"):
                await tx.value(sql)
            else:
                await tx.write(sql, *arguments)

    outcomes = []
    for work in (one_by_one, gathered):
        await db.transact(lambda tx: tx.run("TRUNCATE notes, marks"))
        await db.transact(work)
        outcomes.append((await notes(db), await marks(db)))
    assert outcomes[0] == outcomes[1]
