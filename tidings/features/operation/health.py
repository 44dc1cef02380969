"""How the installation does: queues, rates, latency, processes, and what the platform refuses."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.engine.queue import stats
from tidings.features.senders.lookup import FaultyNumber, load_faulty_numbers

from . import health_store
from .health_record import GONE_AFTER

WINDOW = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
FAULTS_SHOWN_MAX = 100
LATENCY = "latency."


@dataclass(frozen=True, slots=True)
class Queue:
    """A pool: how much is due now, counted up to a maximum, and how long the oldest has waited."""

    pool: str
    due: int
    is_more: bool  # than was counted
    oldest: timedelta


@dataclass(frozen=True, slots=True)
class Process:
    host: str
    pid: int
    roles: str
    started_at: datetime
    seen_at: datetime
    is_missing: bool


@dataclass(frozen=True, slots=True)
class Minutes:
    """The last hour by the minute. `values[name][i]` is that of `times[i]`."""

    times: list[datetime]
    values: Mapping[str, list[int]]

    def series(self, name: str) -> list[int]:
        return self.values.get(name, [0] * len(self.times))

    def sum_of(self, prefix: str) -> list[int]:
        """All names that begin so, added up."""
        found = [values for name, values in self.values.items() if name.startswith(prefix)]
        return [sum(one) for one in zip(*found, strict=True)] or [0] * len(self.times)

    def latency(self, share: float) -> list[float | None]:
        """Milliseconds within which this share of requests was answered; None without any."""
        bounds = {
            float(name.removeprefix(LATENCY)): values
            for name, values in self.values.items()
            if name.startswith(LATENCY)
        }
        return [
            quantile({bound: values[at] for bound, values in bounds.items()}, share)
            for at in range(len(self.times))
        ]


@dataclass(frozen=True, slots=True)
class Health:
    queues: list[Queue]
    minutes: Minutes
    processes: list[Process]
    faults: list[FaultyNumber]


async def load_health(tx: Tx, pools: Sequence[str]) -> Health:
    since = tx.now.replace(second=0, microsecond=0) - WINDOW + MINUTE
    rows = await health_store.load(tx, since)
    counted = await stats.count_due(tx, pools, limits.HEALTH_COUNT_MAX)
    ages = await stats.oldest_due(tx, pools)
    processes = await health_store.load_processes(tx, tx.now - WINDOW)
    return Health(
        queues=[
            Queue(
                pool,
                min(counted[pool], limits.HEALTH_COUNT_MAX),
                counted[pool] > limits.HEALTH_COUNT_MAX,
                ages.get(pool, timedelta(0)),
            )
            for pool in pools
        ],
        minutes=_minutes(since, ((row["minute"], row["name"], row["value"]) for row in rows)),
        processes=[
            Process(**row, is_missing=row["seen_at"] < tx.now - GONE_AFTER) for row in processes
        ],
        faults=await load_faulty_numbers(tx, FAULTS_SHOWN_MAX),
    )


def _minutes(since: datetime, rows: Iterable[tuple[datetime, str, int]]) -> Minutes:
    times = [since + MINUTE * at for at in range(WINDOW // MINUTE)]
    values: dict[str, list[int]] = {}
    for minute, name, value in rows:
        at = (minute - since) // MINUTE
        if 0 <= at < len(times):
            values.setdefault(name, [0] * len(times))[at] += value
    return Minutes(times, values)


def quantile(cumulative: Mapping[float, int], share: float) -> float | None:
    """Milliseconds, interpolated within the bucket, as Prometheus does it. Pure."""
    bounds = sorted(cumulative)
    total = cumulative[bounds[-1]] if bounds else 0
    if not total:
        return None
    wanted, lower, below = share * total, 0.0, 0
    for bound in bounds:
        here = cumulative[bound]
        if here >= wanted:
            if bound == float("inf"):
                return lower * 1000
            part = (wanted - below) / (here - below) if here > below else 1.0
            return (lower + (bound - lower) * part) * 1000
        lower, below = bound, here
    return lower * 1000
