"""List parameters are sent as text, in PostgreSQL's array notation: `{"a","b",null}`.

A statement says `$1::uuid[]` and takes a list. asyncpg would encode it in binary, value by value:
a thousand timestamps take a millisecond. msgspec encodes the whole list as text in 18 microseconds,
and PostgreSQL parses that about as fast. So the parameter is rewritten to `$1::text::uuid[]`.
bytea and interval arrays stay binary: their text formats differ between msgspec and PostgreSQL.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

_ARRAY = re.compile(r"\$([0-9]+)::(?!bytea|interval)([a-z]+)\[\]")
_encode = msgspec.json.Encoder(uuid_format="hex").encode


def prepare(sql: str, arguments: Sequence[Any]) -> tuple[str, Sequence[Any]]:
    """The statement and its arguments as they are sent."""
    sql, positions = rewritten(sql)
    if not positions:
        return sql, arguments
    sent = list(arguments)
    for position in positions:
        if sent[position] is not None:
            sent[position] = literal(sent[position])
    return sql, sent


@lru_cache(maxsize=4096)
def rewritten(sql: str) -> tuple[str, frozenset[int]]:
    """The statement, and the positions of the arguments that are sent as text."""
    positions = frozenset(int(found[1]) - 1 for found in _ARRAY.finditer(sql))
    return _ARRAY.sub(r"$\1::text::\2[]", sql), positions


def literal(values: Sequence[Any]) -> str:
    """A list in PostgreSQL's array notation. It differs from JSON in its brackets and in escapes
    other than those of quote and backslash: a list with a backslash in it is encoded here."""
    encoded = _encode(values)
    if b"\\" in encoded:
        return "{" + ",".join(map(_quoted, values)) + "}"
    return "{" + encoded[1:-1].decode() + "}"


def _quoted(value: str | None) -> str:
    if value is None:
        return "null"
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
