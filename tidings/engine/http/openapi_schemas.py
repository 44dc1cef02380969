"""JSON schemas of the request and response structs, completed for readers and generators. Pure.

msgspec generates types and limits. This module adds what it omits: the type of an enum, `format:
date-time` on times, and a description for every struct and field. A field is described by
`Struct.name` in a table, by its own `Meta(description=...)`, or by its name in the table, because a
name means the same everywhere in the API.
"""

import copy
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from tidings.engine.http.endpoint import Route

Json = dict[str, Any]

REFERENCE = "#/components/schemas/{name}"

# contract.md: timestamps in responses are RFC 3339, and fields with these names are timestamps.
_TIME = re.compile(r".*(At|Until)|at|now|since|until|deadline|scheduledFor|eventDate")
_TYPES = {bool: "boolean", int: "integer", str: "string", float: "number"}


@dataclass(frozen=True, slots=True)
class Words:
    """What the document says beside the declarations."""

    chapters: Mapping[str, str] = field(default_factory=dict)  # tags in order, described
    order: Sequence[str] = ()  # `METHOD /path` in order, inside the chapters
    structs: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)  # `name`, `Struct.name`, `a/{name}`
    methods: Mapping[str, str] = field(default_factory=dict)  # of our clients, by `METHOD /path`


class Schemas:
    """The schema of each type in use, and the components they refer to."""

    def __init__(self, routes: Iterable[Route], webhooks: Iterable[Any], words: Words) -> None:
        routes = list(routes)
        self._fields = words.fields
        self._types = _types_in_use(routes, webhooks)
        found, self._all = msgspec.json.schema_components(self._types, ref_template=REFERENCE)
        self._found = list(found)
        for name, schema in self._all.items():
            _finish_struct(name, schema, words.fields)
            if name in words.structs:
                schema["description"] = words.structs[name]
        spread = {
            self._name(kind) for route in routes for kind in (route.extra, route.query) if kind
        }
        self.components = {name: it for name, it in self._all.items() if name not in spread}

    def of(self, kind: Any) -> Json:
        """Looked up by equality: `list[Invoice]` is a new object at each use."""
        return self._found[self._types.index(kind)]

    def fields(self, struct: type[msgspec.Struct]) -> tuple[dict[str, Json], list[str]]:
        """The schemas of a struct's fields, and the names of the required ones."""
        schema = self._all[self._name(struct)]
        return schema["properties"], schema.get("required", [])

    def description(self, kind: Any) -> str:
        """What a type is, in words: of a list, what its items are."""
        schema = self.of(kind)
        reference = schema.get("items", schema).get("$ref", "")
        words: str = self._all.get(reference.rpartition("/")[2], {}).get("description", "")
        if words and "items" in schema:
            return f"The entries; each is {words[:1].lower()}{words[1:]}"
        return words

    def add(self, name: str, schema: Json) -> Json:
        """Add a schema as a component with this name; returns the reference to it."""
        schema = copy.deepcopy(schema)  # its parts are shared
        _finish_struct(name, schema, self._fields)
        self.components[name] = schema
        return {"$ref": REFERENCE.format(name=name)}

    def _name(self, struct: Any) -> str:
        reference: str = self.of(struct)["$ref"]
        return reference.rpartition("/")[2]


def _types_in_use(routes: Iterable[Route], webhooks: Iterable[Any]) -> list[Any]:
    found: list[Any] = []
    for route in routes:
        found += [route.body, route.data, route.extra, route.query, route.dry_run_data]
    found += webhooks
    return [kind for kind in found if kind is not None]


def _finish_struct(struct: str, schema: Json, fields: Mapping[str, str]) -> None:
    _finish_type(schema)
    for name, one in schema.get("properties", {}).items():
        _finish_type(one)
        if _TIME.fullmatch(name):
            _mark_time(one)
        known = fields.get(f"{struct}.{name}") or one.get("description") or fields.get(name)
        if known:
            one["description"] = known


def _finish_type(schema: Json) -> None:
    """Add the type to enums, in this schema and in its subschemas."""
    allowed = schema.get("enum") or ([schema["const"]] if "const" in schema else [])
    kinds = {type(value) for value in allowed if value is not None}
    if "type" not in schema and len(kinds) == 1:
        schema["type"] = _TYPES[kinds.pop()]
    for part in [*schema.get("anyOf", ()), schema.get("items")]:
        if isinstance(part, dict):
            _finish_type(part)


def _mark_time(schema: Json) -> None:
    for part in schema.get("anyOf", [schema]):
        if part.get("type") == "string":
            part["format"] = "date-time"


def capitalised(words: list[str]) -> str:
    return "".join(word[:1].upper() + word[1:] for word in words)


def parameter(
    name: str, place: str, schema: Json, required: bool = False, example: str | None = None
) -> Json:
    bare = {key: value for key, value in schema.items() if key != "description"}
    found: Json = {"name": name, "in": place, "required": required, "schema": bare}
    if "description" in schema:
        found["description"] = schema["description"]
    if example is not None:
        found["example"] = int(example) if schema.get("type") == "integer" else example
    return found
