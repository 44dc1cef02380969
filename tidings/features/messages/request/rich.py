"""Parse the body of POST /messages/rich (4.4) into a `MessageRequest`. Pure.

Up to three reply buttons, or one URL button; a header image, a title, a footer. It is sent as it is
inside the conversation window; outside it the template is sent, if one was given (contract.md).
"""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings import limits, phone, urls
from tidings.engine.http import fields as wire
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account
from tidings.platforms.content import Button, Rich

from ..model import MediaRequest, MessageRequest, TemplateRequest
from .fields import (
    ClientMessageId,
    Phone,
    TemplateLang,
    TemplateName,
    TemplateParams,
    refusal,
    require_id,
    require_said,
)

_BUTTON_TEXT = {"type": "string", "maxLength": 20, "description": "What the guest sees."}
BUTTON_SCHEMA = {
    "oneOf": [
        {
            "type": "object",
            "properties": {
                "id": {"type": "string", "description": "Comes back when it is pressed."},
                "text": _BUTTON_TEXT,
            },
            "required": ["id", "text"],
        },
        {
            "type": "object",
            "properties": {
                "text": _BUTTON_TEXT,
                "url": {"type": "string", "format": "uri", "description": "Where it leads."},
            },
            "required": ["text", "url"],
        },
    ]
}
# Button kinds of the platform that we do not support, by key or `type` as `_plain` spells them.
UNSUPPORTED = frozenset(
    {"call", "voicecall", "phone", "phonenumber", "tel", "copycode", "couponcode"}
)


class RichBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """POST /messages/rich"""

    client_message_id: ClientMessageId
    to: Phone
    message: Annotated[str, Meta(min_length=1, max_length=limits.RICH_BODY_CHARS_MAX)]
    buttons: Annotated[
        list[Any], Meta(min_length=1, extra_json_schema={"items": BUTTON_SCHEMA, "maxItems": 3})
    ]
    header_image: (
        Annotated[str, Meta(description="Base64, or a data: URI, of a jpeg or png.")] | UnsetType
    ) = UNSET
    title: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=limits.RICH_TITLE_CHARS_MAX,
                description="Beside headerImage it becomes the first line of the body, and counts "
                "towards the body's 1,024 characters.",
            ),
        ]
        | UnsetType
    ) = UNSET
    footer: (
        Annotated[str, Meta(min_length=1, max_length=limits.RICH_FOOTER_CHARS_MAX)] | UnsetType
    ) = UNSET
    template_name: TemplateName | UnsetType = UNSET
    template_lang: TemplateLang | UnsetType = UNSET
    template_params: TemplateParams | UnsetType = UNSET
    copy_code: (
        Annotated[
            Any,
            Meta(description="Not available: reason unsupported.", extra_json_schema={"not": {}}),
        ]
        | UnsetType
    ) = UNSET


class ReplyButton(msgspec.Struct, forbid_unknown_fields=True):
    id: Annotated[
        str,
        Meta(
            min_length=limits.RICH_BUTTON_ID_CHARS.low, max_length=limits.RICH_BUTTON_ID_CHARS.high
        ),
    ]
    text: Annotated[str, Meta(min_length=1, max_length=limits.RICH_BUTTON_TEXT_CHARS_MAX)]


class UrlButton(msgspec.Struct, forbid_unknown_fields=True):
    text: Annotated[str, Meta(min_length=1, max_length=limits.RICH_BUTTON_TEXT_CHARS_MAX)]
    url: str


def parse_rich(account: Account, body: RichBody) -> MessageRequest:
    """Validate the fields in order. The caller attaches the header image."""
    require_id(body.client_message_id)
    to = phone.require(body.to)
    _require_texts(body)
    free = Rich(
        body=body.message,
        buttons=read_buttons(body.buttons),
        title="" if body.title is UNSET else body.title,
        footer="" if body.footer is UNSET else body.footer,
    )
    image = None if body.header_image is UNSET else body.header_image
    return MessageRequest(
        account_id=account.id,
        client_message_id=body.client_message_id,
        to=to,
        free=free,
        template=_template(body),
        media=None if image is None else MediaRequest("image", image, None),
        to_given=None if to == body.to else body.to,
    )


def _require_texts(body: RichBody) -> None:
    for name, text in (("message", body.message), ("title", body.title), ("footer", body.footer)):
        if text is not UNSET:
            require_said(name, text)
    if body.title is not UNSET and body.header_image is not UNSET:
        _require_room(body.message, body.title)
    if body.copy_code is not UNSET:
        raise _unsupported("copyCode")


def _require_room(message: str, title: str) -> None:
    """With an image the title becomes the first line of the body, in bold, and counts too."""
    line = len(f"*{title}*\n")
    room = limits.RICH_BODY_CHARS_MAX - line
    if len(message) > room:
        rule = (
            f"must be at most {room} characters, got {len(message):,}: with headerImage the title "
            f"becomes the first line of the body, and its {line} characters (with the bold marks "
            f"and the line break) count towards the body's {limits.RICH_BODY_CHARS_MAX:,}"
        )
        raise refusal("message", rule)


def _template(body: RichBody) -> TemplateRequest | None:
    if body.template_name is UNSET:
        for name, value in (
            ("templateLang", body.template_lang),
            ("templateParams", body.template_params),
        ):
            if value is not UNSET:
                raise refusal(name, "goes with templateName, which is missing")
        return None
    return TemplateRequest(
        name=body.template_name,
        language=None if body.template_lang is UNSET else body.template_lang,
        params=() if body.template_params is UNSET else tuple(body.template_params),
    )


def read_buttons(given: list[Any]) -> tuple[Button, ...]:
    """Reply buttons or one URL button; other kinds are refused as unsupported."""
    for index, item in enumerate(given):
        _require_supported(item, index)
    if all(isinstance(item, dict) and "url" in item for item in given):
        return (_url_button(given),)
    return _reply_buttons(given)


def _require_supported(item: Any, index: int) -> None:
    field = f"buttons[{index}]"
    if not isinstance(item, dict):
        raise refusal(field, "must be an object: {id, text} or {text, url}")
    if UNSUPPORTED & {_plain(name) for name in (*item, item.get("type"))}:
        raise _unsupported(field)


def _plain(name: object) -> str:
    """Without case, hyphens and underscores: PHONE_NUMBER and phoneNumber are one word."""
    return str(name).lower().replace("_", "").replace("-", "")


def _unsupported(field: str) -> ApiError:
    problem = f"{field}: call and copyCode buttons are not available; use reply or URL buttons"
    return ApiError(Code.VALIDATION_ERROR, problem, field=field, reason="unsupported")


def _url_button(given: list[Any]) -> Button:
    if len(given) > limits.RICH_URL_BUTTONS_MAX:
        rule = f"must be one URL button, or up to 3 reply buttons, got {len(given)} URL buttons"
        raise refusal("buttons", rule)
    button = wire.decode_item(UrlButton, msgspec.json.encode(given[0]), "buttons[0]")
    require_said("buttons[0].text", button.text)
    url = urls.require_public(button.url, "buttons[0].url")
    return Button(kind="url", text=button.text, url=url)


def _reply_buttons(given: list[Any]) -> tuple[Button, ...]:
    if any("url" in item for item in given):
        raise refusal("buttons", "must be all reply buttons {id, text}, or one URL button")
    if len(given) > limits.RICH_REPLY_BUTTONS_MAX:
        rule = f"must be up to 3 reply buttons, or one URL button, got {len(given)}"
        raise refusal("buttons", rule)
    read = [
        wire.decode_item(ReplyButton, msgspec.json.encode(item), f"buttons[{index}]")
        for index, item in enumerate(given)
    ]
    for index, button in enumerate(read):
        require_said(f"buttons[{index}].text", button.text)
    for name, values in (("id", [b.id for b in read]), ("text", [b.text for b in read])):
        if len(set(values)) != len(values):
            raise refusal("buttons", f"must each have another {name}")
    return tuple(Button(kind="reply", text=button.text, payload=button.id) for button in read)
