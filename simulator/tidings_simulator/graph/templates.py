"""Template endpoints: list, show, create, edit, delete; each change is reviewed automatically."""

from datetime import datetime, timedelta
from typing import Any

from tidings_simulator.callbacks.bodies import ChangeEvent
from tidings_simulator.connection import Request
from tidings_simulator.graph.errors import GraphError, invalid, no_such_object, param_must, required
from tidings_simulator.graph.flows import create_flow
from tidings_simulator.graph.nodes import TEMPLATE_FIELDS, show_template
from tidings_simulator.graph.paging import page, pick
from tidings_simulator.graph.request_fields import decoded, read_fields, text_of
from tidings_simulator.graph.template_rules import check_components, check_template
from tidings_simulator.model import APPROVED, MessageTemplate, Waba
from tidings_simulator.plan import OTP_URL
from tidings_simulator.world import World

REVIEW_DELAY = timedelta(seconds=5)
REJECTED_SUFFIX = "_rejected"  # the review rejects a template with this suffix
TEMPLATES_MAX = 6000
EDITS_IN_A_DAY, EDITS_IN_A_MONTH = 1, 10
_FILTERS = ("name", "status", "language", "category")


def list_templates(world: World, waba: Waba, request: Request, address: str) -> dict[str, Any]:
    query = request.query
    found = world.templates(waba)
    for name in _FILTERS:
        wanted = query.get(name)
        if wanted:
            found = [one for one in found if _matches(getattr(one, name), name, wanted)]
    asked = query.get("fields")
    listed = page(found, query, address, lambda t: pick(show_template(t), asked, TEMPLATE_FIELDS))
    if "summary" in query:
        listed["summary"] = {
            "total_count": len(found),
            "message_template_count": len(world.templates(waba)),
            "message_template_limit": TEMPLATES_MAX,
            "are_translations_complete": True,
        }
    return listed


def _matches(value: str, field: str, wanted: str) -> bool:
    """Names match by substring, other fields by equality, case-insensitively."""
    if field == "name":
        return wanted in value
    return value.lower() in [each.strip(' "[]').lower() for each in wanted.split(",")]


def create(world: World, waba: Waba, request: Request) -> tuple[dict[str, Any], MessageTemplate]:
    fields = read_fields(request)
    for name in ("name", "language", "category"):
        if not text_of(fields, name):
            raise required(name)
    name, language = text_of(fields, "name"), text_of(fields, "language")
    category = text_of(fields, "category").upper()
    components, ttl = decoded(fields, "components"), decoded(fields, "message_send_ttl_seconds")
    check_template(name, language, category, components, ttl)
    if world.find_template(waba, name, language) is not None:
        raise _already_exists(name, language)
    template = MessageTemplate(
        world.new_id(),
        waba,
        name,
        language,
        category,
        _stored_components(world, waba, category, components),
        status="PENDING",
        parameter_format=text_of(fields, "parameter_format").upper() or "POSITIONAL",
        send_ttl=ttl,
    )
    world.add(template)
    return {"id": template.id, "status": template.status, "category": category}, template


def _already_exists(name: str, language: str) -> GraphError:
    why = f"There is already {language} content for the template {name}."
    extra = {"error_user_title": "Content in this language already exists", "error_user_msg": why}
    return GraphError(100, message="Invalid parameter", subcode=2388024, extra=extra)


def _stored_components(
    world: World, waba: Waba, category: str, components: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """In the platform's format: types in upper case, the button of a passcode as a URL."""
    stored = []
    for component in components:
        part = {**component, "type": str(component["type"]).upper()}
        if "format" in part:
            part["format"] = str(part["format"]).upper()
        if part["type"] == "BODY" and category == "AUTHENTICATION":
            advice = " For your security, do not share this code."
            more = advice if part.get("add_security_recommendation") else ""
            part["text"] = "*{{1}}* is your verification code." + more
        if part["type"] == "BUTTONS":
            part["buttons"] = [_stored_button(world, waba, each) for each in part["buttons"]]
        stored.append(part)
    return stored


def _stored_button(world: World, waba: Waba, button: dict[str, Any]) -> dict[str, Any]:
    type_ = str(button.get("type", "")).upper()
    if type_ == "OTP":
        text = button.get("text") or "Copy code"
        return {"type": "URL", "text": text, "url": OTP_URL, "example": [OTP_URL]}
    if type_ == "FLOW":
        return {**button, "type": type_, "flow_id": _flow_id(world, waba, button)}
    return {**button, "type": type_}


def _flow_id(world: World, waba: Waba, button: dict[str, Any]) -> str:
    flows = world.flows(waba)
    if button.get("flow_json"):
        name = f"flow of a template {len(flows) + 1}"
        return create_flow(world, waba, name, ["OTHER"], str(button["flow_json"]).encode()).id
    for flow in flows:
        if flow.id == str(button.get("flow_id")) or flow.name == button.get("flow_name"):
            return flow.id
    raise invalid("The flow of the button does not exist in the WhatsApp business account")


def edit(world: World, template: MessageTemplate, request: Request) -> None:
    fields = read_fields(request)
    now = world.clock.now()
    _require_editable(template, now)
    category = text_of(fields, "category").upper()
    components = decoded(fields, "components")
    if category and category != template.category:
        if template.status == APPROVED:
            raise param_must("category", "not change once the template is approved")
        template.category = category
    if components is not None:
        check_components(template.category, components)
        template.components = _stored_components(
            world, template.waba, template.category, components
        )
    ttl = decoded(fields, "message_send_ttl_seconds")
    template.send_ttl = ttl if ttl is not None else template.send_ttl
    template.status = "PENDING"
    template.edits.append(now)
    template.clear_parts()


def _require_editable(template: MessageTemplate, now: datetime) -> None:
    if template.status not in (APPROVED, "REJECTED", "PAUSED"):
        raise invalid(f"A template that is {template.status} cannot be edited")
    if template.status != APPROVED:
        return
    day = [at for at in template.edits if now - at < timedelta(days=1)]
    month = [at for at in template.edits if now - at < timedelta(days=30)]
    if len(day) >= EDITS_IN_A_DAY or len(month) >= EDITS_IN_A_MONTH:
        raise invalid("An approved template can be edited once a day and ten times a month")


def delete(world: World, waba: Waba, request: Request) -> None:
    """By `name` in all languages; with `hsm_id` only that version."""
    name, id_ = request.query.get("name"), request.query.get("hsm_id")
    if not name:
        raise required("name")
    found = [t for t in world.templates(waba) if t.name == name and id_ in (None, t.id)]
    if not found:
        raise no_such_object("DELETE", id_ or name)
    for template in found:
        world.remove(template)


def review(template: MessageTemplate, at: datetime) -> ChangeEvent:
    """The review's decision, unless the template is no longer pending."""
    rejected = template.name.endswith(REJECTED_SUFFIX)
    reason = "INVALID_FORMAT" if rejected else "NONE"
    status = "REJECTED" if rejected else APPROVED

    def decide() -> bool:
        pending = template.status == "PENDING"
        if pending:
            template.status, template.rejected_reason = status, reason
        return pending

    event = _status_event(template, status, reason, at)
    event.apply = decide
    return event


def status_event(template: MessageTemplate, at: datetime) -> ChangeEvent:
    return _status_event(template, template.status, template.rejected_reason, at)


def _status_event(template: MessageTemplate, status: str, reason: str, at: datetime) -> ChangeEvent:
    return _event(
        template,
        "message_template_status_update",
        at,
        event=status,
        reason=reason,
        message_template_category=template.category,
    )


def quality_event(template: MessageTemplate, previous: str, at: datetime) -> ChangeEvent:
    field = "message_template_quality_update"
    scores = {"previous_quality_score": previous, "new_quality_score": template.quality}
    return _event(template, field, at, **scores)


def category_event(template: MessageTemplate, at: datetime) -> ChangeEvent:
    categories = {
        "previous_category": template.previous_category,
        "new_category": template.category,
    }
    return _event(template, "template_category_update", at, **categories)


def _event(template: MessageTemplate, field: str, at: datetime, **more: str) -> ChangeEvent:
    value = {
        "message_template_id": int(template.id),
        "message_template_name": template.name,
        "message_template_language": template.language,
        **more,
    }
    return ChangeEvent(template.waba, field, value, at)
