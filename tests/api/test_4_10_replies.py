"""`replies` of GET and POST /events (4.10, contract2.md section B): guests by last answer."""

from typing import Any

import msgspec
import pytest

from tests.support.inbound import ingest, said
from tests.support.invitations import (
    event_body,
    get_event,
    guest_events,
    invite,
    later,
    register,
    reply,
    state,
)
from tests.support.service import GUEST, TestAccount
from tidings.features.events.responses import EventReplies

UNCLEAR = "who is this?"
SENT_ONLY = "972500009001"


def replies(account: TestAccount, event_id: str = "wedding") -> dict[str, int]:
    found: dict[str, int] = get_event(account, event_id)["replies"]
    msgspec.convert(found, EventReplies)
    return found


def counts(account: TestAccount, *names: str) -> tuple[int, ...]:
    found = replies(account)
    return tuple(found[name] for name in names)


def test_guests_are_counted_by_how_they_have_replied(account: TestAccount) -> None:
    register(account, defaults={"expiresAt": later(hours=5)})
    guests = [f"97250123000{n}" for n in range(5)]
    for place, guest in enumerate(guests):
        invite(account, f"invite-{place:04}", guest)
    account.advance(seconds=5)
    reply(account, guests[0], text="yes, we will be 4")
    reply(account, guests[1], text="no")
    reply(account, guests[2], text=UNCLEAR)
    reply(account, guests[3], text="yes")
    assert get_event(account)["sentInvitations"] == 5
    assert replies(account) == {
        "invited": 5, "delivered": 5, "confirmed": 2, "declined": 1, "unresolved": 0,
        "pending": 2, "unclear": 1, "late": 0, "headcount": 5,
    }  # fmt: skip
    account.advance(hours=6)
    reply(account, guests[4], text="yes")
    assert get_event(account)["sentInvitations"] == 5
    assert replies(account) == {
        "invited": 5, "delivered": 5, "confirmed": 2, "declined": 1, "unresolved": 1,
        "pending": 0, "unclear": 0, "late": 1, "headcount": 5,
    }  # fmt: skip


def test_a_changed_body_answers_the_same_counts(account: TestAccount) -> None:
    body = event_body()
    account.post("/events", body)
    invite(account)
    reply(account, text="yes, 3 of us")
    moved = body | {"eventDate": later(days=40), "confirmLockedChange": True}
    for answer in (account.post("/events", body), account.post("/events", moved)):
        assert answer.json()["data"]["replies"] == replies(account)
    assert counts(account, "confirmed", "headcount") == (1, 3)


def test_a_guest_with_several_invitations_is_one_guest(account: TestAccount) -> None:
    register(account)
    for place in range(3):
        invite(account, f"invite-{place:04}")
    assert get_event(account)["sentInvitations"] == 3
    assert counts(account, "invited", "pending", "confirmed") == (1, 1, 0)
    reply(account, text="yes, we will be 4")
    assert counts(account, "pending", "confirmed", "declined", "headcount") == (0, 1, 0, 4)
    reply(account, button={"text": "No", "clientMessageId": "invite-0000"})
    assert counts(account, "pending", "confirmed", "declined", "headcount") == (0, 0, 1, 0)


def test_invitations_of_one_event_share_the_answer_also_later_ones(account: TestAccount) -> None:
    register(account)
    register(account, "party")
    invite(account, "invite-0001")
    invite(account, "invite-0002")
    invite(account, "invite-0003", eventId="party")
    invite(account, "invite-0004", eventId=None, expiresAt=later(days=1))
    reply(account, button={"text": "Yes", "clientMessageId": "invite-0001"})
    invite(account, "invite-0005")
    shown = [account.status(f"invite-{n:04}")["invitation"] for n in range(1, 6)]
    assert [one["state"] for one in shown] == [
        "confirmed",
        "confirmed",
        "open",
        "open",
        "confirmed",
    ]
    assert shown[4]["answeredAt"] == shown[0]["answeredAt"]
    assert counts(account, "invited", "confirmed", "pending") == (1, 1, 0)
    account.advance(minutes=1)
    reply(account, text="no", quoted="invite-0005")
    assert state(account, "invite-0001") == "declined"


def test_the_answer_outlives_the_invitation_it_was_given_to(account: TestAccount) -> None:
    """Shared also where the other had ended already; that one stays closed to replies."""
    register(account)
    invite(account, "invite-0001", expiresAt=later(hours=1))
    invite(account, "invite-0002", expiresAt=later(days=2))
    account.advance(hours=2)
    reply(account, text="yes")
    assert guest_events(account)[-1]["clientMessageId"] == "invite-0002"
    assert [state(account, f"invite-{n:04}") for n in (1, 2)] == ["confirmed"] * 2
    reply(account, button={"text": "No", "clientMessageId": "invite-0001"})
    assert guest_events(account)[-1]["event"] == "guest.replied_late"
    assert counts(account, "confirmed", "declined", "late") == (1, 0, 1)


def test_the_newest_answer_counts_whichever_invitation_heard_of_it_first(
    account: TestAccount,
) -> None:
    register(account)
    invite(account, "invite-0001", to=SENT_ONLY)
    sent = invite(account, "invite-0002", to=SENT_ONLY)["messageId"]
    account.advance(minutes=5)
    guest: dict[str, Any] = {"from_": SENT_ONLY}
    reply(account, SENT_ONLY, text="no", quoted="invite-0001")
    account.advance(minutes=5)
    ingest(account, said(account, "yes", id_="r2", quoted=sent, **guest))
    assert counts(account, "confirmed", "declined") == (1, 0)


def test_an_answer_or_an_unclear_reply_proves_that_the_invitation_arrived(
    account: TestAccount,
) -> None:
    register(account)
    invite(account, "invite-0001", SENT_ONLY)
    invite(account, "invite-0002", "972500009002")
    assert counts(account, "invited", "delivered") == (2, 0)
    account.advance(seconds=5)
    assert counts(account, "invited", "delivered") == (2, 1)
    reply(account, SENT_ONLY, text=UNCLEAR)
    assert counts(account, "invited", "delivered", "unclear", "pending") == (2, 2, 1, 2)


def test_an_invitation_that_never_arrived_is_not_pending(account: TestAccount) -> None:
    register(account)
    for place, magic in enumerate(("9010", "9013", "9015", "1234")):
        invite(account, f"invite-{place:04}", f"97250000{magic}")
    invite(account, "invite-0009", GUEST, scheduledFor=later(hours=1))
    account.advance(seconds=10)
    assert get_event(account)["sentInvitations"] == 3, "9013 was refused and never went out"
    assert counts(account, "invited", "pending") == (3, 1), "one is scheduled"


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_a_guest_who_is_answered_is_not_nudged_or_unresolved_for_another_invitation(
    account: TestAccount, answer: str
) -> None:
    register(account, defaults={"expiresAt": later(hours=5)})
    invite(account, "invite-0001")
    reply(account, text=UNCLEAR)
    invite(account, "invite-0002")
    reply(account, button={"text": answer.title(), "clientMessageId": "invite-0002"})
    account.advance(hours=6)
    assert "guest.unresolved" not in [event["event"] for event in guest_events(account)]
    assert counts(account, "unresolved", "unclear", "pending") == (0, 0, 0)
