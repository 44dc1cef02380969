"""What a form asks, read from its flow JSON (platform.md, section 5). Pure.

The platform gives back what the `complete` action's payload says: `"q1": "${form.q1}"` becomes the
answer, anything else is a constant that comes back as it is.
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from tidings.platforms.content import Question

RATINGS = ["1", "2", "3", "4", "5"]
_REFERENCE = re.compile(r"^\$\{(?:screen\.[A-Za-z_]+\.)?(?:form|data)\.([A-Za-z0-9_-]+)\}$")
_SINGLE = {"RadioButtonsGroup", "Dropdown", "ChipsSelector"}


def read_flow(body: bytes) -> dict[str, Any]:
    try:
        flow = msgspec.json.decode(body)
    except msgspec.DecodeError:
        return {}
    return flow if isinstance(flow, dict) else {}


def questions_of(body: bytes) -> tuple[Question, ...]:
    """One for each input whose answer is sent back, under the name it is sent back by."""
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
    """Every component of every screen, also inside a form, an `If` or a `Switch`."""
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
    options = _options(part)
    if part["type"] == "CheckboxGroup":
        return Question(key, "multi", text, options)
    if part["type"] in _SINGLE:
        kind = "rating" if sorted(options) == RATINGS else "single"
        return Question(key, kind, text, () if kind == "rating" else options)
    return Question(key, "comment", text)


def _options(part: dict[str, Any]) -> tuple[str, ...]:
    source = part.get("data-source")
    if not isinstance(source, list):
        return ()
    return tuple(str(each["id"]) for each in source if isinstance(each, dict) and "id" in each)
