"""Interactive messages: reply buttons, a URL button, lists, forms (platform.md, 1.4-1.6). Pure."""

from collections.abc import Callable
from typing import Any

from tidings.platforms.content import Button, Content, Form, MediaRef, Rich

from .built import Built, Desk, require_chars
from .errors import GraphError, bad_value, invalid, required
from .flow_questions import constants_of, questions_of
from .model import Flow
from .shapes import Body, Header, Interactive

BODY_CHARS_MAX, FOOTER_CHARS_MAX, HEADER_CHARS_MAX = 1024, 60, 60
LIST_BODY_CHARS_MAX = 4096
BUTTONS_MAX, TITLE_CHARS_MAX, ID_CHARS_MAX = 3, 20, 256
ROWS_MAX, ROW_TITLE_CHARS_MAX, ROW_ID_CHARS_MAX, ROW_TEXT_CHARS_MAX = 10, 24, 200, 72
FLOW_CTA_CHARS_MAX = 30
_WITHOUT_BODY = {"product"}
_UNREAD = {  # taken as they are: nothing of ours sends them
    "product", "product_list", "catalog_message", "location_request_message", "address_message",
    "call_permission_request", "order_details", "order_status", "voice_call", "carousel",
}  # fmt: skip


def build_interactive(desk: Desk, interactive: Interactive) -> Built:
    kind = interactive.type
    build = _KINDS.get(kind)
    if build is None and kind not in _UNREAD:
        allowed = ", ".join(sorted({*_KINDS, *_UNREAD}))
        raise invalid(f"Param interactive['type'] must be one of {{{allowed}}} - got \"{kind}\".")
    if kind not in _WITHOUT_BODY:
        most = LIST_BODY_CHARS_MAX if kind == "list" else BODY_CHARS_MAX
        require_chars(_text(interactive.body), most, "interactive['body']['text']")
    if interactive.footer is not None:
        footer = _text(interactive.footer)
        require_chars(footer, FOOTER_CHARS_MAX, "interactive['footer']['text']")
    image, fails = _header(desk, interactive.header)
    built = Built(None) if build is None else build(desk, interactive, image)
    built.fails = fails
    return built


def _header(desk: Desk, header: Header | None) -> tuple[MediaRef | None, int | None]:
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
    ref, fails = desk.require_media(media, header.type, f"interactive['header']['{header.type}']")
    return ref, fails


def _buttons(_desk: Desk, interactive: Interactive, image: MediaRef | None) -> Built:
    given = interactive.action.get("buttons")
    if not isinstance(given, list) or not given:
        raise required("interactive['action']['buttons']")
    if len(given) > BUTTONS_MAX:
        raise bad_value(f"Invalid buttons count. Min allowed buttons: 1, Max: {BUTTONS_MAX}")
    buttons = [_reply_button(button) for button in given]
    for part in ("text", "payload"):
        words = [getattr(button, part) for button in buttons]
        if len(set(words)) < len(words):
            name = "titles" if part == "text" else "ids"
            raise bad_value(f"Button {name} must be unique: {', '.join(words)}")
    return Built(_rich(interactive, tuple(buttons), image))


def _reply_button(given: Any) -> Button:
    reply = given.get("reply") if isinstance(given, dict) and given.get("type") == "reply" else None
    if not isinstance(reply, dict):
        raise bad_value("Each button must be of type reply and have a reply object")
    title, id_ = reply.get("title"), reply.get("id")
    _require_length(title, TITLE_CHARS_MAX, "Button title")
    _require_length(id_, ID_CHARS_MAX, "Button id")
    return Button("reply", str(title), payload=str(id_))


def _require_length(text: Any, most: int, what: str) -> None:
    if not isinstance(text, str) or not 1 <= len(text) <= most:
        raise bad_value(f"{what} length invalid. Min length: 1, Max length: {most}")


def _cta_url(_desk: Desk, interactive: Interactive, image: MediaRef | None) -> Built:
    parameters = _parameters(interactive, "cta_url")
    text, url = parameters.get("display_text"), parameters.get("url")
    _require_length(text, TITLE_CHARS_MAX, "display_text")
    if not isinstance(url, str) or not url.startswith(("https://", "http://")):
        raise bad_value("Param url of a cta_url button must be a valid URL")
    return Built(_rich(interactive, (Button("url", str(text), url=url),), image))


def _list(_desk: Desk, interactive: Interactive, image: MediaRef | None) -> Built:
    _require_length(interactive.action.get("button"), TITLE_CHARS_MAX, "List button")
    sections = interactive.action.get("sections")
    if not isinstance(sections, list) or not sections:
        raise required("interactive['action']['sections']")
    rows = [row for section in sections for row in _rows(section)]
    if not 1 <= len(rows) <= ROWS_MAX:
        raise bad_value(f"Total row count exceed max allowed count: {ROWS_MAX}")
    if len(sections) > 1 and not all(section.get("title") for section in sections):
        raise bad_value("Section title is required when there is more than one section")
    for row in rows:
        _require_length(row.get("title"), ROW_TITLE_CHARS_MAX, "Row title")
        _require_length(row.get("id"), ROW_ID_CHARS_MAX, "Row id")
        if len(row.get("description") or "") > ROW_TEXT_CHARS_MAX:
            raise bad_value(f"Row description is longer than {ROW_TEXT_CHARS_MAX} characters")
    if len({row["id"] for row in rows}) < len(rows):
        raise bad_value("Row ids must be unique")
    buttons = tuple(Button("list", row["title"], payload=row["id"]) for row in rows)
    return Built(_rich(interactive, buttons, image))


def _rows(section: Any) -> list[dict[str, Any]]:
    rows = section.get("rows") if isinstance(section, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise bad_value("Each section must have rows")
    return rows


def _flow(desk: Desk, interactive: Interactive, _image: MediaRef | None) -> Built:
    parameters = _parameters(interactive, "flow")
    flow = find_flow(desk, parameters.get("flow_id"), parameters.get("flow_name"))
    _require_length(parameters.get("flow_cta"), FLOW_CTA_CHARS_MAX, "flow_cta")
    if str(parameters.get("flow_message_version")) != "3":
        raise bad_value("flow_message_version must be 3")
    mode = parameters.get("mode", "published")
    if mode not in ("draft", "published"):
        raise bad_value("mode must be draft or published")
    require_sendable(flow, draft=mode == "draft")
    action, payload = parameters.get("flow_action", "navigate"), "flow_action_payload"
    if action != "navigate" and payload in parameters:
        raise bad_value(f"{payload} is only for flow_action navigate")
    if "data" in (parameters.get(payload) or {}) and not parameters[payload]["data"]:
        raise bad_value(f"{payload}.data must not be empty")
    token = str(parameters.get("flow_token", "unused"))
    content = form_of(flow, _text(interactive.body), str(parameters["flow_cta"]), token)
    return Built(content, constants=constants_of(flow.json))


def find_flow(desk: Desk, id_: Any, name: Any) -> Flow:
    if (id_ is None) == (name is None):
        raise bad_value("Give exactly one of flow_id and flow_name")
    flows = desk.world.flows(desk.number.waba)
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


def _parameters(interactive: Interactive, name: str) -> dict[str, Any]:
    parameters = interactive.action.get("parameters")
    if interactive.action.get("name") != name or not isinstance(parameters, dict):
        raise bad_value(f"action must have the name {name} and parameters")
    return parameters


def _rich(interactive: Interactive, buttons: tuple[Button, ...], image: MediaRef | None) -> Content:
    title = (interactive.header.text or "") if interactive.header else ""
    footer = _text(interactive.footer)
    return Rich(_text(interactive.body), buttons, title=title, footer=footer, image=image)


def _text(part: Body | None) -> str:
    return (part.text or "") if part else ""


_KINDS: dict[str, Callable[[Desk, Interactive, MediaRef | None], Built]] = {
    "button": _buttons,
    "cta_url": _cta_url,
    "list": _list,
    "flow": _flow,
}
