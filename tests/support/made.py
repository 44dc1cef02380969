"""Values of our own kinds for tests of pure rules, with what such a test does not care about."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from tidings.features.accounts.model import Account

OURS = UUID(int=1)


def account(**fields: Any) -> Account:
    values = {
        "id": OURS, "name": "acme", "environment": "sandbox", "replies": "guest", "active": True,
        "paused": False, "webhook_url": None, "requests_per_minute": 600, "daily_limit": None,
        "default_template": None, "otp_template": None, "resend_unknown": False,
        "allowlist": None, "send_window": None, "billing_mode": "OFF", "belongs_to": None,
        "partner": None, "clock": timedelta(0), "created_at": datetime(2026, 1, 1, 12, tzinfo=UTC),
    }  # fmt: skip
    return Account(**values | fields)
