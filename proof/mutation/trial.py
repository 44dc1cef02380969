"""One forked process that runs some tests: as they are, noting lines, or with a mutant in place.

It says through a pipe which test it has started and what became of it, a JSON object a line; its
parent kills it where a test takes too long.
"""

import atexit
import json
import os
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

import pytest

Say = Callable[[dict[str, Any]], None]
EXPLANATION_MAX = 160


@dataclass(slots=True)
class Child:
    """A process of trials: what it says is read here, what it is to do is written."""

    pid: int
    reading: int
    writing: int
    buffer: bytes = b""

    def hear(self) -> list[dict[str, Any]]:
        """What it has said since the last call; ended: `[{"end": true}]`."""
        data = os.read(self.reading, 1 << 20)
        if not data:
            return [{"end": True}]
        *lines, self.buffer = (self.buffer + data).split(b"\n")
        return [json.loads(line) for line in lines]

    def tell(self, number: int) -> None:
        os.write(self.writing, b"%d\n" % number)

    def kill(self) -> None:
        os.close(self.reading)
        os.close(self.writing)
        os.killpg(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)

    def wait(self) -> None:
        """Until it has done its work."""
        while not any("end" in word for word in self.hear()):
            pass
        os.close(self.reading)
        os.close(self.writing)
        os.waitpid(self.pid, 0)


class Caught:
    """Whatever ended the block: a mutant may raise anything."""

    error: BaseException | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        self.error = error
        return True


def fork(work: Callable[[Say, Iterator[int]], None]) -> Child:
    """Run `work` in a process of its own: with what it says to us, and what we tell it."""
    reading, said = os.pipe()
    told, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(said)
        os.close(told)
        return Child(pid, reading, writing)
    status = 1
    try:
        os.close(reading)
        os.close(writing)
        os.setsid()
        _be_quiet()

        def say(word: dict[str, Any]) -> None:
            os.write(said, json.dumps(word).encode() + b"\n")

        with Caught() as caught, os.fdopen(told) as orders:
            work(say, map(int, orders))
        if caught.error is not None:
            say({"error": "".join(traceback.format_exception(caught.error))[-2000:]})
        with suppress(BaseException):
            atexit._run_exitfuncs()
        status = 0
    finally:
        os._exit(status)


def _be_quiet() -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)


class Outcomes:
    """A plugin that remembers the first failure of the test that runs."""

    def __init__(self) -> None:
        self.failure: str | None = None

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and self.failure is None:
            crash = getattr(report.longrepr, "reprcrash", None)
            text = crash.message if crash is not None else str(report.longrepr)
            self.failure = f"{report.when}: {' '.join(text.split())}"[:EXPLANATION_MAX]


def run_test(item: pytest.Item, outcomes: Outcomes) -> str | None:
    """Run one test, whichever was run before; why it failed, if it did. The fixtures that it shares
    with other tests of its file stay."""
    outcomes.failure = None
    shared: Any = item.parent  # which stays set up
    with Caught() as caught:
        item.session._setupstate.teardown_exact(shared)
    if caught.error is not None:
        return f"teardown: {caught.error!r}"[:EXPLANATION_MAX]
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=shared)
    return outcomes.failure
