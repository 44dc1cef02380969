"""A process of `--processes N` that runs and does not answer is ended; another takes its slot."""

import asyncio
import os
import signal
from collections.abc import Collection, Container, Mapping
from contextlib import suppress
from datetime import timedelta

import structlog

from tidings import limits

from .operator import ProcessGroup

log = structlog.get_logger()

CHECKS = 6  # missed in a row: it hangs
TRACEBACK_SECONDS = 2.0


class MissedChecks:
    """How many checks in a row each process has not answered.

    Counted in checks and not in time: a supervisor that was itself held up for a minute has learnt
    nothing about its processes. One that never answered anybody is starting, however long it takes.
    """

    def __init__(self) -> None:
        self._missed: dict[int, int] = {}  # by process id

    def record(
        self, running: Mapping[int, int], failing: Collection[int], answered: Container[int]
    ) -> dict[int, int]:
        """After a check of `running`, process ids by slot: those of them that hang. `answered`:
        processes that have answered before, a check or another question."""
        before, self._missed = self._missed, {}
        for slot, process in running.items():
            if slot not in failing:
                self._missed[process] = 0
            elif process in answered:
                self._missed[process] = before.get(process, 0) + 1
        return {
            slot: process
            for slot, process in running.items()
            if self._missed.get(process, 0) >= CHECKS
        }


async def end_hung(group: ProcessGroup, longest: timedelta, stopping: asyncio.Event) -> None:
    """Until `stopping`, when processes may be as slow as what they finish. `longest`: about the
    time that a process may be silent. A check of one that is takes a while itself."""
    missed, rest = MissedChecks(), longest / CHECKS - limits.PROCESS_ANSWER_MAX
    while not await _happened(stopping, rest.total_seconds()):
        running = dict(group.running)
        failing = await group.find_failing("/livez")
        hanging = missed.record(running, failing, group.answered)
        await asyncio.gather(*(_end(group, slot, hanging[slot]) for slot in hanging))


async def _end(group: ProcessGroup, slot: int, process: int) -> None:
    log.error("process.hung", slot=slot, child=process)
    # Python's own handler of SIGABRT writes where each of its threads is (PYTHONFAULTHANDLER).
    for number in (signal.SIGABRT, signal.SIGKILL):
        if group.running.get(slot) == process:
            with suppress(ProcessLookupError):
                os.kill(process, number)
            await asyncio.sleep(TRACEBACK_SECONDS)


async def _happened(event: asyncio.Event, within: float) -> bool:
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), within)
    return event.is_set()
