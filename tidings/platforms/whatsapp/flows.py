"""Creates a feedback form at the platform: a flow, and a template that opens it.

Every call can be repeated after an unknown outcome: an object that already exists is found by its
name, which is unique to us. A call that fails raises `GraphCallError`; a flow whose JSON fails the
platform's validation raises `FlowRejected`.
"""

from typing import Any

import msgspec

from tidings.platforms.content import FORM_SCREEN

from .call_errors import GraphCallError, NoResponse
from .client import Graph
from .listing import list_all
from .values import short

CATEGORY = "SURVEY"
TEMPLATE_CATEGORY = "UTILITY"  # about a past visit; the platform may reclassify it as marketing
ASSET = {"name": "flow.json", "asset_type": "FLOW_JSON"}
PUBLISHED, DRAFT = "PUBLISHED", "DRAFT"
REASON_CHARS_MAX = 200


class FlowRejected(GraphCallError):
    """The flow JSON is invalid; the text is the first validation error."""


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
    """Creates an empty draft; returns its id."""
    body = {"name": name, "categories": [CATEGORY]}
    return _id(await graph.post_json(f"{waba_id}/flows", token, body))


async def upload_json(graph: Graph, flow_id: str, token: str, flow: dict[str, Any]) -> None:
    data = msgspec.json.encode(flow)
    answer = await graph.post_file(
        f"{flow_id}/assets", token, ASSET, data, "application/json", ASSET["name"]
    )
    errors = answer.get("validation_errors")
    if errors:
        raise FlowRejected(_first(errors))


async def publish_flow(graph: Graph, flow_id: str, token: str) -> None:
    """Irreversible: a published flow can be neither changed nor unpublished."""
    answer = await graph.post_json(f"{flow_id}/publish", token, {})
    if answer.get("success") is not True:
        raise GraphCallError("the response to the publication has no success")


async def has_template(graph: Graph, waba_id: str, token: str, name: str) -> bool:
    path = f"{waba_id}/message_templates"
    found = await list_all(graph, path, token, "name", {"name": name})
    return any(template.get("name") == name for template in found)


async def create_template(
    graph: Graph, waba_id: str, token: str, *, name: str, language: str, text: str, button: str,
    flow_id: str,
) -> None:  # fmt: skip
    """A template with one button that opens the flow. The platform reviews it afterwards."""
    flow_button = {
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
            {"type": "BUTTONS", "buttons": [flow_button]},
        ],
    }
    await graph.post_json(f"{waba_id}/message_templates", token, body)


def _id(answer: dict[str, Any]) -> str:
    id_ = short(answer.get("id"))
    if id_ is None:
        raise NoResponse("the response has no flow id")
    return id_


def _first(errors: object) -> str:
    """The platform's first validation error."""
    first = errors[0] if isinstance(errors, list) else errors
    message = first.get("message") if isinstance(first, dict) else None
    reason = message if isinstance(message, str) and message else "it does not say what"
    return f"the platform finds a fault in the flow: {reason[:REASON_CHARS_MAX]}"
