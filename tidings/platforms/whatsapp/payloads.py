"""Message content as the body of POST /{phone-number-id}/messages. Pure.

Files are sent by the id of their upload (`media_id`), never by a link: a link that the platform
cannot fetch fails only after the message was accepted. Golden bodies: tests/platforms/golden.
"""

from functools import singledispatch
from itertools import zip_longest
from typing import Any

from tidings.platforms.content import (
    FORM_SCREEN,
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
from tidings.platforms.port import Send

Json = dict[str, Any]

FLOW_MESSAGE_VERSION = "3"
PDF = "application/pdf"


def find_media(content: Content) -> MediaRef | None:
    """The file that must be uploaded before the message can be sent."""
    if isinstance(content, Template | Media):
        return content.media
    return content.image if isinstance(content, Rich) else None


def request_body(send: Send, media_id: str = "") -> Json:
    """`media_id`: the platform's id of the file that `find_media` returns."""
    kind, part = _message(send.content, send, media_id)
    return {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        "to": send.to,
        "type": kind,
        kind: part,
        "biz_opaque_callback_data": send.send_id,
    }


@singledispatch
def _message(content: object, send: Send, media_id: str) -> tuple[str, Json]:
    raise AssertionError(f"{type(content).__name__} is not message content")


@_message.register
def _(content: Text, _send: Send, _media_id: str) -> tuple[str, Json]:
    return "text", {"body": content.body, "preview_url": False}


@_message.register
def _(content: Media, _send: Send, media_id: str) -> tuple[str, Json]:
    part = {"id": media_id}
    if content.caption:
        part["caption"] = content.caption
    if content.kind == "document":
        part["filename"] = content.media.filename
    return content.kind, part


@_message.register
def _(content: Template, send: Send, media_id: str) -> tuple[str, Json]:
    components = [
        *_header(content, media_id),
        *_body(content.body, content.names[1:] if content.header_text else content.names),
        *_buttons(content, send.send_id),
    ]
    return "template", _template(content.name, content.language, components)


@_message.register
def _(content: Passcode, _send: Send, _media_id: str) -> tuple[str, Json]:
    """The copy-code button takes its code like a `url` button its suffix."""
    components = [*_body((content.code,)), _button("url", 0, _text(content.code))]
    return "template", _template(content.name, content.language, components)


@_message.register
def _(content: Form, send: Send, _media_id: str) -> tuple[str, Json]:
    if content.template:
        action = {"type": "action", "action": {"flow_token": content.token}}
        button = _button("flow", 0, action)
        return "template", _template(content.template, content.language, [button])
    parameters = {
        "flow_message_version": FLOW_MESSAGE_VERSION,
        "flow_id": content.flows.get(send.sender.waba_id, content.flow_id),
        "flow_cta": content.button,
        "flow_token": content.token,
        "mode": "published",
        "flow_action": "navigate",
        "flow_action_payload": {"screen": FORM_SCREEN},
    }
    action = {"name": "flow", "parameters": parameters}
    return "interactive", {"type": "flow", "body": {"text": content.title}, "action": action}


@_message.register
def _(content: Rich, _send: Send, media_id: str) -> tuple[str, Json]:
    part: Json = {"type": "button", "body": {"text": content.text}}
    if media_id:
        part["header"] = {"type": "image", "image": {"id": media_id}}
    elif content.head:
        part["header"] = {"type": "text", "text": content.head}
    if content.footer:
        part["footer"] = {"text": content.footer}
    first = content.buttons[0]
    if first.kind == "url":
        part["type"] = "cta_url"
        parameters = {"display_text": first.text, "url": first.url}
        part["action"] = {"name": "cta_url", "parameters": parameters}
    else:
        part["action"] = {"buttons": [_reply(button) for button in content.buttons]}
    return "interactive", part


def _reply(button: Button) -> Json:
    return {"type": "reply", "reply": {"id": button.payload, "title": button.text}}


def _template(name: str, language: str, components: list[Json]) -> Json:
    """Parts without variables are omitted: the platform rejects unexpected parameters."""
    part: Json = {"name": name, "language": {"code": language}}
    if components:
        part["components"] = components
    return part


def _header(content: Template, media_id: str) -> list[Json]:
    if content.media is not None:
        return [{"type": "header", "parameters": [_header_file(content.media, media_id)]}]
    if content.header_text:
        return [{"type": "header", "parameters": [_text(content.header_text, *content.names[:1])]}]
    return []


def _header_file(media: MediaRef, media_id: str) -> Json:
    if media.mimetype != PDF:
        return {"type": "image", "image": {"id": media_id}}
    document = {"id": media_id}
    if media.filename:
        document["filename"] = media.filename
    return {"type": "document", "document": document}


def _body(params: tuple[str, ...], names: tuple[str, ...] = ()) -> list[Json]:
    if not params:
        return []
    parameters = [_text(param, name) for param, name in zip_longest(params, names, fillvalue="")]
    return [{"type": "body", "parameters": parameters}]


def _buttons(content: Template, send_id: str) -> list[Json]:
    """The buttons with a parameter, each by its index among all of the template's buttons."""
    buttons = []
    for index, button in enumerate(content.buttons):
        if button.kind == "reply":
            payload = {"type": "payload", "payload": button.payload}
            buttons.append(_button("quick_reply", index, payload))
        elif button.kind == "url" and button.suffix:
            buttons.append(_button("url", index, _text(button.suffix)))
        elif button.kind == "copy_code" and content.body:
            buttons.append(_button("url", index, _text(content.body[0])))
        elif button.kind == "flow":
            action = {"type": "action", "action": {"flow_token": send_id}}
            buttons.append(_button("flow", index, action))
    return buttons


def _button(kind: str, index: int, parameter: Json) -> Json:
    return {"type": "button", "sub_type": kind, "index": str(index), "parameters": [parameter]}


def _text(text: str, name: str = "") -> Json:
    """`name`: of a named variable."""
    named = {"parameter_name": name} if name else {}
    return {"type": "text", **named, "text": text}
