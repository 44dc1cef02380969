"""Lists travel as text: whatever is in them arrives intact (engine/db/arrays.py, bulk_rows.py)."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.clock import ManualClock
from tests.support.database import opened_database
from tidings.engine.db.arrays import literal, prepare
from tidings.engine.db.bulk_rows import BulkRows

WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
AWKWARD = st.sampled_from(
    ["", "null", "NULL", "{}", '"', "\\", '\\"', "a,b", " ", "\n\t\r", "é", "😀"]
)
MOMENTS = st.datetimes(datetime(1970, 1, 1), datetime(9998, 1, 1)).map(
    lambda naive: naive.replace(tzinfo=UTC)
)
VALUES = {
    "text": WORDS | AWKWARD,
    "uuid": st.uuids(),
    "timestamptz": MOMENTS,
    "interval": st.timedeltas(timedelta(-999), timedelta(999)),
    "bigint": st.integers(-(2**63), 2**63 - 1),
    "bool": st.booleans(),
    "date": st.dates(),
    "bytea": st.binary(),
}


@pytest.fixture(scope="module")
def read(dsn: Any):
    """The rows of a statement, on one connection for all examples."""
    with asyncio.Runner() as runner:
        opened = opened_database(dsn, ManualClock(), "jobs")
        db = runner.run(opened.__aenter__())
        yield lambda sql, *args: runner.run(db.transact(lambda tx: tx.rows(sql, *args)))
        runner.run(opened.__aexit__(None, None, None))


@pytest.mark.parametrize("kind", VALUES)
def test_a_list_arrives_as_it_was(read, kind: str) -> None:
    @settings(max_examples=60, deadline=None)
    @given(st.lists(st.none() | VALUES[kind], max_size=8))
    def arrives(values: list[Any]) -> None:
        rows = read(f"SELECT v FROM unnest($1::{kind}[]) WITH ORDINALITY AS u (v, n)", values)
        assert [row["v"] for row in rows] == values

    arrives()


def test_no_list_is_no_array(read) -> None:
    assert read("SELECT $1::text[] AS found", None)[0]["found"] is None
    assert read("SELECT $1::text[] AS found", [])[0]["found"] == []


def test_one_statement_takes_a_list_twice_and_a_plain_value_beside_it(read) -> None:
    sql = "SELECT $2::int AS n, cardinality($1::text[]) + cardinality($1::text[]) AS twice"
    assert tuple(read(sql, ["a", "b"], 7)[0]) == (7, 4)


def test_a_statement_without_lists_is_left_alone() -> None:
    assert prepare("SELECT $1::uuid", (1,)) == ("SELECT $1::uuid", (1,))
    assert prepare("SELECT $1::bytea[]", ([b"x"],)) == ("SELECT $1::bytea[]", ([b"x"],))


def test_what_is_written_is_postgresqls_own_notation() -> None:
    identity = UUID(int=7)
    assert literal(["a", None, 'b"']) == '{"a",null,"b\\""}'
    assert literal([identity]) == f'{{"{identity.hex}"}}'
    assert literal([True, False]) == "{true,false}"


class Note(msgspec.Struct, omit_defaults=True):
    text: str
    more: list[str] = []


@settings(max_examples=60, deadline=None)
@given(
    notes=st.lists(
        st.tuples(WORDS | AWKWARD, st.none() | WORDS.map(Note), st.booleans()), min_size=1
    )
)
def test_rows_arrive_whether_they_are_alike_or_not(read, notes) -> None:
    spread = BulkRows({"note": "jsonb", "flag": "bool"}, constant=("flag",))
    source, arguments = spread.source(
        {
            "name": [name for name, _, _ in notes],
            "note": [note for _, note, _ in notes],
            "flag": [flag for _, _, flag in notes],
        }
    )
    rows = read(f"SELECT v.name, v.note, v.flag FROM {source}", *arguments)
    decoded = [row["note"] and msgspec.json.decode(row["note"], type=Note) for row in rows]
    found = list(
        zip([row["name"] for row in rows], decoded, [r["flag"] for r in rows], strict=True)
    )
    assert found == notes
