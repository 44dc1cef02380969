"""The two main items of a callback: inbound messages and statuses (platform.md, section 6). Pure.

A message of an unknown type is kept: the fields that can be read are read, and `raw` holds all of
it. Only a message without an id, a timestamp or a sender is unreadable.
"""

from typing import Any

import msgspec

from tidings import limits
from tidings.platforms import failures
from tidings.platforms.port import Failure, InboundMessage, StatusKind, StatusUpdate

from .values import (
    Unreadable,
    first,
    identifier,
    number,
    part,
    phone,
    short,
    text,
    timestamp,
)

MEDIA = frozenset({"image", "document", "audio", "video", "sticker", "voice"})
# A message without `type` (one of Meta's own examples) has the type of the part it contains.
PARTS = ("text", "button", "interactive", *sorted(MEDIA), "location", "contacts", "reaction")
UNKNOWN = "unknown"
TYPE_CHARS_MAX = 64
FORM_CHARS_MAX = 262_144  # the longest response to a form, with every character escaped

KINDS = {
    "sent": StatusKind.SENT,
    "delivered": StatusKind.DELIVERED,
    "read": StatusKind.READ,
    "played": StatusKind.READ,  # a voice message that was played
    "failed": StatusKind.FAILED,
}
UNKNOWN_ERROR = 131000

# Error texts of these codes may quote the message, which may contain a passcode.
QUOTING = frozenset({100, 131008, 131009, *range(132000, 133000)})


class _Status(msgspec.Struct):
    id: object = None
    status: str = ""
    timestamp: object = None
    recipient_id: object = None
    biz_opaque_callback_data: object = None
    type: object = None
    errors: object = None


_decode_status = msgspec.json.Decoder(_Status).decode
_decode_message = msgspec.json.Decoder().decode


def read_message(raw: bytes, contacts: object) -> InboundMessage | None:
    """The message in this JSON; None for a group message, which does not concern us.

    `sender`, our number, stays empty: it is set when the callback is routed to an account.
    """
    message = _decode_message(raw)
    if not isinstance(message, dict):
        raise Unreadable("a message is not an object")
    if message.get("group_id"):
        return None
    person, user = _sender_of(message, contacts)
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
    """What is kept of a message that is longer than any a person can write."""
    names = ("id", "from", "from_user_id", "timestamp", "type")
    kept = {name: short(message[name]) for name in names if name in message}
    return msgspec.json.encode(kept | {"truncated": True})


def _sender_of(message: dict[str, Any], contacts: object) -> tuple[str | None, str | None]:
    """The guest's phone number and the platform's user id; at least one of them is set."""
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
    """The sender's contact. One callback may carry messages, and contacts, of several people."""
    found = [one for one in contacts if isinstance(one, dict)] if isinstance(contacts, list) else []
    ids = [message[name] for name in ("from", "from_user_id") if message.get(name)]
    if not ids and len(found) == 1:
        return found[0]
    return next((one for one in found if _is_of(one, ids)), {})


def _is_of(contact: dict[str, Any], ids: list[Any]) -> bool:
    return any(contact.get(name) in ids for name in ("wa_id", "user_id") if contact.get(name))


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
        return {"form": _form_response(part(value, "nfm_reply").get("response_json"))}
    return {}


def _form_response(response: object) -> str | None:
    """The JSON string as received; an object in its place is encoded to a string."""
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
    """The new content of an edited message."""
    kind = _type(message)
    return {} if kind == "edit" else _content(kind, message)


def read_status(raw: bytes | msgspec.Raw) -> StatusUpdate | None:
    """The status in this JSON; None for a kind that does not affect a message."""
    try:
        found = _decode_status(raw)
    except msgspec.ValidationError as fault:
        raise Unreadable(f"a status is malformed: {fault}") from None
    kind = KINDS.get(found.status)
    if kind is None or found.type == "payment":
        if not found.status:
            raise Unreadable("a status has no `status`")
        return None
    opaque = found.biz_opaque_callback_data
    recipient = found.recipient_id
    return StatusUpdate(
        platform_id=identifier(found.id, "the status's message id"),
        send_id=opaque if isinstance(opaque, str) else None,
        status=kind,
        at=timestamp(found.timestamp),
        recipient=recipient if isinstance(recipient, str) else "",
        failure=_failure(found.errors) if kind is StatusKind.FAILED else None,
    )


def _failure(errors: object) -> Failure:
    """The failure for the first error."""
    error = first(errors)
    code = number(error.get("code")) or UNKNOWN_ERROR
    if code < 0 or code in QUOTING:
        return failures.explain(max(code, 0) or UNKNOWN_ERROR)
    data = part(error, "error_data").get("details") or error.get("error_data")
    said = (one for one in (data, error.get("message"), error.get("title")) if _is_text(one))
    return failures.explain(code, details=str(next(said, "")).replace("\0", ""))


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
