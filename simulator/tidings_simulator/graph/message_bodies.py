"""The bodies of `POST /{phone-number-id}/messages` (platform.md, section 1). Pure.

Unknown keys are refused, as the platform does. What no type can say (lengths, one of two, a
template's own variables) is checked in `messages.py` and beside it.
"""

import re
from typing import Any, Literal, TypeVar

import msgspec

from tidings_simulator.graph.errors import GraphError, invalid, param_must, required

Id = str | int  # the platform accepts both
T = TypeVar("T")


class RequestBody(msgspec.Struct, forbid_unknown_fields=True):
    pass


class Text(RequestBody):
    body: str
    preview_url: bool = False


class Media(RequestBody):
    id: Id | None = None
    link: str | None = None
    caption: str | None = None
    filename: str | None = None
    provider: str | None = None
    voice: bool | None = None  # of audio


class Reaction(RequestBody):
    message_id: str
    emoji: str = ""


class Location(RequestBody):
    latitude: float | str
    longitude: float | str
    name: str | None = None
    address: str | None = None


class Context(RequestBody):
    message_id: str


class Language(RequestBody):
    code: str
    policy: str = "deterministic"


class Parameter(RequestBody):
    type: str
    parameter_name: str | None = None
    text: str | None = None
    payload: str | None = None
    image: Media | None = None
    video: Media | None = None
    document: Media | None = None
    location: Location | None = None
    currency: dict[str, Any] | None = None
    date_time: dict[str, Any] | None = None
    action: dict[str, Any] | None = None
    coupon_code: str | None = None
    limited_time_offer: dict[str, Any] | None = None
    order_status: dict[str, Any] | None = None


class Component(RequestBody):
    type: str
    sub_type: str = ""
    index: int | str | None = None
    parameters: list[Parameter] = []
    cards: list[dict[str, Any]] | None = None  # of a carousel; not checked


class Template(RequestBody):
    name: str
    language: Language
    components: list[Component] = []
    namespace: str | None = None  # deprecated


class Header(RequestBody):
    type: str
    text: str | None = None
    image: Media | None = None
    video: Media | None = None
    document: Media | None = None
    sub_text: str | None = None


class Body(RequestBody):
    text: str | None = None


class Interactive(RequestBody):
    type: str
    action: dict[str, Any]
    body: Body | None = None
    header: Header | None = None
    footer: Body | None = None


class ButtonReply(RequestBody):
    id: str = ""
    title: str = ""


class ReplyButton(RequestBody):
    type: str
    reply: ButtonReply


class ReplyAction(RequestBody):
    buttons: list[ReplyButton]


class Row(RequestBody):
    id: str = ""
    title: str = ""
    description: str | None = None


class Section(RequestBody):
    rows: list[Row]
    title: str = ""


class ListAction(RequestBody):
    sections: list[Section]
    button: str = ""


class UrlParameters(RequestBody):
    display_text: str = ""
    url: str = ""


class UrlAction(RequestBody):
    name: Literal["cta_url"]
    parameters: UrlParameters


class FlowPayload(RequestBody):
    screen: str | None = None
    data: dict[str, Any] | None = None


class FlowParameters(RequestBody):
    flow_message_version: Id = ""
    flow_cta: str = ""
    flow_id: Id | None = None
    flow_name: str | None = None
    mode: str = "published"
    flow_token: str = "unused"  # noqa: S105 - the platform's own default
    flow_action: str = "navigate"
    flow_action_payload: FlowPayload | None = None


class FlowAction(RequestBody):
    name: Literal["flow"]
    parameters: FlowParameters


class Message(RequestBody):
    """Everything the endpoint accepts; with `status` it is a read receipt."""

    messaging_product: str
    to: Id | None = None
    recipient: str | None = None
    recipient_type: str = "individual"
    type: str = "text"
    context: Context | None = None
    biz_opaque_callback_data: str | None = None
    text: Text | None = None
    template: Template | None = None
    image: Media | None = None
    video: Media | None = None
    audio: Media | None = None
    document: Media | None = None
    sticker: Media | None = None
    reaction: Reaction | None = None
    location: Location | None = None
    contacts: list[dict[str, Any]] | None = None
    interactive: Interactive | None = None
    status: str | None = None
    message_id: str | None = None
    typing_indicator: dict[str, Any] | None = None
    recipient_identity_key_hash: str | None = None


_decode = msgspec.json.Decoder(Message).decode
_MSGSPEC_MESSAGE = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<path>.*)`)?$", re.DOTALL)
_QUOTED = re.compile("`([^`]*)`")
_TYPES = {"str": "a string", "bool": "a boolean", "object": "a JSON object", "array": "an array"}


def read_message(body: bytes) -> Message:
    try:
        return _decode(body)
    except msgspec.ValidationError as reason:
        raise explain_error(str(reason)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise invalid("The request body is not valid JSON.") from None


def convert(value: object, type_: type[T], above: str) -> T:
    """A part whose type depends on a sibling field; `above` is its path."""
    try:
        return msgspec.convert(value, type_)
    except msgspec.ValidationError as reason:
        raise explain_error(str(reason), above) from None


def explain_error(said: str, above: str = "") -> GraphError:
    """msgspec's error message as the platform's error."""
    match = _MSGSPEC_MESSAGE.match(said)
    assert match is not None
    what, path = match["what"], above + (match["path"] or "")
    quoted = _QUOTED.findall(what)
    if "unknown field" in what:
        where = f' on param "{param(path)}"' if path else ""
        return invalid(f'Unexpected key "{quoted[0]}"{where}.')
    if "missing required field" in what:
        return required(param(f"{path}.{quoted[0]}"))
    if "enum value" in what:
        return param_must(param(path), f"be an allowed value - got {what.split()[-1]}.")
    wanted = _TYPES.get(quoted[0].split(" | ")[0] if quoted else "", "of another type")
    return param_must(param(path) or "<body>", f"be {wanted}.")


def param(path: str) -> str:
    """`.text.body` as the platform writes it: text['body']."""
    first, *rest = [part for part in re.split(r"[.\[\]]+", path) if part] or [""]
    return first + "".join(f"['{part}']" for part in rest)
