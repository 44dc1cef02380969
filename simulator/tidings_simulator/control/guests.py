"""Actions of guests as callbacks, and the messages on their phones. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

import msgspec

from tidings.errors import ApiError, Code
from tidings.platforms.content import Button, Form, Rich, Text
from tidings.platforms.port import InboundMessage
from tidings.platforms.sandbox import phone
from tidings.platforms.sandbox.guest_messages import Envelope, platform_id, reply_buttons
from tidings.platforms.sandbox.replies import ButtonPress, GuestReply, write_reply
from tidings_simulator.callbacks.bodies import InboundEvent
from tidings_simulator.model import Number, Person, ReceivedMessage, SentMessage
from tidings_simulator.world import World

SHOWN_MAX = 200
DUPLICATES_CHECKED = 50
OPENS_NO_WINDOW = {"system", "unknown"}


def inbound_event(
    number: Number,
    person: Person,
    inbound: InboundMessage,
    constants: Mapping[str, Any] | None = None,
) -> InboundEvent:
    """The event for a simulated guest's message."""
    message: dict[str, Any] = msgspec.json.decode(inbound.raw)
    if constants and inbound.form is not None:
        filled = message["interactive"]["nfm_reply"]
        answers = {**msgspec.json.decode(filled["response_json"]), **constants}
        filled["response_json"] = msgspec.json.encode(answers).decode()
    return message_event(number, person, message, inbound.at)


def message_event(
    number: Number, person: Person, message: dict[str, Any], at: datetime
) -> InboundEvent:
    """Adds the sender: the BSUID, and the number unless it is hidden."""
    whole = {**message, "from_user_id": person.user_id}
    whole.pop("from", None)
    if not person.hides_number:
        whole = {"from": person.wa_id, **whole}
    return InboundEvent(
        number, person, whole, at, opens_window=message.get("type") not in OPENS_NO_WINDOW
    )


@dataclass(frozen=True, slots=True)
class GuestAction:
    """A reply of a guest. Messages are named by `wamid` or biz_opaque_callback_data."""

    from_: str
    to: str | None  # None: the number that last messaged the guest
    reply: GuestReply
    quoted: str | None = None
    pressed_in: str | None = None


def reply_event(world: World, action: GuestAction) -> InboundEvent:
    """The event for a guest's reply."""
    answered = _answered_message(world, action)
    number = require_number(world, action.from_, action.to)
    envelope = Envelope(
        platform_id=platform_id(f"in.{world.token()}"),
        from_=action.from_,
        to=number.number,
        at=world.clock.now(),
        quoted=answered.id if answered else None,
    )
    person = world.person(action.from_)
    row = _row(action.reply.button, answered) if action.reply.button and answered else None
    if row is not None:
        chosen = {"type": "list_reply", "list_reply": {"id": row.payload, "title": row.text}}
        return message_event(
            number, person, message_object(envelope, "interactive", chosen), envelope.at
        )
    inbound = write_reply(action.reply, envelope, answered.content if answered else None)
    return inbound_event(number, person, inbound, answered.constants if answered else None)


def message_object(envelope: Envelope, type_: str, body: Any) -> dict[str, Any]:
    """A message object of any type."""
    message: dict[str, Any] = {
        "id": envelope.platform_id,
        "timestamp": str(int(envelope.at.timestamp())),
        "type": type_,
    }
    if body is not None:
        message[type_] = body
    if envelope.quoted:
        message["context"] = {"from": envelope.to, "id": envelope.quoted}
    return message


def require_number(world: World, guest: str, to: str | None) -> Number:
    if to is not None:
        number = world.find_number(to)
        if number is None:
            raise ApiError(Code.VALIDATION_ERROR, f"to: there is no number {to}", field="to")
        return number
    last = next(world.sent_to(guest), None)
    return last.number if last else world.numbers()[0]


def _answered_message(world: World, action: GuestAction) -> SentMessage | None:
    """The sent message that the reply refers to."""
    named = action.pressed_in or action.quoted
    if named is not None:
        found = world.find_sent(named)
        if found is None or found.to != action.from_:
            field = "button.clientMessageId" if action.pressed_in else "quoted"
            problem = f"{field} names no message that was sent to this guest"
            raise ApiError(Code.VALIDATION_ERROR, problem, field=field)
        return found
    if action.reply.button is not None:
        return next((sent for sent in world.sent_to(action.from_) if _pressable(sent)), None)
    if action.reply.answers is not None:
        return next((s for s in world.sent_to(action.from_) if isinstance(s.content, Form)), None)
    return None


def _pressable(sent: SentMessage) -> bool:
    return sent.content is not None and bool(reply_buttons(sent.content) or _rows(sent))


def _rows(sent: SentMessage) -> list[Button]:
    buttons = sent.content.buttons if isinstance(sent.content, Rich) else ()
    return [button for button in buttons if button.kind == "list"]


def _row(asked: ButtonPress, answered: SentMessage) -> Button | None:
    for row in _rows(answered):
        if asked.text in (None, row.text) and asked.payload in (None, row.payload):
            return row
    return None


def show_phone(world: World, guest: str) -> dict[str, Any]:
    """The messages on the guest's phone, oldest first."""
    shown = [_show_sent(sent) for sent in world.sent_to(guest)]
    shown += [
        phone.show_inbound(received.raw, at=received.at) for received in world.received_from(guest)
    ]
    shown.reverse()
    shown.sort(key=lambda entry: str(entry["at"]))
    return {"number": guest, "messages": shown[-SHOWN_MAX:]}


def _show_sent(sent: SentMessage) -> dict[str, Any]:
    content, cid = sent.content or Text(""), sent.opaque or ""
    shown = phone.show_outbound(content, at=sent.at, message_id=sent.id, client_message_id=cid)
    if sent.content is None:
        shown |= {"type": sent.kind, "text": None}
    return shown


def record_inbound(world: World, event: InboundEvent) -> None:
    """Records the message and its sender, and opens the conversation window."""
    guest = event.person.number if event.person else ""
    if any(
        received.id == event.message["id"]
        for received in islice(reversed(world.received), DUPLICATES_CHECKED)
    ):
        return  # a duplicate
    raw = msgspec.json.encode(event.message)
    world.received.append(ReceivedMessage(event.message["id"], event.number, guest, raw, event.at))
    if event.person is not None:
        world.record_person(event.person)
        if event.opens_window:
            world.last_inbound_at[event.number.id, guest] = event.at
