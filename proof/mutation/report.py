"""What the mutants' fates say: a line for each area, and the survivors nobody has explained."""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .hunt import Fate, Verdict
from .survivors import outdated, read_explained, unexplained

SHARE_MIN = 0.9  # of an area's mutants have to be noticed


@dataclass(frozen=True, slots=True)
class Line:
    area: str
    mutants: int
    killed: int
    timed_out: int
    survived: int
    explained: int  # of those that survived

    @property
    def share(self) -> float:
        return (self.killed + self.timed_out) / self.mutants if self.mutants else 1.0


@dataclass(frozen=True, slots=True)
class Report:
    lines: list[Line]
    unexplained: list[Verdict]
    outdated: list[str]

    @property
    def is_kept(self) -> bool:
        enough = all(line.share >= SHARE_MIN for line in self.lines)
        return enough and not self.unexplained and not self.outdated


def judge(verdicts: Mapping[str, Sequence[Verdict]], is_whole: bool) -> Report:
    explained = read_explained()
    lines = [_line(area, found, explained) for area, found in verdicts.items()]
    every = [verdict for found in verdicts.values() for verdict in found]
    survived = [one.mutant.name for one in every if one.fate is Fate.SURVIVED]
    killed = [one.mutant.name for one in every if one.fate is not Fate.SURVIVED]
    strange = set(unexplained(survived, explained))
    return Report(
        lines,
        [one for one in every if one.mutant.name in strange],
        outdated(killed, survived + killed, explained, is_whole),
    )


def _line(area: str, verdicts: Sequence[Verdict], explained: Mapping[str, str]) -> Line:
    fates = Counter(verdict.fate for verdict in verdicts)
    known = sum(one.fate is Fate.SURVIVED and one.mutant.name in explained for one in verdicts)
    return Line(
        area,
        len(verdicts),
        fates[Fate.KILLED],
        fates[Fate.TIMED_OUT],
        fates[Fate.SURVIVED],
        known,
    )


def as_text(report: Report) -> str:
    head = f"{'':14}{'mutants':>9}{'killed':>9}{'timed out':>11}{'survived':>10}{'explained':>11}"
    rows = [
        f"{one.area:14}{one.mutants:9}{one.killed:9}{one.timed_out:11}{one.survived:10}"
        f"{one.explained:11}{one.share:9.1%}{'' if one.share >= SHARE_MIN else '  too few'}"
        for one in report.lines
    ]
    left = [f"survived, and not explained: {line(verdict)}" for verdict in report.unexplained]
    gone = [f"explained, but noticed by now or gone: {name}" for name in report.outdated]
    return "\n".join([head, *rows, *left, *gone])


def as_json(report: Report) -> dict[str, Any]:
    return {
        "areas": [asdict(one) | {"share": one.share} for one in report.lines],
        "unexplained": [verdict.mutant.name for verdict in report.unexplained],
        "outdated": report.outdated,
        "kept": report.is_kept,
    }


def line(verdict: Verdict) -> str:
    """One verdict, with where it is."""
    mutant = verdict.mutant
    test = f" by {verdict.test}: {verdict.why}" if verdict.test else f" {verdict.why}"
    ran = f"{verdict.ran} of {verdict.could} tests"
    return f"{verdict.fate.value}: {mutant.name} [{mutant.kind}, line {mutant.line}, {ran}]{test}"


def remark_failed(failed: Mapping[str, str]) -> None:
    """Tests that fail without any mutant notice nothing: they are left out, and named."""
    for test, why in failed.items():
        print(f"fails without a mutant, and is left out: {test}: {why}", file=sys.stderr)
