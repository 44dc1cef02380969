"""Interactive messages: reply buttons, a URL button, lists, forms (platform.md, 1.4-1.6). Pure."""

from collections.abc import Callable

from tidings.platforms.content import Button, Content, Form, MediaRef, Rich
from tidings_simulator.graph.errors import GraphError, bad_value, invalid, required
from tidings_simulator.graph.flow_json import constants_of, questions_of
from tidings_simulator.graph.message_bodies import (
    Body,
    FlowAction,
    Header,
    Id,
    Interactive,
    ListAction,
    ReplyAction,
    UrlAction,
    convert,
)
from tidings_simulator.graph.message_checks import CheckContext, ParsedMessage, require_chars
from tidings_simulator.model import Flow

BODY_CHARS_MAX, FOOTER_CHARS_MAX, HEADER_CHARS_MAX = 1024, 60, 60
LIST_BODY_CHARS_MAX = 4096
BUTTONS_MAX, TITLE_CHARS_MAX, ID_CHARS_MAX = 3, 20, 256
ROWS_MAX, ROW_TITLE_CHARS_MAX, ROW_ID_CHARS_MAX, ROW_TEXT_CHARS_MAX = 10, 24, 200, 72
FLOW_CTA_CHARS_MAX = 30
ACTION = ".interactive.action"
_WITHOUT_BODY = {"product"}
_UNCHECKED = {  # accepted unchecked: a gateway does not send them
    "product", "product_list", "catalog_message", "location_request_message", "address_message",
    "call_permission_request", "order_details", "order_status", "voice_call", "carousel",
}  # fmt: skip


def build_interactive(context: CheckContext, interactive: Interactive) -> ParsedMessage:
    kind = interactive.type
    build = _TYPES.get(kind)
    if build is None and kind not in _UNCHECKED:
        allowed = ", ".join(sorted({*_TYPES, *_UNCHECKED}))
        raise invalid(f"Param interactive['type'] must be one of {{{allowed}}} - got \"{kind}\".")
    if kind not in _WITHOUT_BODY:
        most = LIST_BODY_CHARS_MAX if kind == "list" else BODY_CHARS_MAX
        require_chars(_text(interactive.body), most, "interactive['body']['text']")
    if interactive.footer is not None:
        footer = _text(interactive.footer)
        require_chars(footer, FOOTER_CHARS_MAX, "interactive['footer']['text']")
    image, fails = _header(context, interactive.header)
    parsed = ParsedMessage(None) if build is None else build(context, interactive, image)
    parsed.fails = fails
    return parsed


def _header(context: CheckContext, header: Header | None) -> tuple[MediaRef | None, int | None]:
    if header is None:
        return None, None
    if header.type == "text":
        if header.text is None:
            raise bad_value("Text cannot be null for header type text")
        require_chars(header.text, HEADER_CHARS_MAX, "interactive['header']['text']")
        return None, None
    if header.type not in ("image", "video", "document"):
        raise bad_value(f"Header type {header.type} is not supported")
    media = getattr(header, header.type)
    if media is None:
        raise bad_value(f"{header.type.capitalize()} cannot be null for header type {header.type}")
    ref, fails = context.require_media(
        media, header.type, f"interactive['header']['{header.type}']"
    )
    return ref, fails


def _buttons(
    _desk: CheckContext, interactive: Interactive, image: MediaRef | None
) -> ParsedMessage:
    given = convert(interactive.action, ReplyAction, ACTION).buttons
    if not given:
        raise required("interactive['action']['buttons']")
    if len(given) > BUTTONS_MAX:
        raise bad_value(f"Invalid buttons count. Min allowed buttons: 1, Max: {BUTTONS_MAX}")
    for button in given:
        if button.type != "reply":
            raise bad_value(f"Button type {button.type} is not supported, only reply")
        _require_length(button.reply.title, TITLE_CHARS_MAX, "Button title")
        _require_length(button.reply.id, ID_CHARS_MAX, "Button id")
    _require_unique([button.reply.title for button in given], "Button titles")
    _require_unique([button.reply.id for button in given], "Button ids")
    buttons = [Button("reply", each.reply.title, payload=each.reply.id) for each in given]
    return ParsedMessage(_rich(interactive, buttons, image))


def _require_length(text: str, most: int, what: str) -> None:
    if not 1 <= len(text) <= most:
        raise bad_value(f"{what} length invalid. Min length: 1, Max length: {most}")


def _require_unique(words: list[str], what: str) -> None:
    if len(set(words)) < len(words):
        raise bad_value(f"{what} must be unique: {', '.join(words)}")


def _cta_url(
    _desk: CheckContext, interactive: Interactive, image: MediaRef | None
) -> ParsedMessage:
    given = convert(interactive.action, UrlAction, ACTION).parameters
    _require_length(given.display_text, TITLE_CHARS_MAX, "display_text")
    if not given.url.startswith(("https://", "http://")):
        raise bad_value("Param url of a cta_url button must be a valid URL")
    button = Button("url", given.display_text, url=given.url)
    return ParsedMessage(_rich(interactive, [button], image))


def _list(_desk: CheckContext, interactive: Interactive, image: MediaRef | None) -> ParsedMessage:
    action = convert(interactive.action, ListAction, ACTION)
    _require_length(action.button, TITLE_CHARS_MAX, "List button")
    rows = [row for section in action.sections for row in section.rows]
    if not 1 <= len(rows) <= ROWS_MAX:
        raise bad_value(f"Total row count must be 1 to {ROWS_MAX}")
    if len(action.sections) > 1 and not all(section.title for section in action.sections):
        raise bad_value("Section title is required when there is more than one section")
    for row in rows:
        _require_length(row.title, ROW_TITLE_CHARS_MAX, "Row title")
        _require_length(row.id, ROW_ID_CHARS_MAX, "Row id")
        if len(row.description or "") > ROW_TEXT_CHARS_MAX:
            raise bad_value(f"Row description is longer than {ROW_TEXT_CHARS_MAX} characters")
    _require_unique([row.id for row in rows], "Row ids")
    buttons = [Button("list", row.title, payload=row.id) for row in rows]
    return ParsedMessage(_rich(interactive, buttons, image))


def _flow(
    context: CheckContext, interactive: Interactive, _image: MediaRef | None
) -> ParsedMessage:
    given = convert(interactive.action, FlowAction, ACTION).parameters
    flow = find_flow(context, given.flow_id, given.flow_name)
    _require_length(given.flow_cta, FLOW_CTA_CHARS_MAX, "flow_cta")
    if str(given.flow_message_version) != "3":
        raise bad_value("flow_message_version must be 3")
    if given.mode not in ("draft", "published"):
        raise bad_value("mode must be draft or published")
    require_sendable(flow, draft=given.mode == "draft")
    payload = given.flow_action_payload
    if given.flow_action != "navigate" and payload is not None:
        raise bad_value("flow_action_payload is only for flow_action navigate")
    if payload is not None and payload.data is not None and not payload.data:
        raise bad_value("flow_action_payload.data must not be empty")
    content = form_of(flow, _text(interactive.body), given.flow_cta, given.flow_token)
    return ParsedMessage(content, constants=constants_of(flow.json))


def find_flow(context: CheckContext, id_: Id | None, name: str | None) -> Flow:
    if (id_ is None) == (name is None):
        raise bad_value("Give exactly one of flow_id and flow_name")
    flows = context.world.flows(context.number.waba)
    found = next((one for one in flows if str(id_) == one.id or name == one.name), None)
    if found is None:
        raise bad_value(f"Flow {id_ or name} does not exist in the WhatsApp business account")
    return found


def require_sendable(flow: Flow, *, draft: bool = False) -> None:
    if flow.status in ("BLOCKED", "THROTTLED"):
        raise GraphError(132068 if flow.status == "BLOCKED" else 132069)
    if flow.status != ("DRAFT" if draft else "PUBLISHED"):
        wanted = "draft" if draft else "published"
        raise bad_value(f"Flow {flow.id} is {flow.status}; it cannot be sent in {wanted} mode")


def form_of(flow: Flow, title: str, button: str, token: str) -> Form:
    return Form(flow.id, 1, title, button, token, flow.id, questions=questions_of(flow.json))


def _rich(interactive: Interactive, buttons: list[Button], image: MediaRef | None) -> Content:
    title = (interactive.header.text or "") if interactive.header else ""
    footer = _text(interactive.footer)
    return Rich(_text(interactive.body), tuple(buttons), title=title, footer=footer, image=image)


def _text(part: Body | None) -> str:
    return (part.text or "") if part else ""


_TYPES: dict[str, Callable[[CheckContext, Interactive, MediaRef | None], ParsedMessage]] = {
    "button": _buttons,
    "cta_url": _cta_url,
    "list": _list,
    "flow": _flow,
}
