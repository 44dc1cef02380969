"""The fields of an account's forms, named as in the account file, and their values. Pure."""

from dataclasses import asdict, is_dataclass
from datetime import datetime, time
from typing import Any

from tidings import times
from tidings.account_file.changes import to_camel
from tidings.account_file.form_values import CHECKED
from tidings.account_file.plan import State
from tidings.features.accounts.model import AccountSpec

SETTINGS = (
    "organisation", "webhookUrl", "requestsPerMinute", "dailyLimit", "sendWindow", "allowlist",
    "defaultTemplate", "otpTemplate", "replies", "resendUnknown", "resendWhenRecovered",
    "retentionDays", "readerPrecision", "secondOpinion", "keepReadings", "billingMode", "belongsTo",
)  # fmt: skip
SECTIONS = {"settings": SETTINGS, "plan": ("subscription",), "partner": ("partner",)}


def values_of(state: State) -> dict[str, str]:
    """What the forms show first; `subscription.unique` for the field of a table."""
    account = state.account
    values: dict[str, Any] = {
        to_camel(name): getattr(account, name)
        for name in AccountSpec.__dataclass_fields__
        if name not in ("declared", "api_key", "signing_secret")
    }
    values["subscription"] = account.declared.get("subscription")
    return _flat(values, "")


def _flat(values: dict[str, Any], prefix: str) -> dict[str, str]:
    flat: dict[str, str] = {}
    for name, value in values.items():
        inner = _inner(value)
        if inner is not None:
            flat |= _flat(inner, f"{prefix}{name}.")
        else:
            flat[prefix + name] = _text(value)
    return flat


def _inner(value: object) -> dict[str, Any] | None:
    if is_dataclass(value) and not isinstance(value, type):
        return {to_camel(name): one for name, one in asdict(value).items()}
    return value if isinstance(value, dict) else None


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return CHECKED if value else ""
    if isinstance(value, datetime):
        return times.to_wire(value)
    if isinstance(value, time):
        return value.strftime("%H:%M")
    if isinstance(value, frozenset):
        return "\n".join(sorted(value))
    return str(value)
