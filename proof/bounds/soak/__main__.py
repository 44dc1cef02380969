"""`make soak MINUTES=60`: run the mix, take samples, say what grew.

Ends with 1 where something that must be flat is not, an answer was strange or an event is missing.
"""

import argparse
import asyncio
import json
import os
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.progress import Progress

from bench.loops.programs import drain
from bench.loops.sampling import Sampler
from proof.bounds.promises import Promise, as_json, exit_code, show
from proof.bounds.soak import samples as taken
from proof.bounds.soak import verdict
from proof.bounds.soak.mix import Mix, percentile, slices
from proof.bounds.soak.portal import Portal
from proof.bounds.soak.samples import Sample
from proof.bounds.soak.world import World, running

MINUTES_MAX = 24 * 60
DRAWN_EVERY_SECONDS = 1.0


def main(words: list[str]) -> int:
    asked = _read(words)
    with running() as world, (asked.samples or Path(os.devnull)).open("w") as kept:
        mix, samples = asyncio.run(_soak(world, asked.minutes * 60, asked.scale, kept))
        came = drain(world.sink, lambda found: found["delivered"] >= mix.accepted)
        breaches = world.breaches()
    promises = verdict.judge(samples) + verdict.stored(samples)
    promises += _answers(mix, samples, breaches, came)
    if asked.json:
        print(as_json(promises, strange=mix.strange, done=dict(mix.done), breaches=breaches))
    else:
        show(promises)
        for words_ in (*mix.strange, *breaches):
            print(words_, file=sys.stderr)
    return exit_code(promises)


async def _soak(
    world: World, seconds: float, scale: float, kept: TextIO
) -> tuple[Mix, list[Sample]]:
    portal = Portal(world.url)
    await portal.join(world.welcome())
    mix = Mix(world, portal)
    began = time.monotonic()
    sampler = Sampler(lambda: _take(world, began, kept), taken.EVERY_SECONDS)
    load = asyncio.create_task(mix.run(scale))
    sampler.start()
    with Progress(transient=True, console=_stderr()) as progress:
        task = progress.add_task("soak", total=seconds)
        while (spent := time.monotonic() - began) < seconds and not load.done():
            progress.update(task, completed=spent)
            await asyncio.sleep(DRAWN_EVERY_SECONDS)
    if load.done():
        load.result()  # it ends only by failing
    load.cancel()
    await asyncio.gather(load, return_exceptions=True)
    return mix, await asyncio.to_thread(sampler.end)


def _take(world: World, began: float, kept: TextIO) -> Sample:
    """Written at once: a run that is broken off leaves what it saw."""
    sample = taken.take(world, began)
    print(json.dumps(asdict(sample)), file=kept, flush=True)
    return sample


def _answers(
    mix: Mix, samples: list[Sample], breaches: list[str], came: dict[str, float]
) -> list[Promise]:
    """What the clients saw meanwhile."""
    seconds = samples[-1].at
    ms = [wait * 1000 for wait in mix.waits]
    found = [
        Promise("soak", "full loops a second", round(samples[-1].messages and
                came["delivered"] / seconds, 1), 5, at_least=True),
        Promise("soak", "/health, p50", round(percentile(ms, 0.5), 1), unit=" ms"),
        Promise("soak", "/health, p99", round(percentile(ms, 0.99), 1), verdict.HEALTH_MS_MAX,
                " ms"),
        Promise("soak", "answers and connections that were not as expected", mix.strange_count, 0),
        Promise("soak", "flows left out because too many were under way", mix.left_out, 0),
        Promise("soak", "invariants broken, by `tidings doctor`", len(breaches), 0),
    ]  # fmt: skip
    thirds = [1000 * percentile(part, 0.99) for part in slices(mix.sends, 3)]
    names = ("first", "second", "last")
    return found + [
        Promise("soak", f"a text sent, p99 of the {name} third", round(value, 1), unit=" ms")
        for name, value in zip(names, thirds, strict=True)
    ]


def _read(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m proof.bounds.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--scale", type=float, default=1.0, help="of all rates")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--samples", type=Path, help="file for all samples, a line each")
    asked = parser.parse_args(words)
    if not 0 < asked.minutes <= MINUTES_MAX:
        parser.error(f"--minutes must be at most {MINUTES_MAX}")
    return asked


def _stderr() -> Console:

    return Console(stderr=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
