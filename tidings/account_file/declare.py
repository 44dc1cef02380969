"""How the tables of the account file are declared: fields, rules and descriptions. Pure.

A table is a struct (`format.py`), and the type of each of its fields is one of a `Rule`, a bool, a
`Literal`, another table, or a list of these. `fields_of` resolves them for the reader, the JSON
Schema and the reference page.
"""

import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec


class Table(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Base of every table in the file."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What a single value must be.

    `says` completes the sentence "must be …". `read` returns the value as the service uses it, or
    raises ValueError, with a reason of its own or none. `schema` is the rule in JSON Schema, as far
    as that can express it.
    """

    says: str
    read: Callable[[Any], object]
    schema: Mapping[str, Any] = field(hash=False)
    secret: bool = False  # the value is never repeated in an error


@dataclass(frozen=True, slots=True)
class ListOf:
    items: "Rule | type[Table]"


Shape = Rule | ListOf | type[Table]


@dataclass(frozen=True, slots=True)
class Field:
    name: str  # in the file
    attribute: str  # of the struct
    shape: Shape
    required: bool
    default: object  # None: the setting is absent
    description: str


def doc(text: str) -> msgspec.Meta:
    """The description of a field, in its type: `Annotated[Name, doc("…")]`."""
    return msgspec.Meta(description=text)


@cache
def fields_of(table: type[Table]) -> tuple[Field, ...]:
    return tuple(
        Field(
            name=item.encode_name,
            attribute=item.name,
            shape=_shape(item.type),
            required=item.required,
            default=_default(item),
            description=_description(item.type),
        )
        for item in msgspec.structs.fields(table)
    )


def choices_of(table: type[Table], name: str) -> tuple[str, ...]:
    """What a field that takes one of several words may be."""
    [shape] = [one.shape for one in fields_of(table) if one.name == name]
    assert isinstance(shape, Rule)
    return tuple(shape.schema["enum"])


def _default(item: msgspec.structs.FieldInfo) -> object:
    if item.default_factory is not msgspec.NODEFAULT:
        return item.default_factory()
    return None if item.default is msgspec.NODEFAULT else item.default


def _description(kind: Any) -> str:
    """Of a field's type; of two that are nested, the outer one."""
    metadata = get_args(kind)[1:] if get_origin(kind) is Annotated else ()
    found = [one.description for one in metadata if isinstance(one, msgspec.Meta)]
    return found[-1] or "" if found else ""


def _shape(kind: Any) -> Shape:
    if get_origin(kind) is Annotated:
        inner, *metadata = get_args(kind)
        rule = next((one for one in metadata if isinstance(one, Rule)), None)
        return rule or _shape(inner)
    if get_origin(kind) in (Union, types.UnionType):  # `X | None`: TOML has no null
        return _shape(next(one for one in get_args(kind) if one is not types.NoneType))
    if get_origin(kind) is list:
        items = _shape(get_args(kind)[0])
        assert not isinstance(items, ListOf)
        return ListOf(items)
    if get_origin(kind) is Literal:
        return _one_of(get_args(kind))
    if kind is bool:
        return Rule("true or false", _read_bool, {"type": "boolean"})
    assert isinstance(kind, type) and issubclass(kind, Table), f"no rule for {kind}"
    return kind


def _one_of(choices: tuple[str, ...]) -> Rule:
    def read(value: object) -> object:
        if value not in choices:
            raise ValueError
        return value

    says = " or ".join(f'"{choice}"' for choice in choices)
    return Rule(says, read, {"type": "string", "enum": list(choices)})


def _read_bool(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value
