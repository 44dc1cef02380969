"""How tables age under load: dead rows and the size of indexes, sampled while full loops go round.

python -m bench --only vacuum --minutes 60

A table ages well if both are flat: dead rows, and index bytes a row (a table that keeps its rows
grows with them; a queue's rows come and go, and its indexes must stay as they are).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.bars import grows
from bench.loops import tidings
from bench.loops.database import Watch
from bench.loops.programs import on_all_cores
from bench.loops.sampling import Sampler

CONNECTIONS = 32
SAMPLES = 60
ROWS_MIN = 1_000  # fewer rows are taken for so many: an empty queue's indexes have a size too
CHANGES_MIN = 1_000  # of a table that is shown

# Partitions are counted with their table.
_TABLES = """
    SELECT coalesce(pg_partition_root(relid), relid)::regclass::text AS name,
           sum(n_live_tup)::bigint AS live, sum(n_dead_tup)::bigint AS dead,
           sum(n_tup_upd + n_tup_del)::bigint AS changes,
           sum(pg_indexes_size(relid))::bigint AS index_bytes,
           sum(autovacuum_count)::bigint AS vacuums
      FROM pg_stat_user_tables GROUP BY 1
"""


@dataclass(frozen=True, slots=True)
class Sample:
    """Of one table at one time."""

    live: int
    dead: int
    changes: int  # updates and deletes so far
    index_bytes: int
    vacuums: int

    @property
    def index_bytes_a_row(self) -> float:
        return self.index_bytes / max(self.live, ROWS_MIN)


def measure(minutes: float) -> dict[str, Any]:
    seconds = minutes * 60
    with on_all_cores(), tidings.running(tidings.SPLITS["1"]) as round_:
        sampler = Sampler(lambda: _take(round_.watch), seconds / SAMPLES)
        sampler.start()
        load = round_.drive("text", seconds, CONNECTIONS)
        samples = sampler.end()
        loops = round_.figures(load, "text")["loops"]
    return {"minutes": minutes, "loops": loops, "tables": figures(samples)}


def figures(samples: Sequence[Mapping[str, Sample]]) -> dict[str, dict[str, float]]:
    """By table, those with the most changes first. Pure."""
    last = samples[-1]
    shown = [name for name, sample in last.items() if sample.changes >= CHANGES_MIN]
    return {
        name: _aging([one[name] for one in samples if name in one])
        for name in sorted(shown, key=lambda name: -last[name].changes)
    }


def _aging(samples: Sequence[Sample]) -> dict[str, float]:
    last = samples[-1]
    return {
        "rows": last.live,
        "changes": last.changes,
        "vacuums": last.vacuums,
        "dead": last.dead,
        "deadMost": max(one.dead for one in samples),
        "deadGrowth": grows([float(max(one.dead, ROWS_MIN)) for one in samples]),
        "indexMb": round(last.index_bytes / 2**20, 1),
        "indexBytesARow": round(last.index_bytes_a_row),
        "indexGrowth": grows([one.index_bytes_a_row for one in samples]),
    }


def _take(watch: Watch) -> dict[str, Sample]:
    return {name: Sample(*values) for name, *values in watch.rows(_TABLES)}
