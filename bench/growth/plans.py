"""What the planner does with the statements that a service really sends: those that read a growing
table whole are offenders.

    with TestService(recorder.dsn(dsn), ...): ...          # every statement is noted
    offenders = asyncio.run(recorder.offenders(dsn))
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import asyncpg

from tidings.engine.db import connections

Plan = dict[str, Any]
Dsn = Mapping[str, Any]

KEPT = 3  # of one statement, with different values
VERBS = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "MERGE")
GENERIC = "force_generic_plan"
INDEX_SCANS = ("Index Scan", "Index Only Scan", "Bitmap Index Scan")
# Partitions with rows: what is read of an empty one, months ahead for example, does not matter.
_PARENTS = """
    SELECT i.inhrelid::regclass::text AS child, i.inhparent::regclass::text AS parent
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE c.relkind = 'r' AND pg_relation_size(c.oid) > 0
"""


@dataclass(frozen=True, slots=True)
class Session:
    """The settings of the planner: of the connection, and of the transaction (SET LOCAL)."""

    settings: str  # JSON
    local: tuple[str, ...] = ()


class Recorder:
    """Notes each statement with some of its values and its session."""

    def __init__(self) -> None:
        self.statements: dict[tuple[str, Session], list[tuple[Any, ...]]] = {}

    def dsn(self, dsn: Dsn) -> dict[str, Any]:
        """Connections made with it are listened to."""
        recorder = self

        class Recorded(connections.Session):
            def __init__(self, *args: Any, **kwargs: Any) -> None:
                super().__init__(*args, **kwargs)
                self.add_query_logger(recorder.listener())

        return {**dsn, "connection_class": Recorded}

    def listener(self) -> Callable[[Any], None]:
        """For one connection."""
        local: list[str] = []

        def note(logged: Any) -> None:
            query = logged.query.lstrip(" \n(").upper()
            if query.startswith(("BEGIN", "COMMIT", "ROLLBACK")):
                local.clear()
            elif query.startswith("SET LOCAL"):
                local.append(logged.query)
            elif query.startswith(VERBS):
                settings = json.dumps(logged.conn_params.server_settings or {}, sort_keys=True)
                self._keep(logged.query, Session(settings, tuple(local)), logged.args)

        return note

    def _keep(self, query: str, session: Session, args: tuple[Any, ...]) -> None:
        kept = self.statements.setdefault((query, session), [])
        if len(kept) < KEPT:
            kept.append(args)

    async def offenders(
        self, dsn: Dsn, growing: Iterable[str], more: Mapping[str, str] | None = None
    ) -> dict[str, list[str]]:
        """Statements, each with what it reads whole. `more` settings are the planner's."""
        found: dict[str, list[str]] = {}
        for session in {session for _, session in self.statements}:
            wanted = {**json.loads(session.settings), **(more or {})}
            connection = await asyncpg.connect(**dsn, server_settings=wanted)
            parents = {row["child"]: row["parent"] for row in await connection.fetch(_PARENTS)}
            for (query, under), values in list(self.statements.items()):
                for args in values if under == session else ():
                    plan = await _explain(connection, session.local, query, args)
                    if whole := sorted(set(read_whole(plan, frozenset(growing), parents))):
                        found[query] = whole
            await connection.close()
        return found


async def _explain(
    connection: Any, local: Iterable[str], query: str, args: tuple[Any, ...]
) -> Plan:
    """Nothing is executed. A statement whose table is gone by now has no plan."""
    await connection.execute("BEGIN")
    try:
        for setting in local:
            await connection.execute(setting)
        plan: Plan = json.loads(await _plan(connection, query, args))[0]["Plan"]
        return plan
    except asyncpg.UndefinedTableError:
        return {}
    finally:
        await connection.execute("ROLLBACK")


async def _plan(connection: Any, query: str, args: tuple[Any, ...]) -> Any:
    """With these values, or without any where the session plans a statement once for all."""
    if await connection.fetchval("SHOW plan_cache_mode") != GENERIC or not args:
        return await connection.fetchval(f"EXPLAIN (FORMAT JSON) {query}", *args)
    # No value is known: so no partition is left out.
    await connection.execute("SET LOCAL enable_partition_pruning = off")
    await connection.execute(f"PREPARE planned AS {query}")
    try:
        nothing = ", ".join("NULL" for _ in args)
        return await connection.fetchval(f"EXPLAIN (FORMAT JSON) EXECUTE planned ({nothing})")
    finally:
        await connection.execute("DEALLOCATE planned")


def read_whole(
    plan: Plan, growing: frozenset[str], parents: Mapping[str, str], *, limited: bool = False
) -> Iterator[str]:
    """What a plan reads from its beginning to its end. Pure.

    A sequential scan does; so does a scan of an index without a condition, unless a LIMIT ends it.
    """
    kind = plan.get("Node Type", "")
    relation = plan.get("Relation Name") or _table_of_index(plan, growing)
    table = parents.get(relation, relation)
    limited = limited or kind == "Limit"
    if table in growing:
        if kind == "Seq Scan":
            yield f"sequential scan of {relation}"
        elif kind in INDEX_SCANS and "Index Cond" not in plan and not limited:
            yield f"whole index {plan['Index Name']} of {table}"
    for child in plan.get("Plans", ()):
        # What is sorted or summed up is read to its end, whatever is shown of it.
        passed_on = limited and kind not in ("Sort", "Aggregate", "Hash", "Materialize")
        yield from read_whole(child, growing, parents, limited=passed_on)


def _table_of_index(plan: Plan, growing: frozenset[str]) -> str:
    """A bitmap's index scan names no table; ours are named after it."""
    index = plan.get("Index Name", "")
    return max((table for table in growing if index.startswith(f"{table}_")), key=len, default="")
