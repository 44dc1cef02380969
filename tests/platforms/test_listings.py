"""Numbers and templates as the platform lists them, in the terms we send by."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from tests.support.names import named
from tidings.platforms.whatsapp.numbers import ListedNumber, read_number
from tidings.platforms.whatsapp.templates import ListedButton, read_template

# Numbers


def number(**fields: Any) -> ListedNumber:
    found = read_number({"id": "1055", **fields})
    assert found is not None
    return found


def test_a_number_says_all_that_matters() -> None:
    found = number(
        display_phone_number="+972 55-500-0001", verified_name="Acme", status="CONNECTED",
        quality_rating="YELLOW", throughput={"level": "HIGH"},
        whatsapp_business_manager_messaging_limit="TIER_10K",
        health_status={"can_send_message": "AVAILABLE",
                       "entities": [{"entity_type": "BUSINESS", "id": "77"}]},
    )  # fmt: skip
    assert found == ListedNumber("1055", "CONNECTED", "YELLOW", 1000, 10_000, "77", "Acme")


def test_what_an_answer_does_not_say_is_unset() -> None:
    assert number() == ListedNumber("1055")


@pytest.mark.parametrize(("listed", "limit"), [
    ("TIER_50", 50), ("TIER_250", 250), ("TIER_1K", 1000), ("TIER_2K", 2000),
    ("TIER_10K", 10_000), ("TIER_100K", 100_000), ("TIER_UNLIMITED", None), ("TIER_NEW", UNSET),
    (None, UNSET), (2000, 2000), (-1, None),
])  # fmt: skip
def test_tiers_are_limits(listed: Any, limit: Any) -> None:
    assert number(whatsapp_business_manager_messaging_limit=listed).daily_limit == limit


@pytest.mark.parametrize(("fields", "rate"), [
    ({"throughput": {"level": "STANDARD"}}, 80), ({"throughput": {"level": "HIGH"}}, 1000),
    ({"throughput": {"level": "NOT_APPLICABLE"}}, UNSET), ({"throughput": None}, UNSET),
    ({"throughput": {"level": "HIGH"}, "is_on_biz_app": True}, 20),
], ids=named)  # fmt: skip
def test_throughput_is_a_rate(fields: dict[str, Any], rate: Any) -> None:
    assert number(**fields).per_second == rate


@pytest.mark.parametrize(("given_", "quality"), [
    ("GREEN", "GREEN"), ("RED", "RED"), ("NA", "UNKNOWN"), ("UNKNOWN", "UNKNOWN"),
    ("PURPLE", "UNKNOWN"),
])  # fmt: skip
def test_quality_is_a_light_or_unknown(given_: str, quality: str) -> None:
    assert number(quality_rating=given_).quality == quality


@pytest.mark.parametrize("status", ["CONNECTED", "LINKED", None])
def test_a_number_that_may_not_send_is_blocked(status: str | None) -> None:
    health = {"can_send_message": "BLOCKED"}
    assert number(status=status, health_status=health).status == "BLOCKED"


def test_a_word_that_says_more_than_blocked_is_kept() -> None:
    health = {"can_send_message": "BLOCKED"}
    assert number(status="BANNED", health_status=health).status == "BANNED"
    assert number(status="CONNECTED", health_status={"can_send_message": "LIMITED"}).status == (
        "CONNECTED"
    )


# Templates


def template(*components: dict[str, Any], **fields: Any) -> Any:
    values = {"name": "invite", "language": "he", "status": "APPROVED", "category": "UTILITY"}
    return read_template({**values, "components": list(components), **fields})


BODY = {"type": "BODY", "text": "Hi {{1}}, join us on {{2}}"}


def test_a_template_is_read_whole() -> None:
    found = template(
        {"type": "HEADER", "format": "TEXT", "text": "For {{1}}"},
        BODY,
        {"type": "FOOTER", "text": "Acme"},
        {"type": "BUTTONS", "buttons": [
            {"type": "QUICK_REPLY", "text": "Yes"},
            {"type": "URL", "text": "Open", "url": "https://a.b/r/{{1}}", "example": ["x"]},
            {"type": "PHONE_NUMBER", "text": "Call", "phone_number": "+97235551234"},
            {"type": "FLOW", "text": "Rate", "flow_id": 123},
        ]},
    )  # fmt: skip
    assert (found.header, found.header_text, found.body) == ("TEXT", "For {{1}}", BODY["text"])
    assert (found.footer, found.problem, found.names) == ("Acme", "", ())
    assert found.buttons == (
        ListedButton("QUICK_REPLY", "Yes"),
        ListedButton("URL", "Open", url="https://a.b/r/{{1}}"),
        ListedButton("PHONE_NUMBER", "Call", phone="+97235551234"),
        ListedButton("FLOW", "Rate", flow_id="123"),
    )


def test_variables_with_names_are_numbered_and_their_names_kept() -> None:
    found = template(
        {"type": "HEADER", "format": "TEXT", "text": "For {{family}}"},
        {"type": "BODY", "text": "Hi {{first_name}} and {{ other }}, dear {{first_name}}"},
        parameter_format="NAMED",
    )
    assert (found.header_text, found.body) == ("For {{1}}", "Hi {{1}} and {{2}}, dear {{1}}")
    assert found.names == ("family", "first_name", "other")


@pytest.mark.parametrize("button", [
    {"type": "OTP", "otp_type": "COPY_CODE", "text": "Copy code"},
    {"type": "URL", "text": "Copy code", "url": "https://www.whatsapp.com/otp/code/?code=otp{{1}}"},
    {"type": "COPY_CODE", "text": "Copy code"},
], ids=named)  # fmt: skip
def test_a_passcodes_button_copies_the_code_however_it_is_listed(button: dict[str, Any]) -> None:
    found = template(
        {"type": "BODY", "text": "*{{1}}* is your verification code."},
        {"type": "BUTTONS", "buttons": [button]},
        category="AUTHENTICATION",
    )
    assert found.buttons == (ListedButton("COPY_CODE", "Copy code"),)
    assert found.problem == ""


@pytest.mark.parametrize("component", [
    {"type": "HEADER", "format": "VIDEO"}, {"type": "HEADER", "format": "LOCATION"},
    {"type": "CAROUSEL", "cards": []}, {"type": "LIMITED_TIME_OFFER"},
    {"type": "BUTTONS", "buttons": [{"type": "COPY_CODE", "example": "SALE"}]},
    {"type": "BUTTONS", "buttons": [{"type": "MPM", "text": "See all"}]},
    {"type": "BUTTONS", "buttons": [{"text": "?"}]},
], ids=named)  # fmt: skip
def test_what_we_cannot_fill_is_said(component: dict[str, Any]) -> None:
    assert "cannot be filled here" in template(BODY, component).problem


def test_a_rejection_has_its_reason() -> None:
    found = template(BODY, status="REJECTED", rejected_reason="INVALID_FORMAT")
    assert found.problem == "the platform rejected it: INVALID_FORMAT"
    assert template(BODY, rejected_reason="NONE").problem == ""


def test_lower_case_types_are_the_same() -> None:
    found = template({"type": "header", "format": "image"}, {"type": "body", "text": "a"})
    assert (found.header, found.body) == ("IMAGE", "a")


@pytest.mark.parametrize("missing", ["name", "language", "status"])
def test_a_template_without_its_key_is_none(missing: str) -> None:
    assert template(BODY, **{missing: None}) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["type", "text", "format", "buttons", "url", "level", "id", "entities",
                         "entity_type", "can_send_message", "score"]), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(st.dictionaries(
    st.sampled_from(["name", "language", "status", "category", "components", "parameter_format",
                     "rejected_reason", "id", "throughput", "health_status", "quality_rating",
                     "quality_score", "verified_name",
                     "whatsapp_business_manager_messaging_limit"]), JSON,
))  # fmt: skip
def test_nothing_the_platform_lists_breaks_the_reading(found: dict[str, Any]) -> None:
    read_template(found)
    read_number(found)
