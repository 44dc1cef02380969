"""Flat or not: a line through the last two thirds of the samples. Pure.

The first third is a warm-up: caches fill, PostgreSQL's buffers too. `growth` is how much the line
rises from its beginning to its end, and is compared with a stated tolerance: a share of the level,
and never less than an absolute amount, below which a figure of a few is noise.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from proof.bounds.promises import Promise
from proof.bounds.soak.samples import Sample

PART = "soak"
RESIDENT_MAX = 600.0
HEALTH_MS_MAX = 200.0
WAL_KEPT_MAX = 1_100.0  # MB: max_wal_size of the embedded server and a segment more, which it fills


@dataclass(frozen=True, slots=True)
class Line:
    """Through points, by least squares."""

    level: float  # in the middle
    growth: float  # from the first point to the last

    @property
    def share(self) -> float:
        return self.growth / self.level if self.level else 0.0


@dataclass(frozen=True, slots=True)
class Watched:
    """What must stay flat."""

    text: str
    read: Callable[[Sample], float]
    share: float  # of its level, that it may rise by
    least: float  # and it may always rise by this
    unit: str = ""


WATCHED = (
    Watched("resident memory of the service", lambda s: s.service.resident, 0.05, 5, " MB"),
    Watched("private memory of the service", lambda s: s.service.private, 0.05, 5, " MB"),
    Watched("private memory of PostgreSQL", lambda s: s.database.private, 0.10, 10, " MB"),
    Watched("open files of the service", lambda s: s.service.files, 0.05, 5),
    Watched("threads of the service", lambda s: s.service.threads, 0.05, 3),
    Watched("processes of PostgreSQL", lambda s: s.database.threads, 0.05, 3),
    Watched("jobs that are ten seconds late", lambda s: s.late, 0.10, 20),
)


def fit(samples: Sequence[Sample], read: Callable[[Sample], float]) -> Line:
    points = [(sample.at, float(read(sample))) for sample in _settled(samples)]
    middle = sum(x for x, _ in points) / len(points)
    level = sum(y for _, y in points) / len(points)
    spread = sum((x - middle) ** 2 for x, _ in points)
    slope = sum((x - middle) * (y - level) for x, y in points) / spread if spread else 0.0
    return Line(level, slope * (points[-1][0] - points[0][0]))


def judge(samples: Sequence[Sample]) -> list[Promise]:
    """One line for each that must be flat."""
    found = []
    for one in WATCHED:
        line = fit(samples, one.read)
        allowed = max(one.share * line.level, one.least)
        text = f"{one.text}, {line.level:,.1f}{one.unit} on average: rise over the last two thirds"
        found.append(Promise(PART, text, round(line.growth, 2), round(allowed, 2), one.unit))
    return [*found, *_queues(samples), *_peaks(samples)]


def stored(samples: Sequence[Sample]) -> list[Promise]:
    """What is expected to grow: told, not judged."""
    first, last = _settled(samples)[0], samples[-1]
    messages = max(last.messages - first.messages, 1)
    hours = max(last.at - first.at, 1) / 3600
    written = last.wal_written - first.wal_written
    return [
        Promise(PART, "messages stored at the end", last.messages),
        Promise(PART, "database at the end", round(last.size / 1e6, 1), unit=" MB"),
        Promise(PART, "database, growth a message stored",
                round((last.size - first.size) / messages), unit=" bytes"),
        Promise(PART, "WAL written an hour", round(written / hours / 1e6, 1), unit=" MB"),
    ]  # fmt: skip


def _queues(samples: Sequence[Sample]) -> list[Promise]:
    """Dead rows of the tables whose rows come and go, beside the changes of ten minutes."""
    last = samples[-1].tables
    names = [name for name, one in last.items() if one.deleted > 1000 and one.live < one.deleted]
    found = []
    for name in sorted(names):
        line = fit(samples, lambda s, name=name: s.tables[name].dead if name in s.tables else 0)
        size = fit(
            samples,
            lambda s, name=name: (
                (s.tables[name].bytes + s.tables[name].index_bytes) / 1e6 if name in s.tables else 0
            ),
        )
        found += [
            Promise(PART, f"dead rows of {name}, {line.level:,.0f} on average: rise",
                    round(line.growth), max(round(line.level), 2000)),
            Promise(PART, f"size of {name} with indexes, {size.level:,.1f} MB on average: rise",
                    round(size.growth, 2), max(round(size.level * 0.25, 2), 4.0), " MB"),
        ]  # fmt: skip
    return found


def _peaks(samples: Sequence[Sample]) -> list[Promise]:
    return [
        Promise(PART, "largest process of the service, at most",
                round(max(s.largest for s in samples), 1), RESIDENT_MAX, " MB"),
        Promise(PART, "WAL that is kept, at most",
                round(max(s.wal_kept for s in samples) / 1e6, 1), WAL_KEPT_MAX, " MB"),
        Promise(PART, "oldest transaction seen, at most",
                round(max(s.oldest for s in samples), 1), 10, " s"),
    ]  # fmt: skip


def _settled(samples: Sequence[Sample]) -> Sequence[Sample]:
    return samples[len(samples) // 3 :]
