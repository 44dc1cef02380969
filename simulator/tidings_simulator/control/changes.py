"""Changes by the platform, on request: of numbers, templates, flows and anything else. Pure.

Each change is reported by the callbacks that the platform makes for it (platform.md, sections 3 and
4). The platform does not report a number's quality; it must be queried.
"""

from datetime import datetime, timedelta
from typing import Any

from tidings.errors import ApiError, Code
from tidings_simulator.callbacks.bodies import ChangeEvent
from tidings_simulator.control.guest_bodies import ControlBody
from tidings_simulator.graph.templates import category_event, quality_event, status_event
from tidings_simulator.model import Flow, MessageTemplate, Number, Waba
from tidings_simulator.world import World

LIMITS = {
    "TIER_50": 50, "TIER_250": 250, "TIER_1K": 1000, "TIER_2K": 2000, "TIER_10K": 10_000,
    "TIER_100K": 100_000, "TIER_UNLIMITED": -1,
}  # fmt: skip
RESTRICTION = timedelta(days=1)
_SENDING = ("CONNECTED", "LINKED")


class NumberBody(ControlBody):
    """Omitted fields are unchanged."""

    quality: str | None = None
    status: str | None = None
    throughput: str | None = None
    limit: str | None = None
    name_status: str | None = None
    display_name: str | None = None
    per_second: int | None = None
    callbacks: bool = True


class TemplateBody(ControlBody):
    status: str | None = None
    category: str | None = None
    quality: str | None = None
    reason: str | None = None
    language: str | None = None  # None: every language
    callbacks: bool = True


class FlowBody(ControlBody):
    status: str


class CallbackBody(ControlBody):
    """Any callback, posted verbatim."""

    field: str
    value: dict[str, Any]
    waba_id: str | None = None


def change_number(number: Number, body: NumberBody, now: datetime) -> list[ChangeEvent]:
    events: list[ChangeEvent] = []
    if body.status is not None and body.status != number.status:
        events += _status_events(number, body.status, now)
    if body.throughput is not None and body.throughput != number.throughput:
        number.throughput = body.throughput
        events.append(_number_event(number, "THROUGHPUT_UPGRADE", now))
    if body.limit is not None and body.limit != number.waba.limit:
        events += _limit_events(number, body.limit, now)
    number.quality_rating = body.quality or number.quality_rating
    number.name_status = body.name_status or number.name_status
    number.verified_name = body.display_name or number.verified_name
    number.per_second = body.per_second if body.per_second is not None else number.per_second
    return events if body.callbacks else []


def _status_events(number: Number, status: str, now: datetime) -> list[ChangeEvent]:
    number.status = status
    if status in _SENDING:
        return [_number_event(number, "UNFLAGGED", now)]
    restriction = {
        "restriction_type": "RESTRICTED_BIZ_INITIATED_MESSAGING",
        "expiration": int((now + RESTRICTION).timestamp()),
    }
    value = {
        "event": "ACCOUNT_RESTRICTION",
        "phone_number": number.number,
        "restriction_info": [restriction],
    }
    account = ChangeEvent(number.waba, "account_update", value, now, number)
    return [account, _number_event(number, "FLAGGED", now)]


def _limit_events(number: Number, limit: str, now: datetime) -> list[ChangeEvent]:
    if limit not in LIMITS:
        known = ", ".join(LIMITS)
        raise ApiError(Code.VALIDATION_ERROR, f"limit: give one of {known}", field="limit")
    old, number.waba.limit = number.waba.limit, limit
    more = LIMITS[limit] == -1 or LIMITS[limit] > LIMITS[old] > -1
    value = {
        "max_daily_conversations_per_business": LIMITS[limit],
        "max_phone_numbers_per_business": 25,
        "max_phone_numbers_per_waba": 25,
    }
    capability = ChangeEvent(number.waba, "business_capability_update", value, now)
    event = _number_event(number, "UPGRADE" if more else "DOWNGRADE", now)
    event.value["old_limit"] = old
    return [event, capability]


def _number_event(number: Number, event: str, now: datetime) -> ChangeEvent:
    value = {
        "display_phone_number": number.number,
        "event": event,
        "current_limit": number.waba.limit,
        "max_daily_conversations_per_business": number.waba.limit,
    }
    return ChangeEvent(number.waba, "phone_number_quality_update", value, now, number)


def change_templates(world: World, name: str, body: TemplateBody) -> list[ChangeEvent]:
    """By id, or by name in one or all languages."""
    found = [
        template
        for template in world.templates()
        if name in (template.id, template.name) and body.language in (None, template.language)
    ]
    if not found:
        raise ApiError(Code.NOT_FOUND, f"There is no template {name}")
    now = world.clock.now()
    events = [event for template in found for event in _change(template, body, now)]
    return events if body.callbacks else []


def _change(template: MessageTemplate, body: TemplateBody, now: datetime) -> list[ChangeEvent]:
    events: list[ChangeEvent] = []
    if body.category is not None and body.category != template.category:
        template.previous_category, template.category = template.category, body.category
        template.clear_parts()
        events.append(category_event(template, now))
    if body.quality is not None and body.quality != template.quality:
        previous, template.quality = template.quality, body.quality
        events.append(quality_event(template, previous, now))
    if body.status is not None and body.status != template.status:
        template.status = body.status
        template.rejected_reason = body.reason or "NONE"
        events.append(status_event(template, now))
    return events


def change_flow(world: World, name: str, body: FlowBody) -> dict[str, str]:
    flow = world.nodes.get(name)
    if not isinstance(flow, Flow):
        raise ApiError(Code.NOT_FOUND, f"There is no flow {name}")
    flow.status = body.status
    return {"id": flow.id, "status": flow.status}


def any_change(world: World, body: CallbackBody) -> ChangeEvent:
    waba = world.nodes.get(body.waba_id) if body.waba_id else world.wabas()[0]
    if not isinstance(waba, Waba):
        problem = f"wabaId: there is no account {body.waba_id}"
        raise ApiError(Code.VALIDATION_ERROR, problem, field="wabaId")
    return ChangeEvent(waba, body.field, body.value, world.clock.now())
