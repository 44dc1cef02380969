"""A promise, the figure that was measured for it, and whether it was kept."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console


@dataclass(frozen=True, slots=True)
class Promise:
    """`figure` and `bound` are in `unit`; without a bound the figure is told and judges nothing."""

    part: str
    text: str
    figure: float
    bound: float | None = None
    unit: str = ""
    at_least: bool = False  # the bound is a lower one

    @property
    def is_kept(self) -> bool:
        if self.bound is None:
            return True
        return self.figure >= self.bound if self.at_least else self.figure <= self.bound

    @property
    def line(self) -> str:
        """`kept    slow clients: ... -> 41.2 ms (at most 200 ms)`"""
        said = f"{self.part}: {self.text} -> {self.figure:,.10g}{self.unit}"
        if self.bound is None:
            return f"told    {said}"
        word = "at least" if self.at_least else "at most"
        verdict = "kept   " if self.is_kept else "BROKEN "
        return f"{verdict} {said} ({word} {self.bound:,.10g}{self.unit})"


def exit_code(promises: Sequence[Promise]) -> int:
    return 0 if all(one.is_kept for one in promises) else 1


def as_json(promises: Sequence[Promise], **more: Any) -> str:
    rows = [asdict(one) | {"kept": one.is_kept} for one in promises]
    return json.dumps({"promises": rows, "kept": exit_code(promises) == 0, **more}, indent=2)


def show(promises: Sequence[Promise]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for one in promises:
        console.print(one.line, markup=False)
