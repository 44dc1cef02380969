"""The JSON bodies of callbacks (platform.md, section 6). Pure.

Consecutive events are combined in one body without changing their order: events of one number share
a change, events of one account an entry.
"""

import hashlib
import hmac
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

import msgspec

from tidings import limits
from tidings_simulator.graph.errors import status_error
from tidings_simulator.model import Number, Person, SentMessage, Waba

SIGNATURE = "X-Hub-Signature-256"
_NOT_ASCII = re.compile("[^\x00-\x7f]")
_encode = msgspec.json.Encoder().encode


@dataclass(slots=True)
class StatusEvent:
    """A status of a sent message."""

    sent: SentMessage
    person: Person
    status: str
    at: datetime
    code: int | None = None  # with failed
    free: bool = False  # inside the conversation window


@dataclass(slots=True)
class InboundEvent:
    """A message from a guest; `message` is the platform's JSON object."""

    number: Number
    person: Person | None  # None for system messages
    message: dict[str, Any]
    at: datetime
    opens_window: bool = True  # whether it opens the conversation window
    silent: bool = False  # applied, but not posted


@dataclass(slots=True)
class ChangeEvent:
    """A change of a template, a number or the account."""

    waba: Waba
    field: str
    value: dict[str, Any]
    at: datetime
    number: Number | None = None
    apply: Callable[[], bool] | None = None  # applies it; False: it no longer applies
    silent: bool = False


CallbackEvent = StatusEvent | InboundEvent | ChangeEvent


def waba_of(event: CallbackEvent) -> Waba:
    if isinstance(event, ChangeEvent):
        return event.waba
    return event.sent.number.waba if isinstance(event, StatusEvent) else event.number.waba


def write_body(events: Sequence[CallbackEvent]) -> bytes:
    entries = [_entry(waba, list(same)) for waba, same in _by_account(events)]
    return _escaped(_encode({"object": "whatsapp_business_account", "entry": entries}))


def sign(body: bytes, secret: str) -> str:
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def _by_account(events: Iterable[CallbackEvent]) -> Iterable[tuple[Waba, Iterable[CallbackEvent]]]:
    for _, same in groupby(events, key=lambda event: waba_of(event).id):
        run = list(same)
        yield waba_of(run[0]), run


def _entry(waba: Waba, events: list[CallbackEvent]) -> dict[str, Any]:
    entry: dict[str, Any] = {"id": waba.id, "changes": _changes(events)}
    if any(isinstance(event, ChangeEvent) for event in events):
        entry["time"] = int(events[0].at.timestamp())
    return entry


def _changes(events: list[CallbackEvent]) -> list[dict[str, Any]]:
    changes: list[dict[str, Any]] = []
    for (kind, _), same in groupby(events, key=_change_key):
        run: list[Any] = list(same)
        if kind is ChangeEvent:
            changes += [{"value": event.value, "field": event.field} for event in run]
        elif kind is StatusEvent:
            value = _value(run[0].sent.number, [event.person for event in run])
            value["statuses"] = [_status(event) for event in run]
            changes.append({"value": value, "field": "messages"})
        else:
            value = _value(run[0].number, [event.person for event in run if event.person])
            value["messages"] = [event.message for event in run]
            changes.append({"value": value, "field": "messages"})
    return changes


def _change_key(event: CallbackEvent) -> tuple[type, str]:
    if isinstance(event, StatusEvent):
        return StatusEvent, event.sent.number.id
    return type(event), event.number.id if event.number else ""


def _value(number: Number, people: list[Person]) -> dict[str, Any]:
    value: dict[str, Any] = {
        "messaging_product": "whatsapp",
        "metadata": {"display_phone_number": number.number, "phone_number_id": number.id},
    }
    if people:
        value["contacts"] = [contact(person) for person in people]
    return value


def contact(person: Person) -> dict[str, Any]:
    shown: dict[str, Any] = {"profile": {"name": person.name}, "user_id": person.user_id}
    return shown if person.hides_number else {**shown, "wa_id": person.wa_id}


def _status(event: StatusEvent) -> dict[str, Any]:
    sent = event.sent
    status: dict[str, Any] = {
        "id": sent.id,
        "status": event.status,
        "timestamp": str(int(event.at.timestamp())),
        "recipient_id": event.person.wa_id or event.person.user_id,
        "recipient_user_id": event.person.user_id,
    }
    if sent.opaque is not None:
        status["biz_opaque_callback_data"] = sent.opaque
    if event.code is not None:
        status["errors"] = [status_error(event.code)]
    elif event.status in ("sent", "delivered"):
        status["conversation"] = _conversation(event)
        status["pricing"] = {
            "billable": not event.free,
            "pricing_model": "PMP",
            "type": "free_customer_service" if event.free else "regular",
            "category": sent.category,
        }
    return status


def _conversation(event: StatusEvent) -> dict[str, Any]:
    sent = event.sent
    name = f"{sent.number.id}/{event.person.user_id}/{sent.category}"
    told: dict[str, Any] = {
        "id": hashlib.blake2b(name.encode(), digest_size=16).hexdigest(),
        "origin": {"type": sent.category},
    }
    if event.status == "sent":
        ends: datetime = sent.at + limits.CONVERSATION_WINDOW + timedelta(minutes=1)
        told["expiration_timestamp"] = str(int(ends.timestamp()))
    return told


def _escaped(body: bytes) -> bytes:
    """The platform escapes non-ASCII characters and slashes, so only the raw bytes verify."""
    body = body.replace(b"/", b"\\/")
    if body.isascii():
        return body
    return _NOT_ASCII.sub(_escape, body.decode()).encode("ascii")


def _escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
