"""Events compared with the catalogue: fields that are missing, strange or of the wrong type."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from tests.support.service import TestAccount
from tidings.features.webhooks.catalogue import BY_NAME


def require_described(bodies: Iterable[dict[str, Any] | bytes]) -> None:
    """Every one of these webhook bodies is as the catalogue says.

    `require_described(account.events())`, or of what a receiver heard: `[h.body for h in heard]`.
    """
    for body in bodies:
        event = body if isinstance(body, dict) else json.loads(body)
        assert set(event) == {"id", "type", "createdAt", "environment", "accountId", "data"}, event
        _require_shape(event["type"], event["data"])


def _require_shape(kind: str, data: dict[str, Any]) -> None:
    try:
        read = msgspec.json.decode(json.dumps(data), type=BY_NAME[kind].data)
    except msgspec.ValidationError as fault:
        raise AssertionError(f"{kind}: {fault}: {data}") from None
    strange = list(_strange(data, msgspec.to_builtins(read), "data"))
    assert not strange, f"{kind} has {strange}, which the catalogue does not know"


def _strange(body: Any, known: Any, path: str) -> Iterator[str]:
    if isinstance(body, dict):
        for name, value in body.items():
            if name not in known:
                yield f"{path}.{name}"
            else:
                yield from _strange(value, known[name], f"{path}.{name}")
    elif isinstance(body, list):
        for index, (value, other) in enumerate(zip(body, known, strict=True)):
            yield from _strange(value, other, f"{path}[{index}]")


def require_kinds(account: TestAccount, *kinds: str) -> None:
    """These kinds were published, and every event matches the catalogue."""
    bodies = account.events()
    require_described(bodies)
    missing = set(kinds) - {body["type"] for body in bodies}
    assert not missing, f"{missing} were not published"
