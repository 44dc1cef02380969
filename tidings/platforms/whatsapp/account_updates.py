"""Callbacks about templates, numbers and accounts (platform.md, sections 3 and 4). Pure.

Most of them only say that something changed, and trigger a sync. Changes that a callback states
explicitly (a template was paused, an account was banned, a limit was raised) apply immediately.
"""

from typing import Any

import msgspec

from .values import Unreadable, number, part, short

# Other values are ignored: the sync reads the template's status.
STATES = frozenset(
    {
        "APPROVED", "PENDING", "REJECTED", "PAUSED", "DISABLED", "IN_APPEAL", "PENDING_DELETION",
        "DELETED", "LIMIT_EXCEEDED", "ARCHIVED", "LOCKED",
    }
)  # fmt: skip
CATEGORIES = frozenset({"MARKETING", "UTILITY", "AUTHENTICATION"})
TIERS = {
    "TIER_50": 50, "TIER_250": 250, "TIER_1K": 1_000, "TIER_2K": 2_000, "TIER_10K": 10_000,
    "TIER_100K": 100_000, "TIER_UNLIMITED": None,
}  # fmt: skip
UNLIMITED = -1
LIMIT_MAX = 2**31 - 1  # what a column of ours holds; a greater one is read anew, and passed over
BANNED = "BANNED"
BAN_EVENTS = {("DISABLED_UPDATE", "DISABLE"): BANNED}
REMOVED = {"ACCOUNT_DELETED": "DELETED", "ACCOUNT_OFFBOARDED": "DISCONNECTED"}

TEMPLATE_FIELDS = frozenset(
    {
        "message_template_status_update", "message_template_quality_update",
        "message_template_components_update", "template_category_update",
        "template_correct_category_detection",
    }
)  # fmt: skip
ACCOUNT_FIELDS = frozenset(
    {
        "account_update", "account_alerts", "account_review_update", "business_capability_update",
        "business_status_update", "phone_number_quality_update", "phone_number_name_update",
        "security",
    }
)  # fmt: skip


class TemplateUpdate(msgspec.Struct, frozen=True):
    """A new status or category of one language version of a template."""

    name: str
    language: str
    status: str | None = None
    category: str | None = None


class LimitUpdate(msgspec.Struct, frozen=True):
    """The portfolio's limit of unique recipients in 24 hours. None: unlimited."""

    daily_limit: int | None


class NumbersUpdate(msgspec.Struct, frozen=True):
    """The new status of all numbers of the account: banned, deleted, disconnected."""

    status: str


Change = TemplateUpdate | LimitUpdate | NumbersUpdate


class AccountUpdate(msgspec.Struct, frozen=True):
    """Something about a business account changed at the platform: it should be synced."""

    owners: tuple[str, ...]  # ids of the business account or of its portfolio
    field: str
    change: Change | None = None  # None: only the sync can tell
    raw: bytes = b""


def is_account_update(field: str) -> bool:
    return field in TEMPLATE_FIELDS or field in ACCOUNT_FIELDS


def read_account_update(owner: str, field: str, value: object, raw: bytes) -> AccountUpdate:
    """The update in the `value` of a change; `owner` is the id of its entry."""
    if not isinstance(value, dict):
        raise Unreadable(f"{field} has no value")
    waba = part(value, "waba_info")
    ids = (owner, short(waba.get("waba_id")), short(waba.get("owner_business_id")))
    owners = tuple(dict.fromkeys(one for one in ids if one))
    return AccountUpdate(owners, field, _change(field, value), raw)


def read_limit(value: object) -> int | msgspec.UnsetType | None:
    """A messaging limit: a tier's name, a number, or -1 for unlimited. UNSET: unknown value."""
    if isinstance(value, str) and value in TIERS:
        return TIERS[value]
    found = number(value)
    if found == UNLIMITED:
        return None
    return found if found is not None and 0 <= found <= LIMIT_MAX else msgspec.UNSET


def _change(field: str, value: dict[str, Any]) -> Change | None:
    if field in TEMPLATE_FIELDS:
        return _template(field, value)
    if field == "account_update":
        return _account(value)
    if field in ("business_capability_update", "phone_number_quality_update"):
        limit = read_limit(value.get("max_daily_conversations_per_business"))
        return None if limit is msgspec.UNSET else LimitUpdate(limit)
    return None


def _template(field: str, value: dict[str, Any]) -> TemplateUpdate | None:
    name = short(value.get("message_template_name"))
    language = short(value.get("message_template_language"))
    if name is None or language is None:
        return None
    event, category = str(value.get("event")), str(value.get("new_category"))
    if field == "message_template_status_update" and event in STATES:
        return TemplateUpdate(name, language, status=event)
    if field == "template_category_update" and category in CATEGORIES:
        return TemplateUpdate(name, language, category=category)
    return None


def _account(value: dict[str, Any]) -> NumbersUpdate | None:
    event = str(value.get("event"))
    status = BAN_EVENTS.get((event, str(part(value, "ban_info").get("waba_ban_state"))))
    status = status or REMOVED.get(event)
    return None if status is None else NumbersUpdate(status)
