"""The answers about recipients (contract.md, "Account state"), as OpenAPI shows them."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta


class CheckedNumber(msgspec.Struct, rename="camel"):
    number: str
    delivered: Annotated[
        Literal[True] | None,
        Meta(description="true: a message of yours has reached it. null: none has, so far."),
    ]


class CheckedNumbers(msgspec.Struct, rename="camel"):
    """As asked: in the same order, repeats included."""

    numbers: list[CheckedNumber]


class CheckedOptOut(msgspec.Struct, rename="camel"):
    number: str
    opted_out: bool
    since: Annotated[str | None, Meta(description="Null where the number has not opted out.")]


class CheckedOptOuts(msgspec.Struct, rename="camel"):
    """As asked: in the same order, repeats included."""

    numbers: list[CheckedOptOut]


class RemovedOptOut(msgspec.Struct, rename="camel"):
    number: str
    removed: Annotated[bool, Meta(description="false: there was no opt-out to remove.")]
