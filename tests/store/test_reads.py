"""Queries that are sent as one statement."""

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from tidings.engine.db.pool import Database
from tidings.engine.db.reads import Read, Rows, combine

ID = UUID("018f0000-0000-7000-8000-000000000001")


def rows_of(rows: Rows) -> list[tuple[object, ...]]:
    return [tuple(row) for row in rows]


def listing(*values: str) -> Read[list[tuple[object, ...]]]:
    return Read(rows_of, "SELECT t FROM unnest($1::text[]) AS t ORDER BY t", list(values))


async def test_each_query_has_its_own_parameters_and_rows(db: Database) -> None:
    names, none = listing("b", "a", 'with "quotes" and \\'), listing()
    pair = Read(rows_of, "SELECT $2::int, $1::uuid WHERE $2::int > 1", ID, 2)
    async with db.transaction() as tx:
        await tx.read(names, none, pair)
    assert names.result == [("a",), ("b",), ('with "quotes" and \\',)]
    assert none.result == []
    assert pair.result == [(2, ID)]


async def test_one_query_alone_and_one_that_is_known(db: Database) -> None:
    alone = listing("a")
    async with db.transaction() as tx:
        await tx.read(alone, Read.known({}))
        await tx.read()
        assert await tx.result(Read.known(7)) == 7
    assert alone.result == [("a",)]


async def test_columns_of_the_same_name_and_nulls_keep_their_order(db: Database) -> None:
    twice = Read(rows_of, "SELECT 1 AS n, NULL::timestamptz AS n, 'x' AS n")
    async with db.transaction() as tx:
        await tx.read(twice, listing())
    assert twice.result == [(1, None, "x")]


async def test_queries_see_what_their_transaction_has_gathered(db: Database) -> None:
    async with db.transaction() as tx:
        await tx.begin()
        await tx.run("CREATE TEMPORARY TABLE shelves (name text) ON COMMIT DROP")
        await tx.write("INSERT INTO shelves VALUES ($1)", "upper")
        shelves = Read(rows_of, "SELECT name FROM shelves")
        await tx.read(shelves, listing())
    assert shelves.result == [("upper",)]


@given(st.lists(st.integers(0, 4), min_size=1, max_size=6))
def test_parameters_are_numbered_one_after_the_other(counts: list[int]) -> None:
    queries = tuple("SELECT " + ", ".join(f"${n + 1}" for n in range(count)) for count in counts)
    combined = combine(queries)
    expected = [f"${n + 1}" for n in range(sum(counts))]
    assert [word.strip(",)") for word in combined.split() if word.startswith("$")] == expected
