"""Try every mutant until a test fails or none is left.

A few child processes try one mutant after the other, so that a service that tests share starts once
for many of them. A test that fails is run again without the mutant: if it still fails, the process
has suffered from an earlier one, and a new process tries again.
"""

import json
import selectors
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest

from .apply import Functions, NotApplied
from .database import drop_databases
from .mapping import PURE, CoverageMap
from .mutants import Mutant
from .trial import Caught, Child, Outcomes, Say, fork, run_test

HANGS_AFTER = 25.0  # seconds, or three times what the test takes otherwise
SLOWER = 3
# What runs when a service starts, which processes do once: these mutants get one of their own.
AT_START = ("__init__", "__post_init__", "of", "open", "start")


class Fate(StrEnum):
    KILLED = "killed"
    TIMED_OUT = "timed out"
    SURVIVED = "survived"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a mutant."""

    mutant: Mutant
    fate: Fate
    test: str  # the one that noticed
    why: str  # what it said
    ran: int  # tests
    could: int  # tests that run the line


@dataclass(slots=True)
class _Process:
    """A child, and the trial under way in it."""

    child: Child
    number: int | None = None  # of the mutant
    is_new: bool = True
    test: str = ""
    began: float = 0.0
    ran: int = 0


@dataclass(slots=True)
class Hunt:
    """`tests_max`: a mutant that so many tests did not notice has survived."""

    items: dict[str, pytest.Item]
    outcomes: Outcomes
    coverage: CoverageMap
    functions: Functions
    dsn: dict[str, Any]
    killers: Path  # which test noticed a mutant the last time: it is tried first
    tests_max: int
    jobs: int
    _mutants: Sequence[Mutant] = ()
    _known: dict[str, str] = field(default_factory=dict)

    def run(self, mutants: Sequence[Mutant], seen: Callable[[Verdict], None]) -> list[Verdict]:
        if self.killers.exists():
            self._known = json.loads(self.killers.read_text())
        self._mutants = mutants
        verdicts = {}
        try:
            for number, verdict in self._verdicts():
                verdicts[number] = verdict
                seen(verdict)
        finally:
            self._remember(verdicts.values())
        return [verdicts[number] for number in sorted(verdicts)]

    def _remember(self, verdicts: Iterable[Verdict]) -> None:
        """Which test noticed what; one that only hangs is not to be tried first."""
        known = json.loads(self.killers.read_text()) if self.killers.exists() else {}
        for verdict in verdicts:
            known.pop(verdict.mutant.name, None)
            if verdict.fate is Fate.KILLED:
                known[verdict.mutant.name] = verdict.test
        self.killers.parent.mkdir(exist_ok=True)
        self.killers.write_text(json.dumps(known, indent=0, sort_keys=True))

    def _verdicts(self) -> Iterator[tuple[int, Verdict]]:
        todo = list(range(len(self._mutants) - 1, -1, -1))
        processes: list[_Process] = []
        with selectors.DefaultSelector() as ready:

            def begin() -> None:
                process = _Process(fork(self._try_mutants))
                processes.append(process)
                ready.register(process.child.reading, selectors.EVENT_READ, process)

            def end(process: _Process) -> None:
                ready.unregister(process.child.reading)
                processes.remove(process)
                self._bury(process.child)

            while todo or any(process.number is not None for process in processes):
                while len(processes) < min(self.jobs, len(todo)):
                    begin()
                for process in [one for one in processes if one.number is None]:
                    while todo and not self._tests(self._mutants[todo[-1]]):
                        number = todo.pop()
                        yield number, self._unnoticed(number)
                    if not todo:
                        break
                    if self._needs_new(self._mutants[todo[-1]]) and not process.is_new:
                        end(process)
                        begin()
                        process = processes[-1]
                    self._give(process, todo.pop())
                for key, _ in ready.select(0.5):
                    for word in key.data.child.hear():
                        found = self._judge(key.data, word)
                        if found is not None:
                            assert key.data.number is not None
                            yield key.data.number, found
                            key.data.number = None
                        elif "again" in word:
                            todo.append(key.data.number)
                        if "end" in word or "again" in word:
                            key.data.number = None
                            end(key.data)
                            break
                for process in list(processes):
                    if process.number is not None and self._hangs(process):
                        yield process.number, self._verdict(process, Fate.TIMED_OUT, "it hangs")
                        end(process)
            for process in list(processes):
                end(process)

    # In the parent

    def _tests(self, mutant: Mutant) -> list[str]:
        tests = self.coverage.tests_of(mutant)
        known = self._known.get(mutant.name)
        if known in tests:
            tests.remove(known)
            tests.insert(0, known)
        return tests

    def _needs_new(self, mutant: Mutant) -> bool:
        return mutant.scope.rsplit(".")[-1] in AT_START and not self._is_pure(mutant)

    def _is_pure(self, mutant: Mutant) -> bool:
        return all(test.startswith(PURE) for test in self._tests(mutant))

    def _unnoticed(self, number: int) -> Verdict:
        return Verdict(self._mutants[number], Fate.SURVIVED, "", "no test runs it", 0, 0)

    def _give(self, process: _Process, number: int) -> None:
        process.number, process.test, process.ran = number, "", 0
        process.began = time.monotonic()
        process.child.tell(number)

    def _judge(self, process: _Process, word: dict[str, Any]) -> Verdict | None:
        if "error" in word:
            name = self._mutants[process.number].name if process.number is not None else ""
            raise SystemExit(f"{name}: {word['error']}")
        if "start" in word:
            process.test, process.began, process.is_new = word["start"], time.monotonic(), False
            process.ran += 1
        if "killed" in word:
            return self._verdict(process, Fate.KILLED, word["killed"])
        if "survived" in word:
            process.test = ""
            return self._verdict(process, Fate.SURVIVED, "")
        if "end" in word and process.number is not None:
            return self._verdict(process, Fate.KILLED, "the process ended")
        return None

    def _verdict(self, process: _Process, fate: Fate, why: str) -> Verdict:
        assert process.number is not None
        mutant = self._mutants[process.number]
        could = len(self.coverage.tests_of(mutant))
        return Verdict(mutant, fate, process.test, why, process.ran, could)

    def _hangs(self, process: _Process) -> bool:
        allowed = max(HANGS_AFTER, SLOWER * self.coverage.seconds.get(process.test, 0.0))
        return time.monotonic() - process.began > allowed

    def _bury(self, child: Child) -> None:
        child.kill()
        pid = child.pid
        fork(lambda say, _: drop_databases(self.dsn, pid)).wait()

    # In a child

    def _try_mutants(self, say: Say, orders: Iterator[int]) -> None:
        for count, number in enumerate(orders):
            self._try(self._mutants[number], say, is_first=count == 0)

    def _try(self, mutant: Mutant, say: Say, *, is_first: bool) -> None:
        tests = self.coverage.chosen(self._tests(mutant), self.tests_max)
        with Caught() as caught:
            self.functions.apply(mutant)
        if isinstance(caught.error, NotApplied):
            raise caught.error
        if caught.error is not None:
            say({"start": "(import)"})
            say({"killed": repr(caught.error)})
            self.functions.restore(mutant)
            return
        for test in tests:
            say({"start": test})
            failure = run_test(self.items[test], self.outcomes)
            if failure is not None:
                self.functions.restore(mutant)
                is_sure = is_first or test.startswith(PURE)
                is_sure = is_sure or run_test(self.items[test], self.outcomes) is None
                say({"killed": failure} if is_sure else {"again": True})
                return
        self.functions.restore(mutant)
        say({"survived": True})
