"""A simulated phone as `GET /sandbox/v1/phones/{number}` shows it. Pure.

`out` are messages that we sent to the phone, `in` those that it sent to us. Field names are those
of the public API.
"""

from datetime import datetime
from typing import Any

import msgspec

from tidings.platforms.content import (
    Button,
    Content,
    Form,
    Media,
    MediaRef,
    Passcode,
    Rich,
    Template,
    Text,
)
from tidings.times import to_wire

Shown = dict[str, Any]

DOTS = "••••••"  # hides the code and its length
_BUTTON_TYPES = {"copy_code": "copyCode"}


def show_outbound(
    content: Content, *, at: datetime, message_id: str | None, client_message_id: str
) -> Shown:
    """An outbound message, from its stored content; `at` is when it was sent."""
    shown = _blank("out", at, message_id, client_message_id)
    shown.update(_show_content(content))
    return shown


def show_inbound(raw: bytes | str, *, at: datetime) -> Shown:
    """An inbound message, from the stored JSON of the platform."""
    message: dict[str, Any] = msgspec.json.decode(raw, type=dict[str, Any])
    type_ = message["type"]
    shown = _blank("in", at, message["id"], None)
    shown["type"] = type_
    shown.update(_show_body(type_, message.get(type_) or {}))
    return shown


def _blank(direction: str, at: datetime, message_id: str | None, cid: str | None) -> Shown:
    return {
        "direction": direction,
        "at": to_wire(at),
        "messageId": message_id,
        "clientMessageId": cid,
        "type": None,
        "text": None,
        "title": None,
        "footer": None,
        "media": None,
        "buttons": [],
        "form": None,
    }


def _show_content(content: Content) -> Shown:
    match content:
        case Text():
            return {"type": "text", "text": content.body}
        case Template():
            return {
                "type": "template",
                "text": content.rendered,
                "title": content.header or None,
                "footer": content.footer or None,
                "media": _show_media(content.media),
                "buttons": [_show_button(button) for button in content.buttons],
            }
        case Media():
            caption = content.caption or None
            return {"type": content.kind, "text": caption, "media": _show_media(content.media)}
        case Rich():
            return {
                "type": "rich",
                "text": content.text,
                "title": content.head or None,
                "footer": content.footer or None,
                "media": _show_media(content.image),
                "buttons": [_show_button(button) for button in content.buttons],
            }
        case Passcode():
            copy = _show_button(Button("copy_code", "Copy code"))
            return {"type": "otp", "text": f"{DOTS} is your verification code.", "buttons": [copy]}
        case Form():
            return _show_form(content)


def _show_form(form: Form) -> Shown:
    questions = [
        {"id": q.id, "type": q.type, "text": q.text, "options": list(q.options)}
        for q in form.questions
    ]
    return {
        "type": "form",
        "text": form.title,
        "buttons": [_show_button(Button("flow", form.button))],
        "form": {"formId": form.form_id, "version": form.version, "questions": questions},
    }


def _show_media(media: MediaRef | None) -> Shown | None:
    if media is None:
        return None
    return {"mediaId": media.id, "mimetype": media.mimetype, "filename": media.filename or None}


def _show_button(button: Button) -> Shown:
    return {
        "type": _BUTTON_TYPES.get(button.kind, button.kind),
        "text": button.text,
        "payload": button.payload or None,
        "url": button.url or None,
    }


def _show_body(type_: str, body: dict[str, Any]) -> Shown:
    """Text, button, media or form of an inbound message; other types show only their type."""
    if type_ == "text":
        return {"text": body.get("body")}
    if type_ == "button":
        return _show_press(body.get("text", ""), body.get("payload", ""))
    if type_ == "interactive" and (pressed := body.get("button_reply")):
        return _show_press(pressed.get("title", ""), pressed.get("id", ""))
    if type_ == "interactive" and (filled := body.get("nfm_reply")):
        return {"form": {"answers": _read_answers(filled.get("response_json", ""))}}
    if "mime_type" in body:
        media = MediaRef(body.get("id", ""), body["mime_type"], body.get("filename", ""))
        return {"text": body.get("caption"), "media": _show_media(media)}
    return {}


def _show_press(text: str, payload: str) -> Shown:
    return {"text": text, "buttons": [_show_button(Button("reply", text, payload))]}


def _read_answers(response_json: str) -> Any:
    """The answers without the flow token, which is internal."""
    try:
        response = msgspec.json.decode(response_json)
    except msgspec.DecodeError:
        return None
    if isinstance(response, dict):
        response.pop("flow_token", None)
    return response
