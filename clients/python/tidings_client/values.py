"""Values on the wire: arguments to JSON, JSON to dataclasses."""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import cache
from typing import Any

VERBATIM = frozenset({"meta", "headers", "answers"})  # their keys are the caller's own

Reader = Callable[[Any], Any]


def camel(name: str) -> str:
    """`client_message_id` is clientMessageId on the wire, `from_` is from."""
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)


def encode_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        camel(name): value if name in VERBATIM else encode(value) for name, value in fields.items()
    }


def encode(value: Any) -> Any:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone: give one, for example timezone.utc")
        return value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return round(value.total_seconds())
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, Mapping):
        return encode_fields(value)
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    return value


def encode_query(fields: Mapping[str, Any]) -> dict[str, str]:
    """Several values of one filter are separated by commas."""
    encoded = encode_fields(fields)
    return {
        name: ",".join(map(str, value)) if isinstance(value, list) else str(value)
        for name, value in encoded.items()
    }


def decode(kind: Any, value: Any) -> Any:
    """The value as this type: a dataclass, a list of them, or what JSON makes of it.

    ValueError: it is something else.
    """
    try:
        return _reader(kind)(value)
    except (TypeError, AttributeError) as fault:
        raise ValueError(f"not a {kind}: {fault}") from fault


@cache
def _reader(kind: Any) -> Reader:
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if kind is datetime:
        return _read_time
    if kind is date:
        return date.fromisoformat
    if dataclasses.is_dataclass(kind):
        return lambda value: _read_object(kind, value)
    if origin is list:
        item = _reader(inner[0])
        return lambda value: [item(one) for one in value]
    if origin is dict:
        item = _reader(inner[1])
        return lambda value: {name: item(one) for name, one in value.items()}
    if origin in (typing.Union, types.UnionType) and len(inner) == 2 and inner[1] is type(None):
        some = _reader(inner[0])
        return lambda value: None if value is None else some(value)
    return lambda value: value


def _read_time(text: str) -> datetime:
    return datetime.fromisoformat(re.sub("Z$", "+00:00", text))  # Python 3.10 knows no Z


def _read_object(kind: Any, value: Mapping[str, Any]) -> Any:
    """Fields of a newer service are ignored; those that an older one does not send are None."""
    fields = {
        name: read(value[wire]) if value.get(wire) is not None else None
        for name, wire, read in _readers(kind)
    }
    return kind(**fields)


@cache
def _readers(kind: Any) -> list[tuple[str, str, Reader]]:
    hints = typing.get_type_hints(kind)
    return [
        (field.name, camel(field.name), _reader(hints[field.name]))
        for field in dataclasses.fields(kind)
    ]
