"""How much memory a process takes while full loops go round, sampled every second."""

import threading
from typing import Any

from bench.bars import grows
from bench.loops import tidings
from bench.loops.processor import resident_mb
from bench.loops.programs import on_all_cores

CONNECTIONS = 32


def measure(seconds: float) -> dict[str, Any]:
    with on_all_cores(), tidings.running(tidings.SPLITS["1"]) as round_:
        sampler = _Sampler(round_)
        sampler.start()
        load = round_.drive("text", seconds, CONNECTIONS)
        samples = sampler.end()
        found = round_.figures(load, "text")
    return {
        "seconds": seconds, "mostMb": max(samples), "growth": grows(samples), "samples": samples,
        "loops": found["loops"],
    }  # fmt: skip


class _Sampler(threading.Thread):
    """Of the service's largest process."""

    def __init__(self, round_: tidings.Round) -> None:
        super().__init__(daemon=True)
        self._round = round_
        self._samples: list[float] = []
        self._ended = threading.Event()

    def run(self) -> None:
        while not self._ended.wait(1):
            self._samples.append(round(max(map(resident_mb, self._round.processes())), 1))

    def end(self) -> list[float]:
        self._ended.set()
        self.join()
        return self._samples
