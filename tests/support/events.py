"""Events compared with the catalogue: fields that are missing, strange or of the wrong type."""

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec
from jsonschema import Draft202012Validator

from tests.support.service import TestAccount
from tidings.routes import EVENTS

BY_NAME = {kind.name: kind for kind in EVENTS}


def require_described(bodies: Iterable[dict[str, Any] | bytes]) -> None:
    """Every one of these webhook bodies is as the catalogue says.

    `require_described(account.events())`, or of what a receiver heard: `[h.body for h in heard]`.
    """
    for body in bodies:
        event = body if isinstance(body, dict) else json.loads(body)
        assert set(event) == {"id", "type", "createdAt", "environment", "accountId", "data"}, event
        _require_shape(event["type"], event["data"])


def _require_shape(kind: str, data: dict[str, Any]) -> None:
    faults = [f"{fault.json_path} {fault.message}" for fault in _validator(kind).iter_errors(data)]
    assert not faults, f"{kind} has {faults}: {data}"


@cache
def _validator(kind: str) -> Draft202012Validator:
    """Of the documented schema, with no fields beside those it names."""
    schema = msgspec.json.schema(BY_NAME[kind].data)
    for struct in schema["$defs"].values():
        struct["additionalProperties"] = False
    return Draft202012Validator(schema)


def require_kinds(account: TestAccount, *kinds: str) -> None:
    """These kinds were published, and every event matches the catalogue."""
    bodies = account.events()
    require_described(bodies)
    missing = set(kinds) - {body["type"] for body in bodies}
    assert not missing, f"{missing} were not published"
