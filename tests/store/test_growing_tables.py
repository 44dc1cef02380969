"""No statement that the service, its portal or its workers send reads a growing table whole.

`make bench ARGS="--only growth"` asks the same with ten million messages and the planner's own
choice. Here 20,000 do, and sequential scans are priced out of the planner's choice:
what is left of them had no index to use.
"""

from collections.abc import Iterator

import asyncpg
import pytest

from bench.growth import doctor, measure
from bench.growth.plans import Plan, Recorder, read_whole
from bench.growth.rows import GROWING
from bench.growth.world import World, world

FINISHED, WAITING, TENANTS = 20_000, 300, 3
TABLES = frozenset({"messages", "webhooks"})


@pytest.fixture(scope="module")
def grown() -> Iterator[World]:
    with world(TENANTS, FINISHED, WAITING) as made:
        yield made


@pytest.mark.anyio
async def test_the_data_set_has_what_it_promises(grown: World) -> None:
    connection = await asyncpg.connect(**grown.dsn)
    for table, least in (("messages", 20_300), ("charges", 40_300), ("platform_ids", 20_000),
                         ("webhooks", 8_000), ("jobs", 300)):  # fmt: skip
        assert await connection.fetchval(f"SELECT count(*) FROM {table}") >= least, table
    accounts = await connection.fetchval("SELECT count(DISTINCT account_id) FROM messages")
    await connection.close()
    assert accounts > TENANTS


@pytest.mark.anyio
async def test_its_rows_keep_all_invariants(grown: World) -> None:
    report, _ = await doctor.ask(grown.dsn)
    assert report.broken == []


def test_what_is_measured_does_its_work_in_the_tables_that_have_grown(grown: World) -> None:
    def count(condition: str) -> int:
        [row] = grown.service.sql(f"SELECT count(*) AS n FROM messages WHERE {condition}")
        found: int = row["n"]
        return found

    acts = measure.acts(grown, rounds=0)
    of_tenant = f"account_id = '{grown.tenant.id}'"
    before = count(of_tenant)
    acts["accept"]()
    assert count(of_tenant) == before + measure.BULK
    acts["status"]()
    assert count(f"account_id = '{grown.live.id}' AND status = 'delivered'") == 1
    assert grown.service.sql("SELECT FROM messages_default") == []  # it does not grow


def test_every_statement_finds_its_rows_by_an_index(grown: World) -> None:
    found = measure.check_plans(grown, {"enable_seqscan": "off"}, work_seconds=3)  # of workers
    assert found["statements"] > 200
    said = [f"{', '.join(why)}:\n{query}" for query, why in found["offending"].items()]
    assert not said, "\n\n".join(said)


@pytest.mark.anyio
async def test_a_statement_without_an_index_is_an_offender(grown: World) -> None:
    recorder = Recorder()
    connection = await asyncpg.connect(**recorder.dsn(grown.dsn))
    await connection.fetch("SELECT id FROM messages WHERE recipient_given = $1", "972500000000")
    await connection.fetch("SELECT id FROM messages WHERE account_id = $1 LIMIT 1", grown.tenant.id)
    await connection.close()
    settings = {"enable_seqscan": "off"}
    found = await recorder.offenders(grown.dsn, GROWING, settings)
    assert [query for query in found if "recipient_given" not in query] == []
    assert len(found) == 1


def scan(kind: str, **more: object) -> Plan:
    return {"Node Type": kind, "Relation Name": "messages", **more}


def limited(*plans: Plan, kind: str = "Limit") -> Plan:
    return {"Node Type": kind, "Plans": list(plans)}


WHOLE_INDEX = scan("Index Scan", **{"Index Name": "messages_pkey"})
PARTITION = {"messages_2026_11": "messages"}


@pytest.mark.parametrize(
    ("plan", "offends"),
    [
        (scan("Seq Scan"), True),
        (limited(scan("Seq Scan")), True),  # a filter may pass over millions to find one
        (scan("Seq Scan") | {"Relation Name": "accounts"}, False),
        (scan("Seq Scan") | {"Relation Name": "messages_2026_11"}, True),
        (WHOLE_INDEX, True),
        (limited(WHOLE_INDEX), False),
        (limited(limited(WHOLE_INDEX, kind="Sort")), True),  # sorted: read to its end first
        (WHOLE_INDEX | {"Index Cond": "(account_id = $1)"}, False),
        ({"Node Type": "Bitmap Index Scan", "Index Name": "webhooks_failed"}, True),
    ],
)  # fmt: skip
def test_what_reads_a_table_whole(plan: Plan, offends: bool) -> None:
    assert bool(list(read_whole(plan, TABLES, PARTITION))) is offends
