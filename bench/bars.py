"""The measures that a version must reach, and what a run's figures say about each. Pure.

`make bench` prints one row per bar and fails if one does not reach its "at least". A value that was
not measured, because a peer is not installed or the section was not asked for, is no failure.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

Figures = dict[str, Any]  # what `python -m bench --json` prints

NO_PEER = "not installed: make bench-peers"
NOT_MEASURED = "not measured"
FLAT = 1.05  # how much memory may grow from the middle of a load to its end


@dataclass(frozen=True, slots=True)
class Bar:
    measure: str
    path: str  # into the figures, by dots
    at_least: float
    goal: float
    unit: str = ""
    lower_is_better: bool = False
    needs: str = ""  # path of the peer's own figure; if it is absent, the peer is not installed

    def reaches(self, value: float, wanted: float) -> bool:
        return value <= wanted if self.lower_is_better else value >= wanted


@dataclass(frozen=True, slots=True)
class Row:
    measure: str
    today: str
    at_least: str
    goal: str
    met: str  # yes, goal, missed; empty: not measured


def _lower(measure: str, path: str, at_least: float, goal: float, unit: str = "") -> Bar:
    return Bar(measure, path, at_least, goal, unit, lower_is_better=True)


KANNEL = {"unit": " x Kannel", "needs": "loops.kannel"}
SAQ = {"unit": " x SAQ", "needs": "dispatch.saq"}
BARS = (
    Bar("full loop, text, 32 connections, one process", "loops.text.ofKannel", 0.40, 0.6, **KANNEL),
    Bar("full loop, text, 64 connections, best split of processes", "loops.bestSplit.ofKannel",
        0.55, 1.0, **KANNEL),
    Bar("full loop, bulk of 100", "loops.bulk.ofKannel", 0.55, 1.2, **KANNEL),
    _lower("events that did not come, of all full loops", "loops.lost", 0, 0),
    Bar("dispatch from a backlog of 20,000", "dispatch.ofSaq", 1.5, 3, **SAQ),
    Bar("single sends, sandbox, durable, of a bare ASGI app", "ratio", 0.15, 0.20),
    Bar("grouped accepts", "grouped", 15_000, 20_000, "/s"),
    _lower("row operations a message", "loops.text.perMessage.rows", 14, 10),
    _lower("WAL records a message", "loops.text.perMessage.walRecords", 35, 25),
    _lower("commits a message", "loops.text.perMessage.commits", 0.3, 0.15),
    Bar("a second process where a core is free", "processes.ratio", 1.6, 1.9, " x"),
    _lower("memory of a process at full load", "memory.mostMb", 300, 300, " MB"),
    _lower("the same, its end over its middle", "memory.growth", FLAT, FLAT, " x"),
    _lower("`tidings serve` to first accepted message, existing data", "startup.seconds", 2, 1,
           " s"),
    _lower("claim with 11 million messages, beside an empty database", "growth.claim.ratio",
           1.25, 1.1, " x"),
    _lower("accept, the same", "growth.accept.ratio", 1.25, 1.1, " x"),
    _lower("status, the same", "growth.status.ratio", 1.25, 1.1, " x"),
    _lower("list, the same", "growth.list.ratio", 1.25, 1.1, " x"),
    _lower("statements that read a growing table whole", "growth.offenders", 0, 0),
)  # fmt: skip


def judge(figures: Figures, bars: Iterable[Bar] = BARS) -> list[Row]:
    """One row per bar; bars of sections that this run did not measure are left out."""
    return [_row(bar, figures) for bar in bars if bar.path.split(".")[0] in figures]


def missed(rows: Iterable[Row]) -> list[str]:
    return [row.measure for row in rows if row.met == "missed"]


def grows(samples: list[float]) -> float:
    """The largest of the last fifth over the largest of the third: a warm-up is not growth."""
    fifth = max(len(samples) // 5, 1)
    middle = samples[2 * fifth : 3 * fifth] or samples
    return round(max(samples[-fifth:]) / max(middle), 3)


def _written(bar: Bar, number: float) -> str:
    return f"{number:,g}{bar.unit}"


def _row(bar: Bar, figures: Figures) -> Row:
    value = _find(figures, bar.path)
    ends = _written(bar, bar.at_least), _written(bar, bar.goal)
    if value is None:
        absent = bar.needs and _find(figures, bar.needs) is None
        return Row(bar.measure, NO_PEER if absent else NOT_MEASURED, *ends, "")
    if bar.reaches(value, bar.goal):
        met = "goal"
    else:
        met = "yes" if bar.reaches(value, bar.at_least) else "missed"
    return Row(bar.measure, _written(bar, value), *ends, met)


def _find(figures: Figures, path: str) -> Any:
    found: Any = figures
    for name in path.split("."):
        found = found.get(name) if isinstance(found, dict) else None
    return found
