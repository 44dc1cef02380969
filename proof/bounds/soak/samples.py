"""What is read every ten seconds: memory, files and threads of every process, and the database's
sizes, dead rows, queue and WAL."""

import time
from dataclasses import dataclass, field

from bench.loops.programs import figures_of
from proof.bounds.memory import Held, held, held_together
from proof.bounds.soak.world import World

EVERY_SECONDS = 10.0
# Partitions are counted with their table.
_TABLES = """
    SELECT coalesce(pg_partition_root(relid), relid)::regclass::text AS name,
           sum(n_live_tup)::bigint, sum(n_dead_tup)::bigint,
           sum(n_tup_ins + n_tup_upd + n_tup_del)::bigint,
           sum(n_tup_del)::bigint,
           sum(pg_table_size(relid))::bigint, sum(pg_indexes_size(relid))::bigint
      FROM pg_stat_user_tables GROUP BY 1
"""
_DATABASE = """
    SELECT (SELECT sum(size) FROM pg_ls_waldir())::bigint AS wal_kept,
           (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint AS wal_written,
           pg_database_size(current_database()) AS size,
           (SELECT count(*) FROM jobs) AS jobs,
           (SELECT count(*) FROM jobs WHERE due_at < now() - interval '10 seconds') AS late,
           (SELECT count(*) FROM messages) AS messages,
           (SELECT coalesce(max(extract(epoch FROM now() - xact_start)), 0)
              FROM pg_stat_activity WHERE datname = current_database())::float AS oldest
"""


@dataclass(frozen=True, slots=True)
class Table:
    live: int
    dead: int
    changes: int  # so far
    deleted: int  # so far
    bytes: int
    index_bytes: int


@dataclass(frozen=True, slots=True)
class Sample:
    at: float  # seconds since the load began
    service: Held
    largest: float  # resident MB of the service's largest process
    database: Held
    wal_kept: int
    wal_written: int
    size: int
    jobs: int
    late: int
    messages: int
    oldest: float
    webhooks: int
    tables: dict[str, Table] = field(default_factory=dict)


def take(world: World, began: float) -> Sample:
    processes = world.service()
    [row] = world.watch.rows(_DATABASE)
    return Sample(
        at=round(time.monotonic() - began, 1),
        service=held_together(processes),
        largest=max((held(pid).resident for pid in processes), default=0.0),
        database=held_together(world.database()),
        webhooks=figures_of(world.sink)["requests"],
        tables={name: Table(*values) for name, *values in world.watch.rows(_TABLES)},
        **dict(row),
    )
