"""Reads a table of the file into its struct and collects every error. Pure.

msgspec alone stops at the first error and words it for programmers; an operator needs all of them,
each with its path, the rule, and the closest valid name.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from difflib import get_close_matches
from typing import TypeVar

from .declare import ListOf, Rule, Shape, Table, fields_of

S = TypeVar("S", bound=Table)

SHOWN_CHARS_MAX = 60


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong at a path such as `accounts[0].dailyLimit`; `text` completes the sentence."""

    path: str
    text: str

    def __str__(self) -> str:
        return f"{self.path} {self.text}"


@dataclass(slots=True)
class Diagnostics:
    """The problems of a file, which refuse it, and its warnings, which do not."""

    problems: list[Problem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def errors(self) -> list[str]:
        return [str(problem) for problem in self.problems]

    def error(self, path: str, problem: str) -> None:
        self.problems.append(Problem(path, problem))

    def warn(self, path: str, problem: str) -> None:
        self.warnings.append(f"{path} {problem}")

    def unknown_field(self, path: str, known: Iterable[str]) -> None:
        names = list(known)
        nearest = get_close_matches(path.rpartition(".")[2], names, 1)
        hint = f"did you mean {nearest[0]}?" if nearest else f"known are {', '.join(names)}"
        self.error(path, f"is not a known field; {hint}")


class Invalid(Exception):
    """The value cannot be read; the errors are in the diagnostics."""


def read_table(kind: type[S], value: object, path: str, found: Diagnostics) -> S:
    """The struct, or Invalid once every error below `path` is recorded."""
    if not isinstance(value, dict):
        found.error(path, f"must be a table, not {_show(value)}")
        raise Invalid
    fields = fields_of(kind)
    known = [one.name for one in fields]
    unknown = [name for name in value if name not in known]
    for name in unknown:
        found.unknown_field(f"{path}.{name}", known)
    valid = not unknown
    values: dict[str, object] = {}
    for one in fields:
        below = f"{path}.{one.name}"
        try:
            if one.name in value:
                values[one.attribute] = _read(one.shape, value[one.name], below, found)
            elif one.required:
                found.error(below, "is required")
                valid = False
        except Invalid:
            valid = False
    if not valid:
        raise Invalid
    return kind(**values)


def set_fields(kind: type[Table], table: Mapping[str, object]) -> frozenset[str]:
    """The struct's fields that the table sets; the others have their defaults."""
    return frozenset(one.attribute for one in fields_of(kind) if one.name in table)


def _read(shape: Shape, value: object, path: str, found: Diagnostics) -> object:
    if isinstance(shape, ListOf):
        return _read_list(shape, value, path, found)
    if isinstance(shape, Rule):
        return _read_value(shape, value, path, found)
    return read_table(shape, value, path, found)


def _read_value(rule: Rule, value: object, path: str, found: Diagnostics) -> object:
    try:
        return rule.read(value)
    except (ValueError, TypeError) as reason:
        shown = "" if rule.secret else f", not {_show(value)}"
        because = f" ({reason})" if isinstance(reason, ValueError) and str(reason) else ""
        found.error(path, f"must be {rule.says}{shown}{because}")
        raise Invalid from None


def _read_list(shape: ListOf, value: object, path: str, found: Diagnostics) -> list[object]:
    if not isinstance(value, list):
        found.error(path, f"must be a list, not {_show(value)}")
        raise Invalid
    items = []
    for index, item in enumerate(value):
        try:
            items.append(_read(shape.items, item, f"{path}[{index}]", found))
        except Invalid:
            continue
    if len(items) != len(value):
        raise Invalid
    return items


def _show(value: object) -> str:
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime):
        return value.isoformat()
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= SHOWN_CHARS_MAX else f"{text[: SHOWN_CHARS_MAX - 3]}…"
