"""What a simulated guest sends us, in the platform's own shape (platform.md, section 6). Pure.

The magic recipients (`behaviour.py`) and `POST /sandbox/v1/replies` (`replies.py`) write with it.
"""

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from tidings.platforms.content import Button, Content, Form, Rich, Template
from tidings.platforms.port import InboundMessage
from tidings.platforms.sandbox import samples


@dataclass(frozen=True, slots=True)
class Envelope:
    """Who writes to which of our numbers, when, under which id, answering which of our messages."""

    platform_id: str
    from_: str
    to: str
    at: datetime
    quoted: str | None = None


def platform_id(token: str) -> str:
    """An id that looks like the platform's; the same token always gives the same one."""
    return "wamid." + base64.urlsafe_b64encode(token.encode()).rstrip(b"=").decode()


def reply_buttons(content: Content) -> tuple[Button, ...]:
    """The buttons of a message that send something back when pressed."""
    if isinstance(content, Template | Rich):
        return tuple(button for button in content.buttons if button.kind == "reply")
    return ()


def say(envelope: Envelope, text: str) -> InboundMessage:
    return _inbound(envelope, "text", {"body": text}, text=text)


def press(envelope: Envelope, content: Content, button: Button) -> InboundMessage:
    """A reply button. The platform names a template's press and an interactive one differently."""
    payload = button.payload or button.text  # without a payload the platform sends the label back
    if isinstance(content, Template):
        body: dict[str, Any] = {"payload": payload, "text": button.text}
        return _inbound(envelope, "button", body, text=button.text, payload=payload)
    body = {"type": "button_reply", "button_reply": {"id": payload, "title": button.text}}
    return _inbound(envelope, "interactive", body, text=button.text, payload=payload)


def attach(envelope: Envelope, kind: str, caption: str = "") -> InboundMessage:
    """A photo (`image`) or a file (`document`)."""
    sample = samples.SAMPLES[kind]
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


def fill(envelope: Envelope, form: Form, answers: Mapping[str, Any]) -> InboundMessage:
    """The answers of a form; the platform wraps them as JSON in a string."""
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
    """Digits, as the platform's; 48 bits of a hash of the message it came with."""
    return str(int.from_bytes(hashlib.blake2b(token.encode(), digest_size=6).digest(), "big"))
