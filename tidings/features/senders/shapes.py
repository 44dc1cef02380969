"""The answers about numbers and limits (contract.md, "Account state"), as OpenAPI shows them."""

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Tier = Literal["TIER_250", "TIER_2K", "TIER_10K", "TIER_100K", "TIER_UNLIMITED"]
Light = Literal["GREEN", "YELLOW", "RED", "UNKNOWN"]
Limit = Annotated[int | None, Meta(description="Over a rolling 24 hours. Null: no limit.")]
Counted = Annotated[int | None, Meta(description="Null: there is no limit to count for.")]


class NumberCapacity(msgspec.Struct, rename="camel"):
    """New people this number may write to; numbers of one portfolio show what they share."""

    number: str
    tier: Tier
    daily_limit: Limit
    used: Counted
    remaining: Counted
    per_second: int


class TotalCapacity(msgspec.Struct, rename="camel"):
    """All numbers together, each portfolio once."""

    daily_limit: Limit
    used: Counted
    remaining: Counted


class AccountCapacity(msgspec.Struct, rename="camel"):
    """All messages of the account."""

    daily_limit: Limit
    used: Counted
    remaining: Counted
    requests_per_minute: int


class Capacities(msgspec.Struct, rename="camel"):
    resets_at: Annotated[
        datetime | None,
        Meta(description="When the next place of a limit frees up. Null: none is taken."),
    ]
    numbers: list[NumberCapacity]
    total: TotalCapacity
    account: AccountCapacity


class NumberHealth(msgspec.Struct, rename="camel"):
    number: str
    display_name: str
    status: Annotated[
        str,
        Meta(
            description="The platform's word, such as CONNECTED. UNKNOWN: it has not confirmed the "
            "number yet."
        ),
    ]
    quality_rating: Annotated[str, Meta(description="GREEN, YELLOW, RED or UNKNOWN.")]
    tier: Tier
    ready_for_sending: bool
    reason: Annotated[
        str | None, Meta(description="Why it is not ready, in the platform's words if it gave any.")
    ]


class SendHours(msgspec.Struct, rename={"from_": "from"}):
    """When messages may leave, by the clocks of the time zone; may cross midnight."""

    from_: Annotated[str, Meta(examples=["08:00"])]
    to: Annotated[str, Meta(examples=["21:00"])]
    timezone: Annotated[str, Meta(examples=["Asia/Jerusalem"])]


class AccountCaps(msgspec.Struct, rename="camel"):
    """What the account itself sets, beside what the platform allows."""

    daily_limit: Limit
    send_window: SendHours | None
    requests_per_minute: int
    paused: bool


class SenderHealth(msgspec.Struct, rename="camel"):
    """`overall`: GREEN all numbers are well, YELLOW some are, RED none is, UNKNOWN none is known to
    the platform yet."""

    overall: Light
    ready_for_sending: bool
    aggregate_capacity: Limit
    quality_rating: Light
    numbers: list[NumberHealth]
    from_application: AccountCaps
