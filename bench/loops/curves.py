"""Loops a second over the messages that wait meanwhile, and over the processes that serve: what the
charts of docs/benchmarks.md are drawn from."""

import statistics
from typing import Any

from rich.progress import Progress

from bench.load import later
from bench.loops import tidings
from bench.loops.installation import Words
from bench.loops.programs import on_all_cores

WAITING = (0, 10_000, 100_000)
PROCESSES = (1, 2, 3, 4)
CONNECTIONS = 64


def measure(seconds: float, rounds: int) -> dict[str, Any]:
    waiting: dict[int, list[int]] = {count: [] for count in WAITING}
    processes: dict[int, list[int]] = {count: [] for count in PROCESSES}
    with on_all_cores(), Progress(transient=True) as progress:
        task = progress.add_task("curves", total=rounds * (len(WAITING) + len(PROCESSES)))
        for _ in range(rounds):
            for count, series in waiting.items():
                series.append(_loops(seconds, tidings.SPLITS["1"], count))
                progress.advance(task)
            for count, series in processes.items():
                series.append(_loops(seconds, [["--processes", str(count)]], 0))
                progress.advance(task)
    return {"waiting": _points(waiting), "processes": _points(processes)}


def _loops(seconds: float, split: list[Words], waiting: int) -> int:
    with tidings.running(split) as round_:
        tidings.post_batches(round_.port, waiting, scheduled_for=later())
        load = round_.drive("text", seconds, CONNECTIONS)
        loops: int = round_.figures(load, "text")["loops"]
        return loops


def _points(series: dict[int, list[int]]) -> list[tuple[int, float]]:
    return [(count, statistics.median(rounds)) for count, rounds in series.items()]
