"""`POST /{phone-number-id}/messages`: the checks before a message is accepted."""

import re
from collections.abc import Callable
from datetime import datetime

import msgspec

from tidings.platforms.content import Media as MediaContent
from tidings.platforms.content import Passcode, Text
from tidings_simulator.connection import Response
from tidings_simulator.graph.accept import CheckedMessage
from tidings_simulator.graph.errors import GraphError, bad_value, invalid, param_must, required
from tidings_simulator.graph.interactive import build_interactive
from tidings_simulator.graph.message_bodies import Media, Message, read_message
from tidings_simulator.graph.message_checks import CheckContext, ParsedMessage, require_chars
from tidings_simulator.graph.template_send import build_template
from tidings_simulator.model import Number, Person
from tidings_simulator.world import World

TEXT_CHARS_MAX, CAPTION_CHARS_MAX, OPAQUE_CHARS_MAX = 4096, 1024, 512
CONTACTS_MAX = 257
_PUNCTUATION = re.compile(r"[+\s().-]")
_DIGITS = re.compile("[1-9][0-9]{4,19}")


def check_message(world: World, number: Number, body: bytes) -> CheckedMessage | Response:
    """The message if it is valid; the response for a read receipt."""
    message = read_message(body)
    if message.messaging_product != "whatsapp":
        raise invalid("Param messaging_product must be one of {WHATSAPP}")
    if message.status is not None:
        return _mark_read(world, number, message)
    now = world.clock.now()
    _require_number(number)
    person = _recipient(world, number, message)
    parsed = _build(CheckContext(world, number, now), message)
    _require_receivable(message, person, parsed)
    _require_rate(world, number, now)
    return CheckedMessage(number, message, body, person, parsed, now)


def recipient_of(body: bytes) -> str:
    """The recipient of an unchecked body; "" if it cannot be read."""
    try:
        given = msgspec.json.decode(body)
    except msgspec.DecodeError:
        return ""
    to = given.get("to") if isinstance(given, dict) else None
    return _PUNCTUATION.sub("", str(to)) if to is not None else ""


# Checks


def _mark_read(world: World, number: Number, message: Message) -> Response:
    if message.status != "read":
        raise param_must("status", "be one of {READ}")
    if not message.message_id:
        raise required("message_id")
    if not any(message.message_id == heard.id for heard in reversed(world.received)):
        raise bad_value(f"Message {message.message_id} was not received by {number.id}")
    return Response(200, b'{"success":true}')


def _require_number(number: Number) -> None:
    if number.status in ("CONNECTED", "LINKED", "FLAGGED"):
        return
    code = 131031 if number.status in ("BANNED", "RESTRICTED") else 133010
    raise GraphError(code, f"The phone number {number.id} is {number.status}")


def _recipient(world: World, number: Number, message: Message) -> Person:
    if message.recipient_type not in ("individual", "group"):
        raise param_must("recipient_type", "be one of {INDIVIDUAL, GROUP}")
    if message.to is None:
        if not message.recipient:
            raise required("to")
        known = world.find_by_user_id(message.recipient)
        return world.person(known) if known else Person("", "", message.recipient)
    digits = _PUNCTUATION.sub("", str(message.to))
    if not _DIGITS.fullmatch(digits):
        raise invalid("Parameter Invalid: to is not a phone number in international format")
    if digits == number.number:
        raise GraphError(131021)
    if number.allowed is not None and digits not in number.allowed:
        raise GraphError(131030, "Recipient phone number not in allowed list: add it first")
    return world.person(digits)


def _require_receivable(message: Message, person: Person, parsed: ParsedMessage) -> None:
    opaque = message.biz_opaque_callback_data
    if opaque is not None and len(opaque) > OPAQUE_CHARS_MAX:
        raise param_must("biz_opaque_callback_data", f"be at most {OPAQUE_CHARS_MAX} characters")
    if isinstance(parsed.content, Passcode) and not person.number:
        raise GraphError(131062, "Authentication templates need the recipient's phone number")


def _require_rate(world: World, number: Number, now: datetime) -> None:
    if number.per_second is None:
        return
    second = int(now.timestamp())
    begun, taken = world.send_counts.get(number.id, (second, 0))
    taken = taken + 1 if begun == second else 1
    if taken > number.per_second:
        raise GraphError(130429, "Cloud API message throughput has been reached.")
    world.send_counts[number.id] = (second, taken)


# Message types


def _build(context: CheckContext, message: Message) -> ParsedMessage:
    build = _TYPES.get(message.type)
    if build is None:
        allowed = ", ".join(sorted(_TYPES)).upper()
        raise param_must("type", f'be one of {{{allowed}}} - got "{message.type}".')
    if getattr(message, message.type) is None:
        raise required(message.type)
    return build(context, message)


def _text(_desk: CheckContext, message: Message) -> ParsedMessage:
    assert message.text is not None
    require_chars(message.text.body, TEXT_CHARS_MAX, "text['body']")
    return ParsedMessage(Text(message.text.body))


def _media(context: CheckContext, message: Message) -> ParsedMessage:
    kind = message.type
    media: Media = getattr(message, kind)
    ref, fails = context.require_media(media, kind, kind)
    for name, allowed in (
        ("caption", ("image", "video", "document")),
        ("filename", ("document",)),
        ("voice", ("audio",)),
    ):
        if getattr(media, name) is not None and kind not in allowed:
            raise invalid(f'Unexpected key "{name}" on param "{kind}".')
    if len(media.caption or "") > CAPTION_CHARS_MAX:
        raise param_must(f"{kind}['caption']", f"be at most {CAPTION_CHARS_MAX} characters long.")
    return ParsedMessage(MediaContent(kind, ref, media.caption or ""), fails=fails)


def _reaction(_desk: CheckContext, message: Message) -> ParsedMessage:
    assert message.reaction is not None
    if not message.reaction.message_id:
        raise required("reaction['message_id']")
    return ParsedMessage(None)


def _location(_desk: CheckContext, message: Message) -> ParsedMessage:
    assert message.location is not None
    for name, most in (("latitude", 90), ("longitude", 180)):
        try:
            within = abs(float(getattr(message.location, name))) <= most
        except ValueError:
            within = False
        if not within:
            raise bad_value(f"location['{name}'] must be a number from -{most} to {most}")
    return ParsedMessage(None)


def _contacts(_desk: CheckContext, message: Message) -> ParsedMessage:
    given = message.contacts or []
    if not 1 <= len(given) <= CONTACTS_MAX:
        raise bad_value(f"contacts must have 1 to {CONTACTS_MAX} entries")
    for each in given:
        name = each.get("name")
        if not isinstance(name, dict) or not name.get("formatted_name"):
            raise required("contacts['name']['formatted_name']")
    return ParsedMessage(None)


def _template(context: CheckContext, message: Message) -> ParsedMessage:
    assert message.template is not None
    return build_template(context, message.template)


def _interactive(context: CheckContext, message: Message) -> ParsedMessage:
    assert message.interactive is not None
    return build_interactive(context, message.interactive)


_TYPES: dict[str, Callable[[CheckContext, Message], ParsedMessage]] = {
    "text": _text,
    "template": _template,
    "interactive": _interactive,
    "image": _media,
    "video": _media,
    "audio": _media,
    "document": _media,
    "sticker": _media,
    "reaction": _reaction,
    "location": _location,
    "contacts": _contacts,
}
