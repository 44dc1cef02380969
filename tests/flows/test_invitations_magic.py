"""The magic recipients who answer by themselves drive the whole flow (contract.md, sandbox)."""

from typing import Any

import pytest

from tests.support.invitations import (
    TEXTS,
    get_event,
    guest_events,
    invite,
    kinds,
    later,
    register,
    state,
    texts,
)
from tests.support.service import TestAccount, TestService


def number(last_four: str) -> str:
    return f"97250000{last_four}"


@pytest.fixture
def hosting(account: TestAccount) -> TestAccount:
    register(account, defaults={"expiresAt": later(hours=6), "nudgeAfterMinutes": 30})
    return account


@pytest.mark.parametrize(
    ("last_four", "event", "last", "said"),
    [
        ("9101", ["confirmed"], "confirmed", []),
        ("9102", ["declined"], "declined", []),
        ("9103", ["replied_invalid", "unresolved"], "expired", ["invalidReply", "nudge"]),
        ("9104", ["confirmed"], "confirmed", []),
        ("9105", ["replied_late"], "expired", ["expired"]),
        ("9106", ["opted_out"], "expired", []),
        ("9107", ["replied_invalid", "unresolved"], "expired", ["invalidReply", "nudge"]),
        ("9110", ["confirmed", "declined"], "declined", []),
    ],
)
def test_a_magic_guest(
    hosting: TestAccount, last_four: str, event: list[str], last: str, said: list[str]
) -> None:
    invite(hosting, to=number(last_four))
    hosting.advance(hours=8)
    assert kinds(hosting) == [f"guest.{kind}" for kind in event]
    assert state(hosting) == last
    assert texts(hosting, number(last_four)) == [TEXTS[name] for name in said]


def test_9104_says_how_many_come(hosting: TestAccount) -> None:
    invite(hosting, to=number("9104"))
    hosting.advance(seconds=10)
    (event,) = guest_events(hosting)
    assert (event["answer"], event["guests"]) == ("yes", 4)


def test_9107_has_the_address_of_its_photo(hosting: TestAccount) -> None:
    invite(hosting, to=number("9107"))
    hosting.advance(seconds=10)
    (event,) = guest_events(hosting)
    assert (event["event"], event["type"]) == ("guest.replied_invalid", "image")
    assert "/api/v1/media/inbound/" in event["mediaUrl"]


def test_9101_presses_the_button_and_types_where_there_is_none(hosting: TestAccount) -> None:
    invite(hosting, "invite-0001", number("9101"))
    invite(hosting, "invite-0002", "97250001" + "9101", templateName="plain", templateParams=[])
    hosting.advance(seconds=10)
    found = {event["clientMessageId"]: event["slotMatch"] for event in guest_events(hosting)}
    assert found == {"invite-0001": "button", "invite-0002": "only_open"}


def test_all_of_them_together(hosting: TestAccount) -> None:
    everybody = ["9101", "9102", "9103", "9104", "9105", "9106", "9107", "9110", "1234"]
    for one in everybody:
        invite(hosting, f"invite-{one}", number(one))
    hosting.advance(minutes=10)
    assert get_event(hosting)["sentInvitations"] == 9
    replies: dict[str, Any] = get_event(hosting)["replies"]
    assert replies == {
        "invited": 9, "delivered": 9, "confirmed": 2, "declined": 2, "unresolved": 0,
        "pending": 5, "unclear": 2, "late": 0, "headcount": 5,
    }  # fmt: skip
    hosting.advance(hours=8)
    replies = get_event(hosting)["replies"]
    assert replies == {
        "invited": 9, "delivered": 9, "confirmed": 2, "declined": 2, "unresolved": 2,
        "pending": 0, "unclear": 0, "late": 1, "headcount": 5,
    }  # fmt: skip


def test_a_raw_account_hears_what_they_said(service: TestService) -> None:
    account = service.account(replies="raw")
    for one in ("9101", "9106", "9107"):
        invite(account, f"invite-{one}", number(one), eventId=None, expiresAt=later(hours=1))
    account.advance(seconds=10)
    found = {
        event["from"][-4:]: event["type"] for event in guest_events(account) if "type" in event
    }
    assert found == {"9101": "button", "9106": "text", "9107": "image"}
    assert kinds(account).count("guest.opted_out") == 1
