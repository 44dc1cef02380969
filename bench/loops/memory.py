"""How much memory a process takes while full loops go round, sampled every second."""

from typing import Any

from bench.bars import grows
from bench.loops import tidings
from bench.loops.processor import resident_mb
from bench.loops.programs import on_all_cores
from bench.loops.sampling import Sampler

CONNECTIONS = 32
EVERY_SECONDS = 1.0


def measure(seconds: float) -> dict[str, Any]:
    with on_all_cores(), tidings.running(tidings.SPLITS["1"]) as round_:
        sampler = Sampler(lambda: _largest_mb(round_), EVERY_SECONDS)
        sampler.start()
        load = round_.drive("text", seconds, CONNECTIONS)
        samples = sampler.end()
        found = round_.figures(load, "text")
    return {
        "seconds": seconds, "mostMb": max(samples), "growth": grows(samples), "samples": samples,
        "loops": found["loops"],
    }  # fmt: skip


def _largest_mb(round_: tidings.Round) -> float:
    """Of the service's largest process."""
    return round(max(map(resident_mb, round_.processes())), 1)
