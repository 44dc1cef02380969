"""Inbound messages of simulated guests, in the platform's own JSON (platform.md, section 6). Pure.

`magic_reply` writes the replies of the magic recipients 9101 to 9110 (`behaviour.py`); the other
functions build one message each and are shared with `POST /sandbox/v1/replies` (`replies.py`).
"""

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec

from tidings.platforms.content import Button, Content, Form, Question, Rich, Template
from tidings.platforms.port import InboundMessage, Send


@dataclass(frozen=True, slots=True)
class SampleFile:
    """A file that a simulated guest sends."""

    mimetype: str
    filename: str
    data: bytes


# A complete baseline JPEG of one grey pixel.
_PHOTO = base64.b64decode(
    "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////"
    "////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAA"
    "AAAAAAAAAAD/2gAIAQEAAD8AN//Z"
)

# One empty page, one inch square.
_DOCUMENT = (
    b"%PDF-1.4\n"
    b"1 0 obj<</Type/Catalog/Pages 2 0 R>> endobj\n"
    b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>> endobj\n"
    b"xref\n"
    b"0 4\n"
    b"0000000000 65535 f \n"
    b"0000000009 00000 n \n"
    b"0000000053 00000 n \n"
    b"0000000103 00000 n \n"
    b"trailer<</Size 4/Root 1 0 R>>\n"
    b"startxref\n"
    b"165\n"
    b"%%EOF\n"
)

SAMPLES = {
    "image": SampleFile("image/jpeg", "photo.jpg", _PHOTO),
    "document": SampleFile("application/pdf", "document.pdf", _DOCUMENT),
}


class MagicReply(StrEnum):
    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"
    YES_FOUR = "yes, four guests"
    STOP = "stop"
    PHOTO = "a photo"
    FORM_BEST = "form, rating 5"
    FORM_WORST = "form, rating 1"


_TEXTS = {
    MagicReply.YES: "Yes",
    MagicReply.NO: "No",
    MagicReply.UNCLEAR: "Who is this?",
    MagicReply.YES_FOUR: "Yes, we will be 4",
    MagicReply.STOP: "STOP",
}
_BUTTON_PRESSED = {MagicReply.YES: 0, MagicReply.NO: 1}
_RATINGS = {MagicReply.FORM_BEST: "5", MagicReply.FORM_WORST: "1"}
FORM_REPLIES = frozenset(_RATINGS)
_COMMENTS = {"5": "Lovely, thank you.", "1": "We waited for an hour."}


@dataclass(frozen=True, slots=True)
class Envelope:
    """The common fields of an inbound message; `quoted` is the id of the message it replies to."""

    platform_id: str
    from_: str
    to: str
    at: datetime
    quoted: str | None = None


def magic_reply(
    reply: MagicReply, send: Send, quoted: str, *, index: int, at: datetime
) -> InboundMessage | None:
    """Reply number `index` to this send; None if the reply does not apply to its content.

    Button presses and form responses quote our message, typed text does not, as on a phone.
    """
    id_ = platform_id(f"{send.send_id}.reply.{index}")
    envelope = Envelope(id_, send.to, send.sender.number, at)
    quoting = replace(envelope, quoted=quoted)
    if reply in _RATINGS:
        if not isinstance(send.content, Form):
            return None
        return form_response(quoting, send.content, form_answers(send.content, _RATINGS[reply]))
    if reply is MagicReply.PHOTO:
        return media_message(envelope, "image")
    buttons = reply_buttons(send.content)
    index_pressed = _BUTTON_PRESSED.get(reply, len(buttons))
    if index_pressed < len(buttons):
        return button_press(quoting, send.content, buttons[index_pressed])
    return text_message(envelope, _TEXTS[reply])


def form_answers(form: Form, rating: str) -> dict[str, Any]:
    """An answer to every question. The platform returns ratings as strings, choices as a list."""
    if not form.questions:
        return {"rating": rating}
    return {question.id: _answer(question, rating) for question in form.questions}


def _answer(question: Question, rating: str) -> Any:
    if question.type == "rating":
        return rating
    if question.type == "single":
        return question.options[0] if question.options else ""
    if question.type == "multi":
        return list(question.options[:2])
    return _COMMENTS[rating]


def platform_id(token: str) -> str:
    """An id in the platform's format, derived from the token: the same token, the same id."""
    return "wamid." + base64.urlsafe_b64encode(token.encode()).rstrip(b"=").decode()


def reply_buttons(content: Content) -> tuple[Button, ...]:
    """The buttons of a message that send a reply when pressed."""
    if isinstance(content, Template | Rich):
        return tuple(button for button in content.buttons if button.kind == "reply")
    return ()


def text_message(envelope: Envelope, text: str) -> InboundMessage:
    return _inbound(envelope, "text", {"body": text}, text=text)


def button_press(envelope: Envelope, content: Content, button: Button) -> InboundMessage:
    """A press of a reply button: type `button` for a template, `interactive` for a rich message."""
    payload = button.payload or button.text  # without a payload the platform returns the label
    if isinstance(content, Template):
        body: dict[str, Any] = {"payload": payload, "text": button.text}
        return _inbound(envelope, "button", body, text=button.text, payload=payload)
    body = {"type": "button_reply", "button_reply": {"id": payload, "title": button.text}}
    return _inbound(envelope, "interactive", body, text=button.text, payload=payload)


def media_message(envelope: Envelope, kind: str, caption: str = "") -> InboundMessage:
    """A sample photo (`image`) or PDF (`document`)."""
    sample = SAMPLES[kind]
    body = {
        "id": _media_id(envelope.platform_id),
        "mime_type": sample.mimetype,
        "sha256": base64.b64encode(hashlib.sha256(sample.data).digest()).decode(),
    }
    if kind == "document":
        body["filename"] = sample.filename
    if caption:
        body["caption"] = caption
    return _inbound(
        envelope,
        kind,
        body,
        text=caption or None,
        media_id=body["id"],
        media_type=sample.mimetype,
    )


def form_response(envelope: Envelope, form: Form, answers: Mapping[str, Any]) -> InboundMessage:
    """A completed form; the platform sends its answers as JSON inside a string."""
    response = msgspec.json.encode({**answers, "flow_token": form.token}).decode()
    reply = {"name": "flow", "body": "Sent", "response_json": response}
    body = {"type": "nfm_reply", "nfm_reply": reply}
    return _inbound(envelope, "interactive", body, form=response)


def _inbound(envelope: Envelope, type_: str, body: dict[str, Any], **fields: Any) -> InboundMessage:
    raw: dict[str, Any] = {
        "from": envelope.from_,
        "id": envelope.platform_id,
        "timestamp": str(int(envelope.at.timestamp())),
        "type": type_,
        type_: body,
    }
    if envelope.quoted:
        raw["context"] = {"from": envelope.to, "id": envelope.quoted}
    return InboundMessage(
        platform_id=envelope.platform_id,
        sender=envelope.to,
        from_=envelope.from_,
        at=envelope.at,
        type=type_,
        raw=msgspec.json.encode(raw),
        quoted=envelope.quoted,
        **fields,
    )


def _media_id(token: str) -> str:
    """Decimal digits, like the platform's media ids: 48 bits of a hash of the message id."""
    return str(int.from_bytes(hashlib.blake2b(token.encode(), digest_size=6).digest(), "big"))
