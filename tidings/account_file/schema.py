"""The JSON Schema of the account file, for editors and validators. Pure.

It is generated from `format.py`. It accepts every file that `apply` accepts; rules over several
fields, such as unique names, are left to `apply`.
"""

from typing import Any

import msgspec

from .declare import Field, ListOf, Rule, Shape, Table, fields_of
from .format import AccountEntry

Schema = dict[str, Any]


def json_schema() -> Schema:
    """Draft 7, which the TOML language servers support."""
    definitions: dict[str, Schema] = {}
    accounts = _schema(ListOf(AccountEntry), definitions) | {"minItems": 1}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Tidings account file",
        "description": "The accounts that `tidings apply` sets up.",
        "type": "object",
        "properties": {"accounts": accounts},
        "required": ["accounts"],
        "additionalProperties": False,
        "definitions": definitions,
    }


def schema_text() -> str:
    """As docs/account-file.schema.json holds it."""
    return msgspec.json.format(msgspec.json.encode(json_schema()), indent=2).decode() + "\n"


def _schema(shape: Shape, definitions: dict[str, Schema]) -> Schema:
    if isinstance(shape, Rule):
        return dict(shape.schema)
    if isinstance(shape, ListOf):
        return {"type": "array", "items": _schema(shape.items, definitions)}
    if shape.__name__ not in definitions:
        definitions[shape.__name__] = {}  # keeps the order in which tables are referred to
        definitions[shape.__name__] = _table(shape, definitions)
    return {"$ref": f"#/definitions/{shape.__name__}"}


def _table(table: type[Table], definitions: dict[str, Schema]) -> Schema:
    fields = fields_of(table)
    return {
        "type": "object",
        "description": table.__doc__,
        "properties": {one.name: _property(one, definitions) for one in fields},
        "required": [one.name for one in fields if one.required],
        "additionalProperties": False,
    }


def _property(field: Field, definitions: dict[str, Schema]) -> Schema:
    schema = _schema(field.shape, definitions)
    if field.name == "subscription":
        # An empty table removes the subscription.
        schema = {"anyOf": [schema, {"type": "object", "maxProperties": 0}]}
    elif "$ref" in schema:
        schema = {"allOf": [schema]}  # draft 7 ignores keywords beside $ref
    describing = {"description": field.description}
    if isinstance(field.shape, Rule) and not ("enum" in schema or schema["type"] == "boolean"):
        describing["description"] += f" Must be {field.shape.says}."
    if field.default not in (None, []):
        describing["default"] = msgspec.to_builtins(field.default, builtin_types=())
    return describing | schema
