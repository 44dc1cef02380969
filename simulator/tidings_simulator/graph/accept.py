"""Accepts a checked message: the response, and the callbacks that follow.

The recipient's behaviour is `behaviour.simulate_send`, as in the sandbox. It depends on the attempt
number and the message's age, which the Graph API does not carry: a refused message is therefore
stored until it is accepted, and recognised by its recipient and content.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import msgspec

from tidings.platforms.content import Text
from tidings.platforms.port import (
    Accepted,
    DispatchResult,
    Rejected,
    ScheduledCallback,
    Send,
    Sender,
    StatusUpdate,
    UnknownOutcome,
)
from tidings.platforms.sandbox.behaviour import DELIVERED_AFTER, MAGIC, simulate_send
from tidings.platforms.sandbox.guest_messages import platform_id
from tidings_simulator.callbacks.bodies import CallbackEvent, StatusEvent
from tidings_simulator.connection import Reset, Response
from tidings_simulator.control.guests import inbound_event
from tidings_simulator.graph.errors import GraphError
from tidings_simulator.graph.message_bodies import Message
from tidings_simulator.graph.message_checks import ParsedMessage
from tidings_simulator.model import Number, Person, SentMessage
from tidings_simulator.world import RefusedMessage, World

# Without a response, callbacks follow the closed connection instead of racing it.
CALLBACK_DELAY_WITHOUT_RESPONSE = timedelta(milliseconds=250)
INVITATION_LIFE = timedelta(days=1)  # for 9105: the Graph API does not carry the expiry
OUTSIDE_WINDOW = 131047
EMPTY_TEXT = Text("")  # for types that a gateway does not send
_encode = msgspec.json.Encoder().encode


@dataclass(slots=True)
class CheckedMessage:
    """A message that passed every check."""

    number: Number
    message: Message
    body: bytes
    person: Person
    parsed: ParsedMessage
    now: datetime


@dataclass(slots=True)
class Acceptance:
    response: Response | Reset
    callbacks: list[tuple[datetime, CallbackEvent]]


def accept(world: World, checked: CheckedMessage, *, windows_open: bool) -> Acceptance:
    """Raises GraphError if the recipient's behaviour is an error."""
    send = _send(world, checked)
    result = simulate_send(send)
    if isinstance(result.outcome, Rejected):
        raise _refusal(world, send, result.outcome)
    open_ = windows_open or world.is_window_open(checked.number, checked.person.number, checked.now)
    sent = _sent(checked, platform_id(send.send_id))
    world.sent.append(sent)
    callbacks = _schedule(world, checked, sent, result, open_)
    if isinstance(result.outcome, Accepted):
        return Acceptance(_accepted(checked, sent.id), callbacks)
    return Acceptance(Reset(), callbacks)


def _send(world: World, checked: CheckedMessage) -> Send:
    to = checked.person.number
    send = Send(
        world.token(),
        checked.number.waba.id,
        Sender(checked.number.number),
        to,
        checked.parsed.content or EMPTY_TEXT,
        checked.message.biz_opaque_callback_data or "",
        checked.now,
        created_at=checked.now,
        expires_at=checked.now + INVITATION_LIFE,
        # Plain text can only be a reply to a guest, and magic guests do not reply to it.
        is_prompt=checked.message.type == "text",
    )
    behaviour = MAGIC.get(to[-4:])
    if behaviour is None or behaviour.refusal is None:
        return send
    known = world.refused.pop(_fingerprint(send), None)
    if known is None:
        return send
    return msgspec.structs.replace(send, attempt=known.attempts + 1, created_at=known.first_at)


def _refusal(world: World, send: Send, answer: Rejected) -> GraphError:
    refusal = MAGIC[send.to[-4:]].refusal
    if refusal is not None and (refusal.attempts is not None or refusal.age is not None):
        first_at = send.created_at or send.at
        world.refused[_fingerprint(send)] = RefusedMessage(first_at, send.attempt)
    assert answer.failure.platform_code is not None
    return GraphError(answer.failure.platform_code)


def _fingerprint(send: Send) -> tuple[str, int]:
    return send.to, hash(_encode(send.content))


def _sent(checked: CheckedMessage, id_: str) -> SentMessage:
    return SentMessage(
        id_,
        checked.number,
        checked.person.number,
        checked.message.type,
        checked.body,
        checked.now,
        checked.message.biz_opaque_callback_data,
        checked.parsed.content,
        checked.parsed.category,
        checked.parsed.constants,
        checked.person.user_id,
    )


def _schedule(
    world: World, checked: CheckedMessage, sent: SentMessage, result: DispatchResult, open_: bool
) -> list[tuple[datetime, CallbackEvent]]:
    """The recipient's callbacks, unless the platform fails the message first."""
    now, person = checked.now, checked.person
    stopped = checked.parsed.fails
    if not checked.parsed.is_template and not open_:
        stopped = OUTSIDE_WINDOW
    if stopped is not None:
        at = now + DELIVERED_AFTER
        return [(at, StatusEvent(sent, person, "failed", at, stopped))]
    events = [_event(world, sent, person, item, now, open_) for item in result.callbacks]
    if isinstance(result.outcome, UnknownOutcome):
        events = [(max(due, now + CALLBACK_DELAY_WITHOUT_RESPONSE), event) for due, event in events]
    has_sent = any(isinstance(event, StatusEvent) and event.status == "sent" for _, event in events)
    if isinstance(result.outcome, Accepted) and not has_sent:
        # The sandbox omits `sent`, which the response implies; the platform posts it.
        events.insert(0, (now, StatusEvent(sent, person, "sent", now, free=open_)))
    return events


def _event(
    world: World,
    sent: SentMessage,
    person: Person,
    item: ScheduledCallback,
    now: datetime,
    free: bool,
) -> tuple[datetime, CallbackEvent]:
    callback = item.callback
    if isinstance(callback, StatusUpdate):
        code = callback.failure.platform_code if callback.failure else None
        status = StatusEvent(sent, person, callback.status.value, callback.at, code, free)
        return now + item.after, status
    return now + item.after, inbound_event(sent.number, person, callback, sent.constants)


def _accepted(checked: CheckedMessage, id_: str) -> Response:
    message, person = checked.message, checked.person
    contact: dict[str, Any] = {"input": str(message.to or message.recipient)}
    if person.number:
        contact["wa_id"] = person.wa_id
    if message.to is None:
        contact["user_id"] = person.user_id
    accepted = {"id": id_}
    if checked.parsed.is_template:
        accepted["message_status"] = "accepted"
    return Response(
        200,
        _encode({"messaging_product": "whatsapp", "contacts": [contact], "messages": [accepted]}),
    )
