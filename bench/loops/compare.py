"""The full loop beside Kannel, in turns: ratios of the medians of all rounds."""

import statistics
from collections.abc import Callable
from functools import partial
from typing import Any

from rich.progress import Progress

from bench.loops import kannel, tidings
from bench.loops.programs import on_all_cores

Round = Callable[[], dict[str, Any]]
CONNECTIONS, MANY = 32, 64
MEDIANS = ("loops", "p50ms", "p99ms", "serviceUs", "postgresUs")


def measure(seconds: float, rounds: int) -> dict[str, Any]:
    series: dict[str, list[dict[str, Any]]] = {}
    with on_all_cores(), Progress(transient=True) as progress:
        todo = _series(seconds)
        task = progress.add_task("full loops", total=rounds * len(todo))
        for _ in range(rounds):
            for name, run in todo.items():
                series.setdefault(name, []).append(run())
                progress.advance(task)
    return summarise(series)


def _series(seconds: float) -> dict[str, Round]:
    found: dict[str, Round] = {}
    if kannel.is_installed():
        found["kannel"] = partial(kannel.full_loop, seconds)
    found["text"] = partial(tidings.full_loop, "text", seconds, CONNECTIONS, tidings.SPLITS["1"])
    for name, split in tidings.SPLITS.items():
        found[f"split {name}"] = partial(tidings.full_loop, "text", seconds, MANY, split)
    found["bulk"] = partial(tidings.full_loop, "bulk", seconds, CONNECTIONS, tidings.SPLITS["1"])
    return found


def summarise(series: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """Medians of each series, and ratios to Kannel's where it ran. Pure."""
    found: dict[str, Any] = {name: _medians(rounds) for name, rounds in series.items()}
    splits = {name: row["loops"] for name, row in found.items() if name.startswith("split ")}
    if splits:
        best = max(splits, key=splits.__getitem__)
        found["bestSplit"] = {"name": best.removeprefix("split "), "loops": splits[best]}
    if bar := found.get("kannel", {}).get("loops"):
        for name in ("text", "bulk", "bestSplit"):
            if name in found:
                found[name]["ofKannel"] = round(found[name]["loops"] / bar, 3)
    found["lost"] = sum(
        row["lost"] for rounds in series.values() for row in rounds if "lost" in row
    )
    return found


def _medians(rounds: list[dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {
        name: statistics.median(row[name] for row in rounds)
        for name in MEDIANS
        if name in rounds[0]
    }
    if "perMessage" in rounds[0]:
        found["perMessage"] = {
            name: statistics.median(row["perMessage"][name] for row in rounds)
            for name in rounds[0]["perMessage"]
        }
    return found | {"rounds": rounds}
