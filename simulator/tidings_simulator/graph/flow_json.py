"""The JSON of a flow: validation errors, and the questions it asks (platform.md, section 5). Pure.

`check_flow` covers the rules that a gateway's own forms can break: the structure, names, limits of
labels and options, and that the form can be completed. A response contains the payload of the
`complete` action: `"q1": "${form.q1}"` becomes the answer, any other value is returned unchanged.
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from tidings.platforms.content import Question

RATINGS = ["1", "2", "3", "4", "5"]
_REFERENCE = re.compile(r"^\$\{(?:screen\.[A-Za-z_]+\.)?(?:form|data)\.([A-Za-z0-9_-]+)\}$")
_SINGLE = {"RadioButtonsGroup", "Dropdown", "ChipsSelector"}

COMPONENTS_MAX = 50
_SCREEN_ID = re.compile("[A-Za-z_]+")
_TEXTS = {"TextHeading": 80, "TextSubheading": 80, "TextCaption": 409, "TextBody": 4096}
_LABELS = {
    "RadioButtonsGroup": 30, "CheckboxGroup": 30, "Dropdown": 20, "TextInput": 20, "TextArea": 20,
    "Footer": 35, "OptIn": 120, "DatePicker": 40, "ChipsSelector": 80, "CalendarPicker": 40,
}  # fmt: skip
_OTHERS = {
    "Form", "EmbeddedLink", "Image", "ImageCarousel", "If", "Switch", "NavigationList", "RichText",
    "PhotoPicker", "DocumentPicker",
}  # fmt: skip
_OPTIONS = {"RadioButtonsGroup": 20, "CheckboxGroup": 20, "Dropdown": 200, "ChipsSelector": 20}
_INPUTS = {*_OPTIONS, "TextInput", "TextArea", "OptIn", "DatePicker", "CalendarPicker"}
_ACTIONS = {"navigate", "complete", "data_exchange", "update_data", "open_url"}
_LABEL_REQUIRED_FROM = (4, 0)

Found = Iterator[tuple[str, str]]  # error, message


def check_flow(body: bytes) -> list[dict[str, Any]]:
    """The validation errors; a flow without any can be published."""
    try:
        flow = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as reason:
        return [_error("INVALID_JSON", f"The flow JSON cannot be read: {reason}", "JSON_ERROR")]
    return [_error(error, message) for error, message in _faults(flow)]


def _faults(flow: Any) -> Found:
    if not isinstance(flow, dict):
        yield "INVALID_PROPERTY_TYPE", "Expected an object at '$root'."
        return
    if not re.fullmatch(r"[2-7]\.[0-9]", str(flow.get("version", ""))):
        yield "INVALID_PROPERTY_VALUE", "Invalid value found for property 'version'."
    screens = flow.get("screens")
    if not isinstance(screens, list) or not screens:
        yield "REQUIRED_PROPERTY_MISSING", "The property 'screens' is required at '$root'."
        return
    for place, screen in enumerate(screens):
        yield from _screen(screen, f"$root/screens/{place}")
    if not any(isinstance(s, dict) and s.get("terminal") is True for s in screens):
        yield "MISSING_TERMINAL_SCREEN", "The flow must have at least one terminal screen."
    yield from _components(flow, _version(flow))


def _screen(screen: Any, where: str) -> Found:
    if not isinstance(screen, dict):
        yield "INVALID_PROPERTY_TYPE", f"Expected an object at '{where}'."
        return
    id_ = screen.get("id")
    if not isinstance(id_, str) or not _SCREEN_ID.fullmatch(id_) or id_ == "SUCCESS":
        yield "INVALID_PROPERTY_VALUE", f"Invalid value found for property 'id' at '{where}'."
    layout = screen.get("layout")
    if not isinstance(layout, dict) or layout.get("type") != "SingleColumnLayout":
        yield "REQUIRED_PROPERTY_MISSING", f"A SingleColumnLayout is required at '{where}/layout'."
        return
    parts = list(components({"screens": [screen]}))[1:]  # the first is the layout
    if len(parts) > COMPONENTS_MAX:
        yield "TOO_MANY_COMPONENTS", f"At most {COMPONENTS_MAX} components at '{where}'."
    footers = [part for part in parts if part["type"] == "Footer"]
    if len(footers) > 1 or (screen.get("terminal") is True and not footers):
        yield "INVALID_COMPONENT", f"A terminal screen needs one Footer at '{where}'."


def _components(flow: dict[str, Any], version: tuple[int, int]) -> Found:
    names: set[str] = set()
    for part in components(flow):
        type_ = part["type"]
        if type_ == "SingleColumnLayout":
            continue
        if type_ not in {*_TEXTS, *_LABELS, *_OTHERS}:
            yield "INVALID_COMPONENT", f"Unknown component type '{type_}'."
            continue
        yield from _texts(part, type_, version)
        if type_ in _OPTIONS:
            yield from _options(part, type_)
        if type_ in _INPUTS:
            name = part.get("name")
            if not isinstance(name, str) or not name:
                yield "REQUIRED_PROPERTY_MISSING", f"The property 'name' is required: {type_}."
            elif name in names:
                yield "DUPLICATE_COMPONENT_NAME", f"The name '{name}' is used twice."
            names.add(str(name))
        action = part.get("on-click-action")
        if type_ == "Footer" and not isinstance(action, dict):
            yield "REQUIRED_PROPERTY_MISSING", "A Footer needs 'on-click-action'."
        if isinstance(action, dict) and str(action.get("name")) not in _ACTIONS:
            yield "INVALID_PROPERTY_VALUE", f"Unknown action '{action.get('name')}'."


def _texts(part: dict[str, Any], type_: str, version: tuple[int, int]) -> Found:
    for key in part:
        if "_" in key:  # keys are in kebab-case
            yield "INVALID_PROPERTY", f'The property "{key}" cannot be specified: {type_}.'
    text = part.get("text")
    if type_ in _TEXTS and isinstance(text, str) and len(text) > _TEXTS[type_]:
        yield "INVALID_PROPERTY_VALUE", f"The text of {type_} is longer than {_TEXTS[type_]}."
    if type_ in _TEXTS and not text:
        yield "REQUIRED_PROPERTY_MISSING", f"The property 'text' is required: {type_}."
    label = part.get("label")
    needed = type_ not in _OPTIONS or type_ == "Dropdown" or version >= _LABEL_REQUIRED_FROM
    if type_ in _LABELS and not label and needed:
        yield "REQUIRED_PROPERTY_MISSING", f"The property 'label' is required: {type_}."
    if type_ in _LABELS and isinstance(label, str) and len(label) > _LABELS[type_]:
        yield "INVALID_PROPERTY_VALUE", f"The label of {type_} is longer than {_LABELS[type_]}."


def _options(part: dict[str, Any], type_: str) -> Found:
    source = part.get("data-source")
    if isinstance(source, str) and source.startswith("${"):
        return
    if not isinstance(source, list) or not 1 <= len(source) <= _OPTIONS[type_]:
        yield "INVALID_PROPERTY_VALUE", f"'data-source' needs 1 to {_OPTIONS[type_]} options."
        return
    ids = [str(each.get("id", "")) if isinstance(each, dict) else "" for each in source]
    if "" in ids or len(set(ids)) < len(ids):
        yield "INVALID_PROPERTY_VALUE", "Each option needs an id of its own."
    titles = [str(each.get("title", "")) for each in source if isinstance(each, dict)]
    if not all(1 <= len(title) <= 30 for title in titles):
        yield "INVALID_PROPERTY_VALUE", "The title of an option has 1 to 30 characters."


def _version(flow: dict[str, Any]) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]+)\.([0-9]+)", str(flow.get("version", "")))
    return (int(match[1]), int(match[2])) if match else (0, 0)


def _error(error: str, message: str, type_: str = "FLOW_JSON_ERROR") -> dict[str, Any]:
    place = {"line_start": 1, "line_end": 1, "column_start": 1, "column_end": 1}
    return {"error": error, "error_type": type_, "message": message, **place, "pointers": []}


def read_flow(body: bytes) -> dict[str, Any]:
    try:
        flow = msgspec.json.decode(body)
    except msgspec.DecodeError:
        return {}
    return flow if isinstance(flow, dict) else {}


def questions_of(body: bytes) -> tuple[Question, ...]:
    """One question per input in the response, by its name in the response."""
    flow = read_flow(body)
    inputs = {part["name"]: part for part in components(flow) if isinstance(part.get("name"), str)}
    found = []
    for key, value in _payload(flow).items():
        reference = _REFERENCE.match(value) if isinstance(value, str) else None
        if reference and reference[1] in inputs:
            found.append(_question(key, inputs[reference[1]]))
    return tuple(found)


def constants_of(body: bytes) -> dict[str, Any]:
    payload = _payload(read_flow(body))
    return {
        key: value
        for key, value in payload.items()
        if not (isinstance(value, str) and value.startswith("${"))
    }


def components(flow: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """All components of all screens, including those in a form, an `If` or a `Switch`."""
    screens = flow.get("screens")
    for screen in screens if isinstance(screens, list) else []:
        if isinstance(screen, dict):
            yield from _inside(screen.get("layout"))


def _inside(part: Any) -> Iterator[dict[str, Any]]:
    if isinstance(part, list):
        for each in part:
            yield from _inside(each)
    elif isinstance(part, dict):
        if isinstance(part.get("type"), str):
            yield part
        for key in ("children", "then", "else", "cases"):
            below = part.get(key)
            yield from _inside(list(below.values()) if isinstance(below, dict) else below)


def _payload(flow: dict[str, Any]) -> dict[str, Any]:
    for part in components(flow):
        action = part.get("on-click-action")
        if isinstance(action, dict) and action.get("name") == "complete":
            payload = action.get("payload")
            return payload if isinstance(payload, dict) else {}
    return {}


def _question(key: str, part: dict[str, Any]) -> Question:
    text = str(part.get("label") or "")
    options = _option_ids(part)
    if part["type"] == "CheckboxGroup":
        return Question(key, "multi", text, options)
    if part["type"] in _SINGLE:
        kind = "rating" if sorted(options) == RATINGS else "single"
        return Question(key, kind, text, () if kind == "rating" else options)
    return Question(key, "comment", text)


def _option_ids(part: dict[str, Any]) -> tuple[str, ...]:
    source = part.get("data-source")
    if not isinstance(source, list):
        return ()
    return tuple(str(each["id"]) for each in source if isinstance(each, dict) and "id" in each)
