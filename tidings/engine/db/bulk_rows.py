"""Many rows as the arguments of one statement: a column is sent as an array, or as one value.

Most columns of a batch have the same value in every row. An array of a thousand equal values has to
be encoded here and decoded by PostgreSQL; sent as a single value it costs almost nothing (measured:
a third of the time of an insert, and half of ours). A JSON column is sent as one document.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

JSON = "jsonb"
_encode = msgspec.json.Encoder().encode


class BulkRows:
    """The types of a table's columns, and the columns that are usually constant within a batch.

    A statement has only two forms: all `constant` columns as single values, or none of them. More
    forms would fill PostgreSQL's cache of prepared statements.
    """

    def __init__(self, types: Mapping[str, str], constant: Sequence[str]) -> None:
        self._types = types
        self._constant = frozenset(constant)

    def source(self, columns: Mapping[str, list[Any]]) -> tuple[str, list[Any]]:
        """`(...) AS v` for a FROM clause, and its arguments. Each column has one value per row;
        the values of a JSON column are encoded here."""
        names = tuple(columns)
        constant = tuple(name for name in names if name in self._constant)
        if not all(_is_constant(columns[name]) for name in constant) or len(constant) == len(names):
            constant = ()
        typed = tuple((name, self._types.get(name, "text")) for name in names)
        arguments = [
            _argument(columns[name][0] if name in constant else columns[name], kind)
            for name, kind in typed
        ]
        return _source(typed, constant), arguments


def _is_constant(values: list[Any]) -> bool:
    return values.count(values[0]) == len(values)


def _argument(value: Any, kind: str) -> Any:
    return _encode(value).decode() if kind == JSON and value is not None else value


@lru_cache(maxsize=1024)
def _source(typed: tuple[tuple[str, str], ...], constant: tuple[str, ...]) -> str:
    selected, arrays, named = [], [], []
    for position, (name, kind) in enumerate(typed, start=1):
        if name in constant:
            selected.append(f"${position}::{kind} AS {name}")
            continue
        named.append(name)
        if kind == JSON:
            arrays.append(f"jsonb_array_elements(${position}::jsonb)")
            selected.append(f"nullif(u.{name}, 'null') AS {name}")
        else:
            arrays.append(f"unnest(${position}::{kind}[])")
            selected.append(f"u.{name}")
    rows = f"ROWS FROM ({', '.join(arrays)}) AS u ({', '.join(named)})"
    return f"(SELECT {', '.join(selected)} FROM {rows}) AS v"
