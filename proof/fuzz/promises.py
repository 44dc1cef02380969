"""What a run found, and the promises that it is held to."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from proof.fuzz.described import Described
from proof.fuzz.drive import Failure, Tally
from tidings.routes import API, EXTENSIONS

MEMORY_MB_MAX = 600  # reliability.md, P13
GROWTH_MB_MAX = 150  # after the first requests
SHOWN_MAX = 20


@dataclass(slots=True)
class Found:
    """Everything counted in one run."""

    seed: int
    described: Described = field(default_factory=Described)
    tally: Tally = field(default_factory=Tally)
    files: list[Path] = field(default_factory=list)
    doctor: list[str] = field(default_factory=list)
    log_faults: list[str] = field(default_factory=list)
    memory_first: int = 0
    memory_warm: int = 0
    memory_last: int = 0
    memory_most: int = 0

    def add(self, more: Tally) -> None:
        mine = self.tally
        mine.areas += more.areas
        mine.endpoints += more.endpoints
        mine.statuses += more.statuses
        mine.closed += more.closed
        mine.failed += more.failed
        mine.failures += more.failures
        for name, seconds in more.slowest.items():
            mine.slowest[name] = max(mine.slowest.get(name, 0), seconds)

    @property
    def requests(self) -> int:
        return self.described.phases.total() + self.tally.areas.total()

    @property
    def endpoints(self) -> Counter[str]:
        return self.described.endpoints + self.tally.endpoints

    @property
    def statuses(self) -> Counter[int]:
        return self.described.statuses + self.tally.statuses

    def figures(self) -> dict[str, Any]:
        slowest = sorted(self.tally.slowest.items(), key=lambda one: -one[1])[:SHOWN_MAX]
        return {
            "seed": self.seed, "requests": self.requests,
            "phases": dict(self.described.phases) | dict(self.tally.areas),
            "statuses": dict(sorted(self.statuses.items())),
            "endpoints": dict(sorted(self.endpoints.items())),
            "closedWithoutAnswer": self.tally.closed,
            "slowestSeconds": {name: round(seconds, 2) for name, seconds in slowest},
            "memoryMb": {"first": self.memory_first, "warm": self.memory_warm,
                         "last": self.memory_last, "most": self.memory_most},
            "failed": self.tally.failed, "files": [str(path) for path in self.files],
            "findings": self.described.findings, "doctor": self.doctor, "log": self.log_faults,
        }  # fmt: skip

    def lines(self) -> list[str]:
        """For people: what was sent, and what went wrong."""
        phases = dict(self.described.phases) | dict(self.tally.areas)
        shown = ", ".join(f"{name} {count:,}" for name, count in phases.items())
        answers = ", ".join(
            f"{status}: {count:,}" for status, count in sorted(self.statuses.items())
        )
        found = [f"seed {self.seed}; requests: {shown}", f"answers: {answers}"]
        kinds = Counter(_kind(failure) for failure in self.tally.failures)
        found += [f"  {count} × {kind}" for kind, count in kinds.most_common(SHOWN_MAX)]
        found += [f"  {path}" for path in self.files[:SHOWN_MAX]]
        found += [f"  schemathesis: {finding}" for finding in self.described.findings]
        return found + [f"  log: {line}" for line in self.log_faults[:SHOWN_MAX]]


def _kind(failure: Failure) -> str:
    return f"{failure.call.name} {failure.status}: {failure.faults[0]}"


@dataclass(frozen=True, slots=True)
class Promise:
    text: str
    kept: bool


def judge(found: Found, wanted: int) -> list[Promise]:
    """Each with its figure."""
    crashed = sum(count for status, count in found.statuses.items() if status >= 500)
    silent = sum(failure.status == 0 for failure in found.tally.failures)
    wanted_names = {f"{route.method} {route.path}" for route in [*API, *EXTENSIONS]}
    missed = sorted(wanted_names - found.endpoints.keys())
    growth = found.memory_last - (found.memory_warm or found.memory_first)
    return [
        Promise(f"{found.requests:,} requests in all, of {wanted:,}", found.requests >= wanted),
        Promise(f"{len(wanted_names) - len(missed)} of {len(wanted_names)} endpoints asked "
                f"{' '.join(missed)}", not missed),
        Promise(f"{crashed} answers of 5xx", not crashed),
        Promise(f"{silent} requests without an answer", not silent),
        Promise(f"{found.tally.failed} answers outside the contract: envelope, declared codes, "
                "no-store, nothing of our insides", not found.tally.failed),
        Promise(f"{len(found.described.findings)} findings of schemathesis",
                not found.described.findings),
        Promise(f"{found.memory_most} MB of memory at most, {growth:+} MB since the first requests",
                found.memory_most < MEMORY_MB_MAX and growth < GROWTH_MB_MAX),
        Promise(f"{len(found.log_faults)} errors in the server's log", not found.log_faults),
        Promise(f"{len(found.doctor)} invariants broken afterwards", not found.doctor),
    ]  # fmt: skip
