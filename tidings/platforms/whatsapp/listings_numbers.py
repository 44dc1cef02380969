"""A number as the platform lists it (platform.md, section 4). Pure.

UNSET stands for what an answer does not say: then what was known before holds on.
"""

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from .account_updates import read_limit
from .callbacks_values import part, short, text

FIELDS_ALWAYS = "id,display_phone_number,verified_name,status,quality_rating"
FIELDS = (
    f"{FIELDS_ALWAYS},throughput,is_on_biz_app,whatsapp_business_manager_messaging_limit,"
    "health_status"
)
QUALITIES = frozenset({"GREEN", "YELLOW", "RED"})
NO_QUALITY = "UNKNOWN"  # a new number has none
RATES = {"STANDARD": 80, "HIGH": 1000}
RATE_BESIDE_APP = 20  # of a number that is used in the business app as well
BLOCKED = "BLOCKED"
READY = frozenset({"CONNECTED", "LINKED"})


class ListedNumber(msgspec.Struct, frozen=True):
    id: str
    status: str | UnsetType = UNSET
    quality: str | UnsetType = UNSET
    per_second: int | UnsetType = UNSET
    daily_limit: int | UnsetType | None = UNSET  # None: any number
    portfolio_id: str | UnsetType = UNSET
    verified_name: str | UnsetType = UNSET


class UnknownNumber(msgspec.Struct, frozen=True):
    """The platform does not know the number, or not for the token; in its own words."""

    words: str


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
    """The platform's word. A number that is connected and may not send is not ready all the same:
    its account may be banned, unpaid or unverified.
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
        return RATE_BESIDE_APP
    return RATES.get(str(part(found, "throughput").get("level")), UNSET)


def _portfolio(health: dict[str, Any]) -> str | UnsetType:
    """The business that owns the account is named among those that decide about sending."""
    entities = health.get("entities")
    for entity in entities if isinstance(entities, list) else ():
        if isinstance(entity, dict) and entity.get("entity_type") == "BUSINESS":
            return short(entity.get("id")) or UNSET
    return UNSET
