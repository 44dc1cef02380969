"""The API's own description, for the pages that are made from it."""

from functools import cache
from typing import Any

import msgspec

from tidings.operations import describe

Json = dict[str, Any]


@cache
def document() -> Json:
    """OpenAPI, as it is served; its addresses are not used here."""
    found: Json = msgspec.json.decode(describe("/"))
    return found


def operations() -> list[tuple[str, str, Json]]:
    """(method, path, operation) of every endpoint, in the reference's order."""
    return [
        (method.upper(), path, operation)
        for path, methods in document()["paths"].items()
        for method, operation in methods.items()
    ]


def operations_with(code: str) -> list[tuple[str, str, Json]]:
    """The endpoints that may answer with this error code."""
    return [
        found
        for found in operations()
        if any(code in codes for codes in found[2].get("x-codes", {}).values())
    ]
