"""What happened to a message, as its page tells it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import msgspec

from tidings import times
from tidings.features.billing.model import ChargeRecord
from tidings.features.messages.model import Message, Status
from tidings.features.webhooks.of_message import DeliveredEvent
from tidings.money import Rate, rate_to_wire
from tidings.portal.shown_events import said_of, word_of

MOVING = (Status.QUEUED, Status.SENDING)
FRESH = timedelta(seconds=10)
MOVING_MS, DELIVERING_MS = 1000, 3000  # when to look again


@dataclass(frozen=True, slots=True)
class Step:
    status: str
    at: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call of the platform, or one post of a webhook."""

    number: int
    at: datetime
    outcome: str
    detail: str = ""
    sent_from: str = ""
    ms: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    id: str
    type: str
    at: datetime
    word: str
    said: str
    state: str
    url: str | None
    attempts: list[Attempt]
    body: str


def steps(message: Message) -> list[Step]:
    return [Step(one.status, times.parse(one.at), one.reason) for one in message.timeline]


def attempts(message: Message) -> list[Attempt]:
    return [
        Attempt(one.attempt, times.parse(one.at), one.outcome, one.code, one.sent_from)
        for one in message.attempts
    ]


def shown(event: DeliveredEvent) -> Event:
    return Event(
        id=event.id,
        type=event.type,
        at=event.created_at,
        word=word_of(event.data),
        said=said_of(event.data),
        state=event.state,
        url=event.url,
        attempts=[
            Attempt(
                one.attempt,
                times.parse(one.at),
                "" if one.status is None else str(one.status),
                one.error or "",
                ms=one.ms,
            )
            for one in event.attempts
        ],
        body=msgspec.json.format(event.body, indent=2).decode(),
    )


def price(charge: ChargeRecord | None) -> str:
    """In words of money; empty where nothing has a price."""
    if charge is None or charge.currency is None:
        return ""
    return f"{rate_to_wire(Rate(charge.price_micro, charge.currency))} {charge.currency}"


def again(message: Message, events: Sequence[DeliveredEvent], now: datetime) -> int | None:
    """After how many milliseconds the page looks again; None: an event will tell. One that happens
    before the page has begun to listen would be missed, so a message that has just changed is
    looked at again."""
    changed_at = times.parse(message.timeline[-1].at) if message.timeline else message.created_at
    if message.status in MOVING or now - changed_at < FRESH:
        return MOVING_MS
    return DELIVERING_MS if any(event.state == "pending" for event in events) else None
