"""The platform takes a message: its answer, and the callbacks that will follow.

How the recipient behaves is `behaviour.simulate_send`, the same as in the sandbox. It decides by
facts of the send, its attempt and its age; over HTTP nobody tells them, so here a refused message
is remembered until it is taken, and known again by its recipient and its words.
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
from tidings_simulator.callbacks.bodies import Event, Told
from tidings_simulator.connection import Answer, Reset
from tidings_simulator.control.guests import hear
from tidings_simulator.graph.errors import GraphError
from tidings_simulator.graph.message_bodies import Message
from tidings_simulator.graph.message_checks import Built
from tidings_simulator.model import Number, Person, Sent
from tidings_simulator.world import Refused, World

SILENCE = timedelta(milliseconds=250)  # callbacks follow a missing answer, they do not race it
INVITATION_LIFE = timedelta(days=1)  # for 9105: the platform is not told when one expires
OUTSIDE_WINDOW = 131047
NOTHING_SAID = Text("")  # of kinds that a gateway does not send
_encode = msgspec.json.Encoder().encode


@dataclass(slots=True)
class Asked:
    """A message that passed every check."""

    number: Number
    message: Message
    body: bytes
    person: Person
    built: Built
    now: datetime


@dataclass(slots=True)
class Taken:
    answer: Answer | Reset
    planned: list[tuple[datetime, Event]]


def take(world: World, asked: Asked, *, windows_open: bool) -> Taken:
    """Raises GraphError where the recipient's behaviour is to be refused."""
    send = _send(world, asked)
    result = simulate_send(send)
    if isinstance(result.outcome, Rejected):
        raise _refusal(world, send, result.outcome)
    open_ = windows_open or world.is_open(asked.number, asked.person.number, asked.now)
    sent = _sent(asked, platform_id(send.send_id))
    world.sent.append(sent)
    planned = _plan(world, asked, sent, result, open_)
    if isinstance(result.outcome, Accepted):
        return Taken(_accepted(asked, sent.id), planned)
    return Taken(Reset(), planned)


def _send(world: World, asked: Asked) -> Send:
    to = asked.person.number
    send = Send(
        world.token(),
        asked.number.waba.id,
        Sender(asked.number.number),
        to,
        asked.built.content or NOTHING_SAID,
        asked.message.biz_opaque_callback_data or "",
        asked.now,
        created_at=asked.now,
        expires_at=asked.now + INVITATION_LIFE,
        # A plain text answers what the guest said, and magic guests leave it at that.
        is_prompt=asked.message.type == "text",
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
        world.refused[_fingerprint(send)] = Refused(first_at, send.attempt)
    assert answer.failure.platform_code is not None
    return GraphError(answer.failure.platform_code)


def _fingerprint(send: Send) -> tuple[str, int]:
    return send.to, hash(_encode(send.content))


def _sent(asked: Asked, id_: str) -> Sent:
    return Sent(
        id_,
        asked.number,
        asked.person.number,
        asked.message.type,
        asked.body,
        asked.now,
        asked.message.biz_opaque_callback_data,
        asked.built.content,
        asked.built.category,
        asked.built.constants,
        asked.person.user_id,
    )


def _plan(
    world: World, asked: Asked, sent: Sent, result: DispatchResult, open_: bool
) -> list[tuple[datetime, Event]]:
    """What the recipient does, unless the platform stops the message first."""
    now, person = asked.now, asked.person
    stopped = asked.built.fails
    if not asked.built.is_template and not open_:
        stopped = OUTSIDE_WINDOW
    if stopped is not None:
        at = now + DELIVERED_AFTER
        return [(at, Told(sent, person, "failed", at, stopped))]
    events = [_event(world, sent, person, item, now, open_) for item in result.callbacks]
    if isinstance(result.outcome, UnknownOutcome):
        events = [(max(due, now + SILENCE), event) for due, event in events]
    said = any(isinstance(event, Told) and event.status == "sent" for _, event in events)
    if isinstance(result.outcome, Accepted) and not said:
        # In the sandbox the answer says it; this platform says it again.
        events.insert(0, (now, Told(sent, person, "sent", now, free=open_)))
    return events


def _event(
    world: World, sent: Sent, person: Person, item: ScheduledCallback, now: datetime, free: bool
) -> tuple[datetime, Event]:
    callback = item.callback
    if isinstance(callback, StatusUpdate):
        code = callback.failure.platform_code if callback.failure else None
        told = Told(sent, person, callback.status.value, callback.at, code, free)
        return now + item.after, told
    return now + item.after, hear(sent.number, person, callback, sent.constants)


def _accepted(asked: Asked, id_: str) -> Answer:
    message, person = asked.message, asked.person
    contact: dict[str, Any] = {"input": str(message.to or message.recipient)}
    if person.number:
        contact["wa_id"] = person.wa_id
    if message.to is None:
        contact["user_id"] = person.user_id
    taken = {"id": id_}
    if asked.built.is_template:
        taken["message_status"] = "accepted"
    return Answer(
        200,
        _encode({"messaging_product": "whatsapp", "contacts": [contact], "messages": [taken]}),
    )
