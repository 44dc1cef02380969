"""Phone numbers as the platform lists them (platform.md, section 4).

UNSET marks a field that the response does not contain: the stored value stays valid.
"""

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from .account_updates import read_limit
from .call_errors import GraphErrorResponse
from .client import Graph
from .listing import INVALID_PARAMETER, OBJECT_MISSING, is_field_unknown, list_known_fields
from .values import part, short, text

OLDEST_FIELDS = "id,display_phone_number,verified_name,status,quality_rating"
FIELDS = (
    f"{OLDEST_FIELDS},throughput,is_on_biz_app,whatsapp_business_manager_messaging_limit,"
    "health_status"
)
QUALITIES = frozenset({"GREEN", "YELLOW", "RED"})
NO_QUALITY = "UNKNOWN"  # a new number has no rating yet
RATES = {"STANDARD": 80, "HIGH": 1000}
RATE_WITH_APP = 20  # of a number that is also used in the business app
BLOCKED = "BLOCKED"
READY = frozenset({"CONNECTED", "LINKED"})


class ListedNumber(msgspec.Struct, frozen=True):
    id: str
    status: str | UnsetType = UNSET
    quality: str | UnsetType = UNSET
    per_second: int | UnsetType = UNSET
    daily_limit: int | UnsetType | None = UNSET  # None: unlimited
    portfolio_id: str | UnsetType = UNSET
    verified_name: str | UnsetType = UNSET


class UnknownNumber(msgspec.Struct, frozen=True):
    """The platform does not know the number, or the token has no access to it."""

    reason: str  # the platform's error text


async def list_numbers(graph: Graph, waba_id: str, token: str) -> list[ListedNumber]:
    """All numbers of a business account, including those that Tidings does not use."""
    path = f"{waba_id}/phone_numbers"
    found = await list_known_fields(graph, path, token, FIELDS, OLDEST_FIELDS)
    return [number for number in map(read_number, found) if number is not None]


async def find_number(
    graph: Graph, phone_number_id: str, token: str
) -> ListedNumber | UnknownNumber | None:
    """One number by its id; None if the response has no id."""
    try:
        return read_number(await graph.get_json(phone_number_id, token, {"fields": FIELDS}))
    except GraphErrorResponse as refusal:
        if refusal.error.code == INVALID_PARAMETER and refusal.error.subcode == OBJECT_MISSING:
            return UnknownNumber(refusal.error.details)
        if not is_field_unknown(refusal):
            raise
    return read_number(await graph.get_json(phone_number_id, token, {"fields": OLDEST_FIELDS}))


def read_number(found: dict[str, Any]) -> ListedNumber | None:
    id_ = short(found.get("id"))
    if id_ is None:
        return None
    health = part(found, "health_status")
    return ListedNumber(
        id=id_,
        status=_status(found.get("status"), health),
        quality=_quality(found),
        per_second=_rate(found),
        daily_limit=read_limit(found.get("whatsapp_business_manager_messaging_limit")),
        portfolio_id=_portfolio(health),
        verified_name=text(found.get("verified_name")) or UNSET,
    )


def _status(given: object, health: dict[str, Any]) -> str | UnsetType:
    """BLOCKED overrides CONNECTED: the number cannot send, for example because its account is
    banned, unpaid or unverified.
    """
    status = short(given) or UNSET
    blocked = health.get("can_send_message") == BLOCKED
    return BLOCKED if blocked and status in (UNSET, *READY) else status


def _quality(found: dict[str, Any]) -> str | UnsetType:
    given = found.get("quality_rating") or part(found, "quality_score").get("score")
    if given is None:
        return UNSET
    return str(given) if str(given) in QUALITIES else NO_QUALITY


def _rate(found: dict[str, Any]) -> int | UnsetType:
    if found.get("is_on_biz_app") is True:
        return RATE_WITH_APP
    return RATES.get(str(part(found, "throughput").get("level")), UNSET)


def _portfolio(health: dict[str, Any]) -> str | UnsetType:
    """The business portfolio that owns the account, from the entities of `health_status`."""
    entities = health.get("entities")
    for entity in entities if isinstance(entities, list) else ():
        if isinstance(entity, dict) and entity.get("entity_type") == "BUSINESS":
            return short(entity.get("id")) or UNSET
    return UNSET
