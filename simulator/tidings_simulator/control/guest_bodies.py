"""Control request bodies that act as a guest. Pure.

`ReplyBody` is that of `POST /sandbox/v1/replies`, and knows a few more: any message the platform
can bring (`sample`, `message`).
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings import limits
from tidings.errors import ApiError, Code
from tidings.platforms.sandbox.guest_messages import Envelope, platform_id
from tidings.platforms.sandbox.replies import Attachment, ButtonPress, GuestReply
from tidings_simulator.callbacks.bodies import InboundEvent
from tidings_simulator.control.guests import GuestAction, message_event, reply_event, require_number
from tidings_simulator.control.inbound_samples import NAMES, sample
from tidings_simulator.model import Person
from tidings_simulator.world import World, user_id

ADVANCE_MAX = 10 * 366 * 24 * 3600  # ten years
Phone = Annotated[str, Meta(pattern="^[0-9]{5,20}$")]


class ControlBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel", kw_only=True):
    pass


class ClockBody(ControlBody):
    advance_seconds: Annotated[float, Meta(gt=0, le=ADVANCE_MAX)]


class ButtonBody(ControlBody):
    text: str | None = None
    payload: str | None = None
    client_message_id: str | None = None  # wamid or biz_opaque_callback_data


class MediaBody(ControlBody):
    type: Literal["image", "document"]
    caption: Annotated[str, Meta(max_length=limits.CAPTION_CHARS_MAX)] = ""


class FormBody(ControlBody):
    answers: dict[str, Any]


class ReplyBody(ControlBody):
    """Exactly one of text, button, media, form, stop, sample, message."""

    from_: Phone = msgspec.field(name="from")
    to: str | None = None
    text: str | UnsetType = UNSET
    button: ButtonBody | UnsetType = UNSET
    media: MediaBody | UnsetType = UNSET
    form: FormBody | UnsetType = UNSET
    stop: bool | UnsetType = UNSET
    sample: str | UnsetType = UNSET
    message: dict[str, Any] | UnsetType = UNSET
    quoted: str | None = None


class PersonBody(ControlBody):
    """Settings of a guest; omitted fields are unchanged."""

    name: str | None = None
    wa_id: Phone | None = None
    user_id: str | None = None
    hides_number: bool | None = None


_REPLY_FIELDS = ("text", "button", "media", "form", "stop", "sample", "message")


def write_reply(world: World, body: ReplyBody) -> InboundEvent:
    given = [name for name in _REPLY_FIELDS if getattr(body, name) is not UNSET]
    if len(given) != 1 or body.stop is False:
        raise _refusal("text", f"give exactly one of {', '.join(_REPLY_FIELDS)}")
    if body.sample is not UNSET or body.message is not UNSET:
        return _verbatim(world, body)
    button = None if body.button is UNSET else body.button
    media = None if body.media is UNSET else body.media
    action = GuestAction(
        body.from_,
        body.to,
        GuestReply(
            text=None if body.text is UNSET else body.text,
            button=ButtonPress(button.text, button.payload) if button else None,
            media=Attachment(media.type, media.caption) if media else None,
            answers=None if body.form is UNSET else body.form.answers,
            stop=body.stop is True,
        ),
        quoted=body.quoted,
        pressed_in=button.client_message_id if button else None,
    )
    return reply_event(world, action)


def _verbatim(world: World, body: ReplyBody) -> InboundEvent:
    number = require_number(world, body.from_, body.to)
    token = world.token()
    about = world.find_sent(body.quoted) if body.quoted else next(world.sent_to(body.from_), None)
    quoted = about.id if about else platform_id("nothing")
    envelope = Envelope(platform_id(f"in.{token}"), body.from_, number.number, world.clock.now())
    made = body.message
    if made is UNSET:
        made = _sample(str(body.sample), token, quoted, body.from_)
    message = {
        "id": envelope.platform_id,
        "timestamp": str(int(envelope.at.timestamp())),
        **made,
    }
    if body.quoted and "context" not in message:
        message["context"] = {"from": number.number, "id": quoted}
    return message_event(number, world.person(body.from_), message, envelope.at)


def _sample(name: str, token: str, quoted: str, guest: str) -> dict[str, Any]:
    found = sample(name, token, quoted, guest)
    if found is None:
        raise _refusal("sample", f"give one of {', '.join(NAMES)}")
    return found


def change_person(world: World, number: str, body: PersonBody) -> dict[str, Any]:
    known = world.person(number)
    person = Person(
        number,
        body.wa_id or known.wa_id,
        body.user_id or known.user_id or user_id(number),
        body.name or known.name,
        known.hides_number if body.hides_number is None else body.hides_number,
    )
    world.people[number] = person
    world.record_person(person)
    return {
        "number": person.number,
        "waId": person.wa_id,
        "userId": person.user_id,
        "name": person.name,
        "hidesNumber": person.hides_number,
    }


def _refusal(field: str, message: str) -> ApiError:
    return ApiError(Code.VALIDATION_ERROR, f"{field}: {message}", field=field)
