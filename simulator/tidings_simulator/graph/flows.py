"""Flow endpoints: create, upload JSON, publish, deprecate (platform.md, section 5)."""

from typing import Any

import msgspec

from tidings_simulator.connection import Request
from tidings_simulator.graph.errors import GraphError, invalid, required
from tidings_simulator.graph.flow_json import check_flow
from tidings_simulator.graph.nodes import FLOW_FIELDS, show_flow
from tidings_simulator.graph.paging import page, pick
from tidings_simulator.graph.request_fields import decoded, read_fields, text_of
from tidings_simulator.model import Flow, Waba
from tidings_simulator.world import World

CATEGORIES = (
    "SIGN_UP", "SIGN_IN", "APPOINTMENT_BOOKING", "LEAD_GENERATION", "CONTACT_US",
    "CUSTOMER_SUPPORT", "SURVEY", "OTHER",
)  # fmt: skip
NAME_CHARS_MAX = 200
UPDATING, PUBLISHING, DEPRECATING, DELETING = 139001, 139002, 139003, 139004


def list_flows(world: World, waba: Waba, request: Request, address: str) -> dict[str, Any]:
    asked = request.query.get("fields")
    flows = world.flows(waba)
    return page(flows, request.query, address, lambda f: pick(show(f, world), asked, FLOW_FIELDS))


def show(flow: Flow, world: World) -> dict[str, Any]:
    shown = show_flow(flow, world)
    version = _version(flow.json)
    return {**shown, "json_version": version} if version else shown


def create(world: World, waba: Waba, request: Request) -> dict[str, Any]:
    fields = read_fields(request)
    name, categories = text_of(fields, "name"), _categories(decoded(fields, "categories"))
    if not name or len(name) > NAME_CHARS_MAX:
        raise required("name")
    if any(flow.name == name for flow in world.flows(waba)):
        raise invalid(f'A flow with the name "{name}" already exists in this account')
    json = fields.get("flow_json", "")
    body = json.encode() if isinstance(json, str) else msgspec.json.encode(json)
    if text_of(fields, "clone_flow_id"):
        body = _clone(world, waba, text_of(fields, "clone_flow_id")).json
    flow = create_flow(world, waba, name, categories, body, text_of(fields, "endpoint_uri"))
    if str(fields.get("publish", "")).lower() == "true":
        if not body or flow.validation_errors:
            return {"id": flow.id, "success": False, "validation_errors": flow.validation_errors}
        flow.status = "PUBLISHED"
    return {"id": flow.id, "success": True, "validation_errors": flow.validation_errors}


def create_flow(
    world: World, waba: Waba, name: str, categories: list[str], body: bytes, endpoint: str = ""
) -> Flow:
    now = world.clock.now()
    flow = Flow(world.new_id(), waba, name, categories, now, endpoint_uri=endpoint)
    if body:
        flow.json, flow.validation_errors = body, check_flow(body)
    world.add(flow)
    return flow


def _clone(world: World, waba: Waba, id_: str) -> Flow:
    source = world.nodes.get(id_)
    if not isinstance(source, Flow) or source.waba is not waba:
        raise invalid(f"The flow {id_} to clone does not exist in this account")
    return source


def _categories(given: Any) -> list[str]:
    if not isinstance(given, list) or not given:
        raise required("categories")
    for category in given:
        if category not in CATEGORIES:
            raise invalid(f"Param categories must be some of {{{', '.join(CATEGORIES)}}}")
    return [str(category) for category in given]


def update(flow: Flow, request: Request) -> dict[str, Any]:
    """Updates name, categories and endpoint."""
    fields = read_fields(request)
    _require_draft(flow)
    if text_of(fields, "name"):
        flow.name = text_of(fields, "name")
    if "categories" in fields:
        flow.categories = _categories(decoded(fields, "categories"))
    if "endpoint_uri" in fields:
        flow.endpoint_uri = text_of(fields, "endpoint_uri")
    return {"success": True}


def put_asset(flow: Flow, request: Request) -> dict[str, Any]:
    """Stores the flow's JSON, even if it has validation errors, and returns them."""
    fields = read_fields(request)
    _require_draft(flow)
    if text_of(fields, "asset_type") != "FLOW_JSON" or text_of(fields, "name") != "flow.json":
        raise invalid("Give name flow.json and asset_type FLOW_JSON")
    if "file" not in fields:
        raise required("file")
    flow.json = text_of(fields, "file").encode()
    flow.validation_errors = check_flow(flow.json)
    return {"success": True, "validation_errors": flow.validation_errors}


def list_assets(flow: Flow, address: str) -> dict[str, Any]:
    asset = {"name": "flow.json", "asset_type": "FLOW_JSON", "download_url": f"{address}/json"}
    return {"data": [asset] if flow.json else []}


def publish(flow: Flow) -> dict[str, Any]:
    if flow.status != "DRAFT":
        raise _refusal(PUBLISHING, f"A flow that is {flow.status} cannot be published")
    if not flow.json or flow.validation_errors:
        raise _refusal(PUBLISHING, "The flow has no JSON, or its JSON has validation errors")
    flow.status = "PUBLISHED"
    return {"success": True}


def deprecate(flow: Flow) -> dict[str, Any]:
    if flow.status not in ("PUBLISHED", "THROTTLED"):
        raise _refusal(DEPRECATING, "Only a published flow can be deprecated")
    flow.status = "DEPRECATED"
    return {"success": True}


def delete(world: World, flow: Flow) -> dict[str, Any]:
    if flow.status != "DRAFT":
        raise _refusal(DELETING, "Only a draft can be deleted; deprecate a published flow")
    world.remove(flow)
    return {"success": True}


def _require_draft(flow: Flow) -> None:
    if flow.status != "DRAFT":
        raise _refusal(UPDATING, "A published flow is immutable: clone it into a new one")


def _refusal(code: int, why: str) -> GraphError:
    return GraphError(code, why, extra={"error_user_msg": why})


def _version(body: bytes) -> str:
    try:
        flow = msgspec.json.decode(body) if body else {}
    except msgspec.DecodeError:
        return ""
    return str(flow.get("version", "")) if isinstance(flow, dict) else ""
