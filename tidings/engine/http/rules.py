"""The rule of a field's type in words: "a string of 8 to 128 characters". Pure."""

from typing import Any

from msgspec import inspect

_SIMPLE: dict[type[inspect.Type], str] = {
    inspect.BoolType: "true or false",
    inspect.NoneType: "null",
    inspect.AnyType: "any JSON value",
    inspect.RawType: "any JSON value",
    inspect.StructType: "an object",
    inspect.DateTimeType: "a time with an offset, such as 2026-01-31T09:30:00Z",
    inspect.DateType: "a date such as 2026-01-31",
    inspect.UUIDType: "a UUID",
    inspect.DecimalType: "a decimal number",
}


def rule_of(kind: inspect.Type) -> str:
    """A phrase that follows "must be" or "give"."""
    if isinstance(kind, inspect.Metadata):
        return rule_of(kind.type)
    if isinstance(kind, inspect.StrType):
        return "a string" + _span(kind.min_length, kind.max_length, "character")
    if isinstance(kind, inspect.IntType | inspect.FloatType):
        word = "an integer" if isinstance(kind, inspect.IntType) else "a number"
        return word + _range(kind)
    if isinstance(kind, inspect.ListType):
        return "an array" + _items(kind.item_type) + _span(kind.min_length, kind.max_length, "item")
    if isinstance(kind, inspect.DictType):
        return "an object" + _span(kind.min_length, kind.max_length, "field")
    if isinstance(kind, inspect.LiteralType):
        return "one of " + ", ".join(str(value) for value in kind.values)
    if isinstance(kind, inspect.EnumType):
        return "one of " + ", ".join(str(member.value) for member in kind.cls)
    if isinstance(kind, inspect.UnionType):
        return " or ".join(rule_of(part) for part in kind.types)
    return _SIMPLE.get(type(kind), "a valid value")


def name_of(value: Any) -> str:
    """The name of a JSON value's type."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    names = {str: "string", int: "number", float: "number", list: "array", dict: "object"}
    return names.get(type(value), "value")


def _span(low: int | None, high: int | None, unit: str) -> str:
    if low is None and high is None:
        return ""
    units = f"{unit}s" if (low if high is None else high) != 1 else unit
    if low == high:
        return f" of {low} {units}"
    if low is None:
        return f" of at most {high} {units}"
    if high is None:
        return f" of at least {low} {units}"
    return f" of {low} to {high} {units}"


def _range(kind: inspect.IntType | inspect.FloatType) -> str:
    if kind.ge is not None and kind.le is not None:
        return f" from {kind.ge:,} to {kind.le:,}"
    bounds = [
        f"{word} {value:g}"
        for word, value in (
            ("at least", kind.ge),
            ("above", kind.gt),
            ("at most", kind.le),
            ("below", kind.lt),
        )
        if value is not None
    ]
    return ", " + " and ".join(bounds) if bounds else ""


def _items(kind: inspect.Type) -> str:
    if isinstance(kind, inspect.StrType):
        return " of strings"
    return " of objects" if isinstance(kind, inspect.StructType | inspect.RawType) else ""
