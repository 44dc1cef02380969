"""Many rows as the arguments of one statement: a column travels as an array, or once.

The rows of a batch are alike in most columns. An array of a thousand equal values costs its
encoding here and its decoding in PostgreSQL; sent as one value it costs nothing (measured: a third
of the time of an insert, and half of ours). A column of JSON travels as one document.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

JSON = "jsonb"
_encode = msgspec.json.Encoder().encode


class Spread:
    """The columns of a table with their types, and those in which a batch is usually alike.

    A statement has two forms only, all of `alike` sent once or none of them, so that PostgreSQL's
    prepared statements stay few.
    """

    def __init__(self, types: Mapping[str, str], alike: Sequence[str]) -> None:
        self._types = types
        self._alike = frozenset(alike)

    def source(self, columns: Mapping[str, list[Any]]) -> tuple[str, list[Any]]:
        """`(...) AS v`, to select from, and its arguments. Every column has a value a row; what
        goes into a column of JSON is written as JSON here."""
        names = tuple(columns)
        once = tuple(name for name in names if name in self._alike)
        if not all(_is_alike(columns[name]) for name in once) or len(once) == len(names):
            once = ()
        typed = tuple((name, self._types.get(name, "text")) for name in names)
        arguments = [
            _argument(columns[name][0] if name in once else columns[name], kind)
            for name, kind in typed
        ]
        return _source(typed, once), arguments


def _is_alike(values: list[Any]) -> bool:
    return values.count(values[0]) == len(values)


def _argument(value: Any, kind: str) -> Any:
    return _encode(value).decode() if kind == JSON and value is not None else value


@lru_cache(maxsize=1024)
def _source(typed: tuple[tuple[str, str], ...], once: tuple[str, ...]) -> str:
    selected, arrays, named = [], [], []
    for place, (name, kind) in enumerate(typed, start=1):
        if name in once:
            selected.append(f"${place}::{kind} AS {name}")
            continue
        named.append(name)
        if kind == JSON:
            arrays.append(f"jsonb_array_elements(${place}::jsonb)")
            selected.append(f"nullif(u.{name}, 'null') AS {name}")
        else:
            arrays.append(f"unnest(${place}::{kind}[])")
            selected.append(f"u.{name}")
    rows = f"ROWS FROM ({', '.join(arrays)}) AS u ({', '.join(named)})"
    return f"(SELECT {', '.join(selected)} FROM {rows}) AS v"
