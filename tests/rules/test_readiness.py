"""Whether an invitation that names no template could leave now, as a pure rule (contract2.md C)."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import Any
from uuid import UUID

import pytest

from tidings.features.accounts.model import Account, SendWindow
from tidings.features.senders.model import Number
from tidings.features.templates.model import Template
from tidings.features.templates.readiness import readiness

ACCOUNT = Account(
    id=UUID(int=1), name="acme", environment="live", replies="guest", active=True, paused=False,
    webhook_url=None, requests_per_minute=600, daily_limit=None, default_template="invite",
    otp_template=None, resend_unknown=False, allowlist=None, send_window=None,
    billing_mode="ENFORCED", belongs_to=None, partner=None, clock=timedelta(0),
    created_at=datetime(2026, 1, 1, tzinfo=UTC),
)  # fmt: skip
INVITE = Template("invite", "en", "UTILITY", "APPROVED", body="Join us")
NUMBER = Number(
    number="972555000001", position=0, display_name="", phone_number_id="1", waba_id="2",
    portfolio_id=None, access_token=b"", per_second=80, daily_limit=None, status="CONNECTED",
    quality="GREEN",
)  # fmt: skip


def reasons(
    *,
    account: dict[str, Any] | None = None,
    template: dict[str, Any] | None = None,
    number: dict[str, Any] | None = None,
    unpaid: str | None = None,
) -> list[str]:
    shown = readiness(
        replace(ACCOUNT, **account or {}),
        [replace(INVITE, **template or {})],
        [replace(NUMBER, **number or {})],
        unpaid,
    )
    assert shown.ready is (shown.reasons == [])
    return shown.reasons


def test_nothing_stands_against_it() -> None:
    assert reasons() == []


def test_a_closed_send_window_is_no_obstacle() -> None:
    assert reasons(account={"send_window": SendWindow(time(1), time(1, 1), "UTC")}) == []


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"account": {"active": False}}, "disabled"),
        ({"account": {"paused": True}}, "paused"),
        ({"account": {"default_template": None}}, "no defaultTemplate"),
        ({"account": {"default_template": "ghost"}}, "'ghost'"),
        ({"template": {"status": "REJECTED"}}, "REJECTED"),
        ({"number": {"status": "UNKNOWN"}}, "not confirmed it yet"),
        ({"number": {"status": "UNKNOWN", "refusal": "(#190) expired"}}, "(#190) expired"),
        ({"number": {"status": "BANNED"}}, "BANNED"),
        ({"number": {"fault": "TOKEN_INVALID"}}, "TOKEN_INVALID"),
        ({"unpaid": "invoice 7 is overdue"}, "invoice 7"),
    ],
)
def test_each_obstacle_is_a_reason_of_its_own(facts: dict[str, Any], words: str) -> None:
    (reason,) = reasons(**facts)
    assert words in reason


def test_all_obstacles_are_named_together() -> None:
    found = reasons(
        account={"paused": True, "active": False, "default_template": None},
        number={"status": "BANNED"},
        unpaid="invoice 7 is overdue",
    )
    assert len(found) == 5


def test_an_account_without_numbers_is_not_ready() -> None:
    shown = readiness(ACCOUNT, [INVITE], [], None)
    assert (shown.ready, len(shown.reasons)) == (False, 1)


def test_an_unconfirmed_number_may_be_tried_and_is_not_ready() -> None:
    new = replace(NUMBER, status="UNKNOWN")
    assert (new.may_send, new.ready, new.shown_status) == (True, False, "UNKNOWN")
    refused = replace(new, fault="TOKEN_INVALID")
    assert (refused.may_send, refused.ready, refused.shown_status) == (False, False, "UNKNOWN")
