"""Which tests run which lines: made by one run of all of them, and kept while nothing changes."""

import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from .mutants import Mutant
from .tracing import Tracer
from .trial import Outcomes, Say, fork, run_test

PURE_SECONDS = 20.0
PURE = ("tests/rules/", "tests/engine/")  # the other tests need a database
_ORDER = (*PURE, "tests/store/")


@dataclass(slots=True)
class CoverageMap:
    """`lines[test][path]` are the lines that a test runs, `seconds[test]` how long it takes."""

    lines: dict[str, dict[str, list[int]]]
    seconds: dict[str, float]
    failed: dict[str, str]  # tests that fail without any mutant: they are left out
    _slowest: dict[str, float] = field(default_factory=dict)  # test of each file

    def tests_of(self, mutant: Mutant) -> list[str]:
        """The tests that run it: those without a database first, then those of stores, each by
        time, to which a share of what their file's fixtures take is added; of a test with many
        parameters, one first. A statement of a module is run on import: the tests that run what
        uses it, if any does."""
        wanted = mutant.used or range(mutant.first, mutant.last + 1)
        is_anything = mutant.statement is not None and not mutant.used
        found = [
            test
            for test, paths in self.lines.items()
            if (lines := paths.get(mutant.path)) is not None
            and (is_anything or any(line in wanted for line in lines))
        ]
        found.sort(key=self._cost)
        times: Counter[str] = Counter()
        turn = {}
        for test in found:
            function = test.split("[")[0]
            turn[test] = times[function] if test.startswith(PURE) else times[function] // 2
            times[function] += 1
        return sorted(found, key=lambda test: (_tier(test), turn[test]))

    def chosen(self, tests: Sequence[str], most: int) -> list[str]:
        """Those of them to be tried: `most` that need a database, and as many of the others as take
        some seconds."""
        chosen, seconds, others = [], 0.0, 0
        for test in tests:
            if test.startswith(PURE):
                seconds += self.seconds[test]
                if seconds > PURE_SECONDS:
                    continue
            else:
                others += 1
                if others > most:
                    break
            chosen.append(test)
        return chosen

    def _cost(self, test: str) -> float:
        if not self._slowest:
            for one, seconds in self.seconds.items():
                file = one.split("::")[0]
                self._slowest[file] = max(seconds, self._slowest.get(file, 0.0))
        return self.seconds[test] + self._slowest[test.split("::")[0]] / 2


def _tier(test: str) -> int:
    """Rules, sockets, statements, services."""
    return next((n for n, path in enumerate(_ORDER) if test.startswith(path)), len(_ORDER))


def make_map(
    root: Path, paths: Sequence[str], items: dict[str, pytest.Item], outcomes: Outcomes, cache: Path
) -> CoverageMap:
    """Only the files of tests that changed are run, unless the program did."""
    made, missing = CoverageMap({}, {}, {}), {}
    common = _common(root, paths)
    files = {test.split("::")[0] for test in items}
    kept = {file: cache / "lines" / f"{_digest(common, root / file)}.json" for file in files}
    for test, item in items.items():
        if not kept[test.split("::")[0]].exists():
            missing[test] = item
    if missing:
        _keep(_trace(root, paths, missing, outcomes), kept)
    for path in kept.values():
        one = CoverageMap(**json.loads(path.read_text()))
        made.lines.update(one.lines)
        made.seconds.update(one.seconds)
        made.failed.update(one.failed)
    return made


def _keep(made: CoverageMap, kept: dict[str, Path]) -> None:
    """A file for each file of tests."""
    for file, path in kept.items():
        tests = {test for test in (*made.lines, *made.failed) if test.startswith(f"{file}::")}
        if tests:
            own = CoverageMap(
                {test: lines for test, lines in made.lines.items() if test in tests},
                {test: seconds for test, seconds in made.seconds.items() if test in tests},
                {test: failure for test, failure in made.failed.items() if test in tests},
            )
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(
                json.dumps({"lines": own.lines, "seconds": own.seconds, "failed": own.failed})
            )


def _common(root: Path, paths: Sequence[str]) -> bytes:
    """What every entry depends on: the program, and what tests share."""
    digest = hashlib.sha256("\n".join(paths).encode())
    shared = [*(root / "tests" / "support").rglob("*.py"), *(root / "tests").rglob("conftest.py")]
    for file in sorted([*(root / "tidings").rglob("*.py"), *shared]):
        digest.update(file.read_bytes())
    return digest.digest()


def _digest(common: bytes, file: Path) -> str:
    return hashlib.sha256(common + str(file).encode() + file.read_bytes()).hexdigest()[:24]


def _trace(
    root: Path, paths: Sequence[str], items: dict[str, pytest.Item], outcomes: Outcomes
) -> CoverageMap:
    files = {str(root / path): path for path in paths}
    made = CoverageMap({}, {}, {})

    def work(say: Say, _: Iterator[int]) -> None:
        tracer = Tracer(files)
        tracer.start()
        for item in items.values():
            began = time.monotonic()
            failure = run_test(item, outcomes)
            lines = {files[file]: lines for file, lines in tracer.take().items()}
            seconds = time.monotonic() - began
            say({"test": item.nodeid, "lines": lines, "seconds": seconds, "failure": failure})
        tracer.stop()

    child = fork(work)
    ended = False
    while not ended:
        for word in child.hear():
            ended = ended or "end" in word
            _note(made, word)
    child.kill()
    return made


def _note(made: CoverageMap, word: dict[str, Any]) -> None:
    if "error" in word:
        raise SystemExit(f"the tests cannot be run: {word['error']}")
    if "test" not in word:
        return
    if word["failure"] is not None:
        made.failed[word["test"]] = word["failure"]
        return
    made.lines[word["test"]] = word["lines"]
    made.seconds[word["test"]] = word["seconds"]
