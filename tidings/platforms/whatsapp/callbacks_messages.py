"""What a guest sent, from the platform's message to an `Inbound` (platform.md, section 6). Pure.

Every type is kept, also one nobody has heard of: what can be read of it is read, and `raw` holds
all of it. Only a message without an id, a time or a sender is none.
"""

from typing import Any

import msgspec

from tidings import limits
from tidings.platforms.port import InboundMessage

from .callbacks_values import Unreadable, first, identifier, part, phone, short, text, timestamp

MEDIA = frozenset({"image", "document", "audio", "video", "sticker", "voice"})
# One of Meta's own examples has no `type`: then the part that is there tells it.
PARTS = ("text", "button", "interactive", *sorted(MEDIA), "location", "contacts", "reaction")
UNKNOWN = "unknown"
TYPE_CHARS_MAX = 64
FORM_CHARS_MAX = 262_144  # the longest form a person can fill in, every character escaped

_decode = msgspec.json.Decoder().decode


def read_message(raw: bytes, contacts: object) -> InboundMessage | None:
    """The message in this JSON. None: it is of a group, where nobody of ours takes part.

    `sender`, our number, is left empty: whoever routes the callback knows it.
    """
    message = _decode(raw)
    if not isinstance(message, dict):
        raise Unreadable("a message is no object")
    if message.get("group_id"):
        return None
    person, user = _who(message, contacts)
    kind = _type(message)
    return InboundMessage(
        platform_id=identifier(message.get("id"), "the message's id"),
        sender="",
        from_=person or "",
        at=timestamp(message.get("timestamp")),
        type=kind,
        raw=raw if len(raw) <= limits.INBOUND_RAW_BYTES_MAX else _head(message),
        user_id=user,
        **_content(kind, message),
    )


def _head(message: dict[str, Any]) -> bytes:
    """What is kept of a message that is far longer than any a person can write."""
    names = ("id", "from", "from_user_id", "timestamp", "type")
    kept = {name: short(message[name]) for name in names if name in message}
    return msgspec.json.encode(kept | {"truncated": True})


def _who(message: dict[str, Any], contacts: object) -> tuple[str | None, str | None]:
    """The guest's phone number and the platform's id of the guest: at least one of them."""
    given = message.get("from")
    contact = _contact(message, contacts)
    person = phone(given) or (phone(contact.get("wa_id")) if given is None else None)
    user = short(message.get("from_user_id")) or short(contact.get("user_id"))
    if user is None and person is None:
        user = short(given) or short(contact.get("wa_id"))
    if person is None and user is None:
        raise Unreadable("a message has no sender")
    return person, user


def _contact(message: dict[str, Any], contacts: object) -> dict[str, Any]:
    """The sender's own: messages of several people may share a callback, and its contacts."""
    found = [one for one in contacts if isinstance(one, dict)] if isinstance(contacts, list) else []
    named = [message[name] for name in ("from", "from_user_id") if message.get(name)]
    if not named and len(found) == 1:
        return found[0]
    return next((one for one in found if _is_of(one, named)), {})


def _is_of(contact: dict[str, Any], named: list[Any]) -> bool:
    return any(contact.get(name) in named for name in ("wa_id", "user_id") if contact.get(name))


def _type(message: dict[str, Any]) -> str:
    given = short(message.get("type"))
    return (
        given[:TYPE_CHARS_MAX]
        if given
        else next((name for name in PARTS if name in message), UNKNOWN)
    )


def _content(kind: str, message: dict[str, Any]) -> dict[str, str | None]:
    """The fields of `Inbound` that depend on the type."""
    quoted = short(part(message, "context").get("id"))
    if kind == "text":
        return {"text": text(part(message, "text").get("body")), "quoted": quoted}
    if kind == "button":
        pressed = part(message, "button")
        return {
            "text": text(pressed.get("text")),
            "payload": short(pressed.get("payload")),
            "quoted": quoted,
        }
    if kind == "interactive":
        return {**_interactive(part(message, "interactive")), "quoted": quoted}
    if kind in MEDIA:
        return {**_media(part(message, kind)), "quoted": quoted}
    if kind == "reaction":
        reaction = part(message, "reaction")
        return {"text": text(reaction.get("emoji")), "quoted": short(reaction.get("message_id"))}
    if kind == "edit":
        return _edited(part(part(message, "edit"), "message"))
    if kind == "order":
        return {"text": text(part(message, "order").get("text")), "quoted": quoted}
    if kind == "system":
        return {"text": text(part(message, "system").get("body")), "quoted": quoted}
    if kind == "contacts":
        shown = part(first(message.get("contacts")), "name").get("formatted_name")
        return {"text": text(shown), "quoted": quoted}
    return {"quoted": quoted}


def _interactive(value: dict[str, Any]) -> dict[str, str | None]:
    kind = value.get("type")
    if kind in ("button_reply", "list_reply"):
        reply = part(value, kind)
        return {"text": text(reply.get("title")), "payload": short(reply.get("id"))}
    if kind == "nfm_reply":
        return {"form": _filled(part(value, "nfm_reply").get("response_json"))}
    return {}


def _filled(response: object) -> str | None:
    """A JSON string as it came; one that came as the object itself is made a string again."""
    if isinstance(response, dict):
        response = msgspec.json.encode(response).decode()
    if not isinstance(response, str) or not response:
        return None
    return response.replace("\0", "\ufffd")[:FORM_CHARS_MAX]


def _media(value: dict[str, Any]) -> dict[str, str | None]:
    return {
        "text": text(value.get("caption")),
        "media_id": short(value.get("id")),
        "media_type": short(value.get("mime_type")),
    }


def _edited(message: dict[str, Any]) -> dict[str, str | None]:
    """The new version of what the guest had written."""
    kind = _type(message)
    return {} if kind == "edit" else _content(kind, message)
