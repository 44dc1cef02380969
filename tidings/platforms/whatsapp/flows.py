"""Calls that make a feedback form known to the platform: a flow, and a template that opens it.

Every call can be repeated after an unknown outcome: an object that already exists is found by its
name, which is unique to us. A call that fails raises `GraphCallError`; a flow whose JSON fails the
platform's validation raises `FlowRejected`.
"""

from typing import Any

import msgspec

from tidings.platforms.content import FORM_SCREEN

from .callbacks_values import short
from .client import Graph, GraphCallError, NoResponse
from .listings import list_all

CATEGORY = "SURVEY"
TEMPLATE_CATEGORY = "UTILITY"  # about a visit that was; the platform may see it as marketing
ASSET = {"name": "flow.json", "asset_type": "FLOW_JSON"}
PUBLISHED, DRAFT = "PUBLISHED", "DRAFT"
REASON_CHARS_MAX = 200


class FlowRejected(GraphCallError):
    """The platform finds faults in the flow; the first of them is the reason."""


class FoundFlow(msgspec.Struct, frozen=True):
    """A flow at the platform."""

    id: str
    status: str


async def find_flow(graph: Graph, waba_id: str, token: str, name: str) -> FoundFlow | None:
    """A flow of the business account by its name."""
    for flow in await list_all(graph, f"{waba_id}/flows", token, "id,name,status"):
        if flow.get("name") == name:
            return FoundFlow(_id(flow), short(flow.get("status")) or DRAFT)
    return None


async def read_status(graph: Graph, flow_id: str, token: str) -> str:
    answer = await graph.get_json(flow_id, token, {"fields": "id,status"})
    return short(answer.get("status")) or DRAFT


async def create_flow(graph: Graph, waba_id: str, token: str, name: str) -> str:
    """A draft without content; its id."""
    body = {"name": name, "categories": [CATEGORY]}
    return _id(await graph.post_json(f"{waba_id}/flows", token, body))


async def upload_json(graph: Graph, flow_id: str, token: str, flow: dict[str, Any]) -> None:
    data = msgspec.json.encode(flow)
    answer = await graph.post_file(
        f"{flow_id}/assets", token, ASSET, data, "application/json", ASSET["name"]
    )
    faults = answer.get("validation_errors")
    if faults:
        raise FlowRejected(_first(faults))


async def publish_flow(graph: Graph, flow_id: str, token: str) -> None:
    """For good: what is published can neither be changed nor taken back."""
    answer = await graph.post_json(f"{flow_id}/publish", token, {})
    if answer.get("success") is not True:
        raise GraphCallError("the publication was answered without success")


async def has_template(graph: Graph, waba_id: str, token: str, name: str) -> bool:
    path = f"{waba_id}/message_templates"
    found = await list_all(graph, path, token, "name", {"name": name})
    return any(template.get("name") == name for template in found)


async def create_template(
    graph: Graph, waba_id: str, token: str, *, name: str, language: str, text: str, button: str,
    flow_id: str,
) -> None:  # fmt: skip
    """A template whose one button opens the flow; whether it may be sent is the platform's to say
    later."""
    opens = {
        "type": "FLOW",
        "text": button,
        "flow_id": flow_id,
        "flow_action": "navigate",
        "navigate_screen": FORM_SCREEN,
    }
    body = {
        "name": name,
        "language": language,
        "category": TEMPLATE_CATEGORY,
        "components": [
            {"type": "BODY", "text": text},
            {"type": "BUTTONS", "buttons": [opens]},
        ],
    }
    await graph.post_json(f"{waba_id}/message_templates", token, body)


def _id(answer: dict[str, Any]) -> str:
    id_ = short(answer.get("id"))
    if id_ is None:
        raise NoResponse("the flow was answered without an id")
    return id_


def _first(faults: object) -> str:
    """In the platform's own words."""
    first = faults[0] if isinstance(faults, list) else faults
    said = first.get("message") if isinstance(first, dict) else None
    reason = said if isinstance(said, str) and said else "it does not say what"
    return f"the platform finds a fault in the flow: {reason[:REASON_CHARS_MAX]}"
