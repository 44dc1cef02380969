"""Reads a table of the file into a struct, field by field, and finds every fault at once. Pure.

msgspec alone stops at the first fault and words it for programmers; an operator wants them all,
each with its path, the rule and the nearest right name.
"""

import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from difflib import get_close_matches
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec

S = TypeVar("S", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class Rule:
    """What a value must be, in words that follow "must be", and the reader that insists on it.

    The reader raises ValueError, with a reason of its own or none.
    """

    says: str
    read: Callable[[Any], object]
    secret: bool = False  # the value is never repeated


@dataclass(slots=True)
class Faults:
    """What is wrong with the file, and what is merely odd."""

    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def add(self, path: str, problem: str) -> None:
        self.errors.append(f"{path} {problem}")

    def warn(self, path: str, remark: str) -> None:
        self.warnings.append(f"{path} {remark}")


class Faulty(Exception):
    """The value cannot be read; why is in the Faults."""


def read_struct(kind: type[S], value: object, path: str, faults: Faults) -> S:
    """The struct, or Faulty after every fault below `path` was noted."""
    if not isinstance(value, dict):
        faults.add(path, f"must be a table, not {_shown(value)}")
        raise Faulty
    known = {item.encode_name: item for item in msgspec.structs.fields(kind)}
    unknown = [name for name in value if name not in known]
    for name in unknown:
        note_unknown(name, path, list(known), faults)
    good = not unknown
    read: dict[str, object] = {}
    for name, item in known.items():
        try:
            if name in value:
                read[item.name] = _read(item.type, value[name], _below(path, name), faults)
            elif item.required:
                faults.add(_below(path, name), "is required")
                good = False
        except Faulty:
            good = False
    if not good:
        raise Faulty
    return kind(**read)


def given_fields(kind: type[S], table: Mapping[str, object]) -> frozenset[str]:
    """Which of the struct's fields the table gives; the others have defaults that nobody chose."""
    return frozenset(one.name for one in msgspec.structs.fields(kind) if one.encode_name in table)


def _below(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def note_unknown(name: str, path: str, known: list[str], faults: Faults) -> None:
    nearest = get_close_matches(name, known, 1)
    meant = f"; did you mean {nearest[0]}?" if nearest else f"; known are {', '.join(known)}"
    faults.add(_below(path, name), f"is not a known field{meant}")


def _read(kind: Any, value: object, path: str, faults: Faults) -> object:
    if get_origin(kind) in (Union, types.UnionType):  # `X | None`: the file has no null
        kind = next(one for one in get_args(kind) if one is not types.NoneType)
    if get_origin(kind) is list:
        return _read_list(get_args(kind)[0], value, path, faults)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return read_struct(kind, value, path, faults)
    rule = _rule(kind)
    try:
        return rule.read(value)
    except (ValueError, TypeError) as reason:
        shown = "" if rule.secret else f", not {_shown(value)}"
        because = f" ({reason})" if isinstance(reason, ValueError) and str(reason) else ""
        faults.add(path, f"must be {rule.says}{shown}{because}")
        raise Faulty from None


def _read_list(kind: Any, value: object, path: str, faults: Faults) -> list[object]:
    if not isinstance(value, list):
        faults.add(path, f"must be a list, not {_shown(value)}")
        raise Faulty
    read = []
    for index, one in enumerate(value):
        try:
            read.append(_read(kind, one, f"{path}[{index}]", faults))
        except Faulty:
            continue
    if len(read) != len(value):
        raise Faulty
    return read


def _rule(kind: Any) -> Rule:
    if get_origin(kind) is Annotated:
        rule = get_args(kind)[1]
        assert isinstance(rule, Rule)
        return rule
    if get_origin(kind) is Literal:
        choices = get_args(kind)
        return Rule(" or ".join(f'"{choice}"' for choice in choices), _one_of(choices))
    assert kind is bool, f"no rule for {kind}"
    return Rule("true or false", _flag)


def _one_of(choices: tuple[str, ...]) -> Callable[[object], object]:
    def read(value: object) -> object:
        if value not in choices:
            raise ValueError
        return value

    return read


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime):
        return value.isoformat()
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
