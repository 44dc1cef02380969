"""Platform callbacks about templates, numbers and accounts."""

from typing import Any

import pytest

from tests.support import callbacks as payload
from tests.support.callbacks import WABA
from tidings.platforms.whatsapp.account_updates import (
    AccountUpdate,
    LimitUpdate,
    NumbersUpdate,
    TemplateUpdate,
)
from tidings.platforms.whatsapp.callbacks import Unparsable, read

INVITE = {"message_template_name": "invite", "message_template_language": "he"}


def news_of(field: str, **value: Any) -> Any:
    (piece,) = read(payload.raw(payload.body(payload.news(field, **value))))
    return piece


@pytest.mark.parametrize("event", ["APPROVED", "PAUSED", "REJECTED", "DISABLED", "DELETED"])
def test_the_status_of_a_template_is_taken_at_once(event: str) -> None:
    found = news_of("message_template_status_update", event=event, **INVITE)
    assert found.owners == (WABA,)
    assert found.change == TemplateUpdate("invite", "he", status=event)


@pytest.mark.parametrize(
    "event", ["REINSTATED", "FLAGGED", "UNARCHIVED", "BRAND_NEW", None, 7, [], {}]
)
def test_a_word_that_is_no_status_only_asks_to_read_anew(event: Any) -> None:
    assert news_of("message_template_status_update", event=event, **INVITE).change is None


def test_a_new_category_is_taken_at_once() -> None:
    found = news_of("template_category_update", new_category="MARKETING", **INVITE)
    assert found.change == TemplateUpdate("invite", "he", category="MARKETING")


def test_an_announced_category_is_not_one_yet() -> None:
    found = news_of("template_category_update", correct_category="MARKETING", **INVITE)
    assert found.change is None


@pytest.mark.parametrize("field", [
    "message_template_quality_update", "message_template_components_update", "account_alerts",
    "account_review_update", "phone_number_name_update", "security",
])  # fmt: skip
def test_other_news_only_ask_to_read_anew(field: str) -> None:
    found = news_of(field, decision="APPROVED", **INVITE)
    assert isinstance(found, AccountUpdate) and found.change is None


@pytest.mark.parametrize(
    ("raw_limit", "limit"),
    [(2000, 2000), ("10000", 10_000), (-1, None), ("TIER_100K", 100_000), ("TIER_UNLIMITED", None)],
)
def test_a_new_limit_is_taken_at_once(raw_limit: Any, limit: int | None) -> None:
    found = news_of("business_capability_update", max_daily_conversations_per_business=raw_limit)
    assert found.change == LimitUpdate(limit)


@pytest.mark.parametrize(
    "raw_limit", ["TIER_OF_TOMORROW", None, {}, [1], -7, True, 1.5, 2**31, 10**400]
)
def test_a_limit_nobody_understands_only_asks_to_read_anew(raw_limit: Any) -> None:
    found = news_of("phone_number_quality_update", max_daily_conversations_per_business=raw_limit)
    assert found.change is None


@pytest.mark.parametrize("id_", ["20\x0077", "2" * 2000, 2**70])
def test_an_odd_id_of_an_account_is_one_that_can_be_looked_up(id_: Any) -> None:
    body = payload.body(payload.news("security", event="x"), waba=id_)
    (found,) = read(payload.raw(body))
    assert all("\0" not in owner and len(owner) <= 512 for owner in found.owners)


def test_a_ban_stops_all_numbers_of_the_account() -> None:
    found = news_of(
        "account_update", event="DISABLED_UPDATE", ban_info={"waba_ban_state": "DISABLE"}
    )
    assert found.change == NumbersUpdate("BANNED")


@pytest.mark.parametrize("state", ["REINSTATE", "SCHEDULE_FOR_DISABLE"])
def test_a_ban_that_ends_or_is_to_come_asks_to_read_anew(state: str) -> None:
    found = news_of("account_update", event="DISABLED_UPDATE", ban_info={"waba_ban_state": state})
    assert found.change is None


def test_an_update_may_name_its_account_inside() -> None:
    found = news_of("account_update", event="PARTNER_ADDED",
                    waba_info={"waba_id": "55", "owner_business_id": "77"})  # fmt: skip
    assert found.owners == (WABA, "55", "77")


def test_errors_of_the_account_ask_to_read_anew() -> None:
    found = read(payload.raw(payload.body(payload.change(errors=[{"code": 130429}]))))
    assert found == [AccountUpdate((WABA,), "errors", raw=found[0].raw)]


def test_news_without_a_value_are_put_aside() -> None:
    (piece,) = read(payload.raw(payload.body({"field": "account_update", "value": 7})))
    assert isinstance(piece, Unparsable)
