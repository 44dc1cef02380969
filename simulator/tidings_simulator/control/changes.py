"""What the platform changes by itself, on request: numbers, templates, flows, anything else. Pure.

Each change is told the way the platform tells it (platform.md, sections 3 and 4). A number's
quality is not told at all any more: whoever wants to know must ask.
"""

from datetime import datetime, timedelta
from typing import Any

from tidings.errors import ApiError, Code
from tidings_simulator.callbacks.bodies import Changed
from tidings_simulator.control.guest_bodies import Strict
from tidings_simulator.graph.templates import told_category, told_quality, told_status
from tidings_simulator.model import Flow, MessageTemplate, Number, Waba
from tidings_simulator.world import World

LIMITS = {
    "TIER_50": 50, "TIER_250": 250, "TIER_1K": 1000, "TIER_2K": 2000, "TIER_10K": 10_000,
    "TIER_100K": 100_000, "TIER_UNLIMITED": -1,
}  # fmt: skip
RESTRICTION = timedelta(days=1)
_SENDING = ("CONNECTED", "LINKED")


class NumberBody(Strict):
    """Fields left out stay as they are."""

    quality: str | None = None
    status: str | None = None
    throughput: str | None = None
    limit: str | None = None
    name_status: str | None = None
    display_name: str | None = None
    per_second: int | None = None
    callbacks: bool = True


class TemplateBody(Strict):
    status: str | None = None
    category: str | None = None
    quality: str | None = None
    reason: str | None = None
    language: str | None = None  # of a name; absent: all
    callbacks: bool = True


class FlowBody(Strict):
    status: str


class CallbackBody(Strict):
    """Any change, told as it is."""

    field: str
    value: dict[str, Any]
    waba_id: str | None = None


def change_number(number: Number, body: NumberBody, now: datetime) -> list[Changed]:
    told: list[Changed] = []
    if body.status is not None and body.status != number.status:
        told += _told_status(number, body.status, now)
    if body.throughput is not None and body.throughput != number.throughput:
        number.throughput = body.throughput
        told.append(_told_number(number, "THROUGHPUT_UPGRADE", now))
    if body.limit is not None and body.limit != number.waba.limit:
        told += _told_limit(number, body.limit, now)
    number.quality_rating = body.quality or number.quality_rating
    number.name_status = body.name_status or number.name_status
    number.verified_name = body.display_name or number.verified_name
    number.per_second = body.per_second if body.per_second is not None else number.per_second
    return told if body.callbacks else []


def _told_status(number: Number, status: str, now: datetime) -> list[Changed]:
    number.status = status
    if status in _SENDING:
        return [_told_number(number, "UNFLAGGED", now)]
    restriction = {
        "restriction_type": "RESTRICTED_BIZ_INITIATED_MESSAGING",
        "expiration": int((now + RESTRICTION).timestamp()),
    }
    value = {
        "event": "ACCOUNT_RESTRICTION",
        "phone_number": number.number,
        "restriction_info": [restriction],
    }
    account = Changed(number.waba, "account_update", value, now, number)
    return [account, _told_number(number, "FLAGGED", now)]


def _told_limit(number: Number, limit: str, now: datetime) -> list[Changed]:
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
    capability = Changed(number.waba, "business_capability_update", value, now)
    event = _told_number(number, "UPGRADE" if more else "DOWNGRADE", now)
    event.value["old_limit"] = old
    return [event, capability]


def _told_number(number: Number, event: str, now: datetime) -> Changed:
    value = {
        "display_phone_number": number.number,
        "event": event,
        "current_limit": number.waba.limit,
        "max_daily_conversations_per_business": number.waba.limit,
    }
    return Changed(number.waba, "phone_number_quality_update", value, now, number)


def change_templates(world: World, name: str, body: TemplateBody) -> list[Changed]:
    """By id, or by name in one language or all of them."""
    found = [
        template
        for template in world.templates()
        if name in (template.id, template.name) and body.language in (None, template.language)
    ]
    if not found:
        raise ApiError(Code.NOT_FOUND, f"There is no template {name}")
    now = world.clock.now()
    told = [event for template in found for event in _change(template, body, now)]
    return told if body.callbacks else []


def _change(template: MessageTemplate, body: TemplateBody, now: datetime) -> list[Changed]:
    told: list[Changed] = []
    if body.category is not None and body.category != template.category:
        template.previous_category, template.category = template.category, body.category
        template.forget()
        told.append(told_category(template, now))
    if body.quality is not None and body.quality != template.quality:
        previous, template.quality = template.quality, body.quality
        told.append(told_quality(template, previous, now))
    if body.status is not None and body.status != template.status:
        template.status = body.status
        template.rejected_reason = body.reason or "NONE"
        told.append(told_status(template, now))
    return told


def change_flow(world: World, name: str, body: FlowBody) -> dict[str, str]:
    flow = world.nodes.get(name)
    if not isinstance(flow, Flow):
        raise ApiError(Code.NOT_FOUND, f"There is no flow {name}")
    flow.status = body.status
    return {"id": flow.id, "status": flow.status}


def any_change(world: World, body: CallbackBody) -> Changed:
    waba = world.nodes.get(body.waba_id) if body.waba_id else world.wabas()[0]
    if not isinstance(waba, Waba):
        problem = f"wabaId: there is no account {body.waba_id}"
        raise ApiError(Code.VALIDATION_ERROR, problem, field="wabaId")
    return Changed(waba, body.field, body.value, world.clock.now())
