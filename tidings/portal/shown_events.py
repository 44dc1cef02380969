"""Events as pages show them: what happened in a line, and the signed request behind it. Pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from tidings import phone
from tidings.features.webhooks.recent import SignedEvent


@dataclass(frozen=True, slots=True)
class ShownEvent:
    """One event. `confidence` and `guests` are those of a reply that answers an invitation."""

    id: str
    type: str
    at: datetime
    state: str  # of its delivery
    word: str  # its status, reason or answer
    said: str  # what the guest wrote, or why it failed
    client_message_id: str
    is_reply: bool
    guests: int | None
    confidence: int | None  # in percent: how sure it is that the answer was understood
    headers: str
    body: str  # to be read
    raw: str  # as it is signed


def shown_event(signed: SignedEvent) -> ShownEvent:
    data, event = signed.data, signed.event
    raw = event.body.decode()
    confidence = data.get("matchConfidence") if data.get("answer") else None
    return ShownEvent(
        id=event.id,
        type=event.type,
        at=event.created_at,
        state=event.state,
        word=word_of(data),
        said=said_of(data),
        client_message_id=str(data.get("clientMessageId") or ""),
        is_reply="matchConfidence" in data,
        guests=data.get("guests"),
        confidence=None if confidence is None else round(confidence * 100),
        headers="\n".join(f"{name}: {value}" for name, value in signed.headers.items()),
        body=msgspec.json.format(raw, indent=2),
        raw=raw,
    )


def is_about(signed: SignedEvent, number: str) -> bool:
    """Whether the event concerns this person."""
    named = (signed.data.get("to"), signed.data.get("from"))
    return number in [phone.find(one) for one in named if one]


def is_of(signed: SignedEvent, client_message_id: str) -> bool:
    return bool(signed.data.get("clientMessageId") == client_message_id)


def word_of(data: dict[str, Any]) -> str:
    """The status, answer or reason that an event tells of."""
    return str(data.get("status") or data.get("answer") or data.get("reason") or "")


def said_of(data: dict[str, Any]) -> str:
    """What the guest wrote, or why it failed."""
    if data.get("error"):
        return str(data["error"].get("explanation", ""))
    if data.get("answers"):
        values = [answer.get("value") for answer in data["answers"]]
        return ", ".join(_value(value) for value in values if value not in (None, "", []))
    return str(data.get("text") or "")


def _value(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
