"""Monthly partitions: made ahead, with their storage parameters, and never in the way of a row."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings import ids
from tidings.engine.db.partitions import (
    MONTHS_AHEAD,
    bound,
    create_ahead,
    load_tables,
    partition_name,
)
from tidings.engine.db.pool import Database
from tidings.ids import Month

PARTITIONED = {"charges", "lost_messages", "messages", "platform_ids", "webhooks"}
TIMES = st.datetimes(datetime(1971, 1, 1), datetime(2999, 1, 1), timezones=st.just(UTC))
INSERT = "INSERT INTO platform_ids (account_id, platform_id, message_id) VALUES ($1, $2, $3)"


@given(TIMES)
def test_an_id_lies_within_the_bounds_of_its_month(at: datetime) -> None:
    month, made = Month.of(at), ids.first_id(at)
    low, high = month.begins_at, month.later(1).begins_at
    assert ids.first_id(low) <= made < ids.first_id(high)
    assert bound("text", low) <= "whk_" + made.hex < bound("text", high)


@given(TIMES, st.integers(0, 500))
def test_months_follow_each_other_without_a_gap(at: datetime, months: int) -> None:
    month = Month.of(at)
    assert month.later(months).later(1) == month.later(months + 1)
    assert timedelta(days=28) <= month.later(1).begins_at - month.begins_at <= timedelta(days=31)


async def test_a_new_database_has_this_month_and_the_next_ones(db: Database) -> None:
    connection = await db.dedicated()
    try:
        tables = {table.name: table for table in await load_tables(connection)}
        assert set(tables) == PARTITIONED
        month = Month.of(await connection.fetchval("SELECT now()"))
        for name, table in tables.items():
            wanted = {partition_name(name, month.later(n)) for n in range(MONTHS_AHEAD + 1)}
            assert set(table.partitions) == wanted | {f"{name}_default"}
        assert await create_ahead(connection) == []
    finally:
        await connection.close()


async def test_new_partitions_take_the_storage_parameters_and_indexes_of_their_table(
    db: Database,
) -> None:
    await create(db, datetime(2031, 5, 20, tzinfo=UTC))
    rows = await db.rows(
        """
        SELECT i.inhparent::regclass::text AS name, c.reloptions AS options,
               (SELECT count(*) FROM pg_index x WHERE x.indrelid = c.oid) AS indexes
          FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE c.relkind = 'r'
        """
    )
    found = {(row["name"], tuple(row["options"] or ()), row["indexes"]) for row in rows}
    assert {name for name, _, _ in found} == PARTITIONED
    assert len(found) == len(PARTITIONED), found
    assert all(options for _, options, _ in found), found


async def test_a_row_of_any_time_is_taken_and_goes_to_its_month(db: Database) -> None:
    await create(db, datetime(2031, 5, 20, tzinfo=UTC))
    account = uuid4()
    for at in ("1999-12-31", "2031-04-30", "2031-05-01", "2031-06-30", "2031-08-01"):
        made = ids.first_id(datetime.fromisoformat(f"{at}T23:59:59+00:00"))
        await db.rows(INSERT, account, at, made)
    rows = await db.rows(
        "SELECT platform_id AS at, tableoid::regclass::text AS t FROM platform_ids"
    )
    assert {row["at"]: row["t"].removeprefix("platform_ids_") for row in rows} == {
        "1999-12-31": "default",
        "2031-04-30": "default",
        "2031-05-01": "2031_05",
        "2031-06-30": "2031_06",
        "2031-08-01": "default",
    }


async def test_a_month_that_is_in_the_default_partition_stays_there(db: Database) -> None:
    """Nobody made partitions for months: rows are neither lost nor refused, and later months get
    partitions again."""
    at = datetime(2031, 5, 20, tzinfo=UTC)
    await db.rows(INSERT, uuid4(), "late", ids.first_id(at))
    made = await create(db, at)
    assert "platform_ids_2031_05" not in made
    assert {"platform_ids_2031_06", "messages_2031_05"} <= set(made)
    assert await db.value("SELECT count(*) FROM platform_ids") == 1


async def test_several_processes_make_each_partition_once(db: Database) -> None:
    at = datetime(2031, 5, 20, tzinfo=UTC)
    made = await asyncio.gather(*(create(db, at) for _ in range(4)))
    names = [name for each in made for name in each]
    assert len(names) == len(set(names)) == len(PARTITIONED) * (MONTHS_AHEAD + 1)


@pytest.mark.parametrize("table", sorted(PARTITIONED))
async def test_only_the_partitions_of_a_span_are_opened(db: Database, table: str) -> None:
    """By a generic plan, as every statement of the service has one."""
    await create(db, datetime(2031, 5, 20, tzinfo=UTC))
    connection = await db.dedicated()
    try:
        [found] = [each for each in await load_tables(connection) if each.name == table]
        at = datetime(2031, 6, 3, tzinfo=UTC)
        low, high = (bound(found.type, each) for each in (at, at + timedelta(hours=1)))
        await connection.execute(
            f"""
            SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off;
            PREPARE find (uuid[], {found.type}[], {found.type}, {found.type}) AS
            SELECT t.* FROM unnest($1, $2) AS k (account_id, id)
              JOIN {table} t ON t.account_id = k.account_id AND t.{found.key} = k.id
             WHERE t.{found.key} BETWEEN $3 AND $4
            """
        )
        plan = await connection.fetch(
            f"EXPLAIN EXECUTE find ('{{{uuid4()}}}', '{{{low}}}', '{low}', '{high}')"
        )
        text = "\n".join(row[0] for row in plan)
        assert f"{table}_2031_06" in text
        assert f"{table}_2031_05" not in text and f"{table}_default" not in text, text
        assert "Subplans Removed" in text, text
    finally:
        await connection.close()


async def create(db: Database, at: datetime) -> list[str]:
    connection = await db.dedicated()
    try:
        return await create_ahead(connection, at)
    finally:
        await connection.close()
