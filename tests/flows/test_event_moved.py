"""An event's date or deadline moves, and the ends of its open invitations with it (4.10)."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.support.invitations import (
    TEXTS,
    event_body,
    get_event,
    guest_events,
    invite,
    kinds,
    later,
    register,
    reply,
    state,
    texts,
)
from tests.support.service import TestAccount, TestService, require_sound

UNCLEAR = "who is this?"
FRIEND = "972501234568"


START = datetime.fromisoformat(later())


def day(number: int) -> str:
    """The same time whenever it is asked for."""
    return (START + timedelta(days=number)).isoformat(timespec="milliseconds")


def move(account: TestAccount, **fields: Any) -> None:
    body = event_body(**fields) | {"confirmLockedChange": True}
    answer = account.post("/events", body)
    assert answer.status_code == 200, answer.text


def end(account: TestAccount, cid: str = "invite-0001") -> datetime:
    return datetime.fromisoformat(account.status(cid)["invitation"]["expiresAt"])


def at(timestamp: str) -> datetime:
    return datetime.fromisoformat(timestamp)


@pytest.fixture
def moving(account: TestAccount) -> TestAccount:
    """An account with an event in ten days."""
    register(account, eventDate=day(10))
    return account


def test_open_invitations_end_with_the_new_date(moving: TestAccount) -> None:
    own = day(5)
    invite(moving, "invite-0001")
    invite(moving, "invite-0002", FRIEND, expiresAt=own)
    move(moving, eventDate=day(20))
    assert end(moving, "invite-0001") == at(day(20))
    assert end(moving, "invite-0002") == at(own), "it has an end of its own"
    moving.advance(days=15)
    reply(moving, text="yes")
    reply(moving, FRIEND, text="yes")
    assert kinds(moving) == ["guest.confirmed", "guest.replied_late"]


def test_an_end_of_its_own_stays_though_it_is_the_same_as_the_events(moving: TestAccount) -> None:
    invite(moving, expiresAt=day(10))
    move(moving, eventDate=day(20))
    assert end(moving) == at(day(10))


def test_a_date_that_comes_closer_ends_them_sooner(moving: TestAccount) -> None:
    invite(moving)
    reply(moving, text=UNCLEAR)
    move(moving, eventDate=day(1))
    assert end(moving) == at(day(1))
    moving.advance(days=1, hours=1)
    assert state(moving) == "expired"
    assert kinds(moving) == ["guest.replied_invalid", "guest.unresolved"]
    assert texts(moving) == [TEXTS["invalidReply"], TEXTS["nudge"]]
    moving.advance(days=12)
    assert kinds(moving).count("guest.unresolved") == 1


def test_a_reply_not_understood_is_unresolved_at_the_new_end(moving: TestAccount) -> None:
    invite(moving)
    reply(moving, text=UNCLEAR)
    move(moving, eventDate=day(20))
    moving.advance(days=11)
    assert kinds(moving) == ["guest.replied_invalid"]
    assert get_event(moving)["replies"]["unclear"] == 1
    moving.advance(days=10)
    assert kinds(moving) == ["guest.replied_invalid", "guest.unresolved"]


def test_the_deadline_of_the_event_moves_them_as_its_date_does(account: TestAccount) -> None:
    register(account, defaults={"expiresAt": day(5)})
    invite(account)
    for defaults, expected in (
        ({"expiresAt": day(8)}, day(8)),
        ({"expiresAt": day(2)}, day(2)),
        ({}, event_body()["eventDate"]),
    ):
        register(account, defaults=defaults)
        assert end(account) == at(expected)


def test_the_date_alone_moves_nothing_where_the_event_has_a_deadline(account: TestAccount) -> None:
    register(account, defaults={"expiresAt": day(5)})
    invite(account)
    move(account, eventDate=day(40), defaults={"expiresAt": day(5)})
    assert end(account) == at(day(5))


def test_an_answered_invitation_moves_and_stays_open_to_a_changed_mind(moving: TestAccount) -> None:
    invite(moving)
    reply(moving, text="yes")
    move(moving, eventDate=day(20))
    moving.advance(days=15)
    reply(moving, text="no")
    assert kinds(moving) == ["guest.confirmed", "guest.declined"]


def test_an_answer_stands_though_the_date_is_moved_before_it(moving: TestAccount) -> None:
    moving.advance(days=3)
    invite(moving)
    reply(moving, text="yes")
    move(moving, eventDate=day(1))
    assert state(moving) == "confirmed"
    assert get_event(moving)["replies"]["confirmed"] == 1
    reply(moving, text="no")
    assert kinds(moving) == ["guest.confirmed", "guest.replied_late"]


def test_what_has_ended_is_not_opened_again(moving: TestAccount) -> None:
    invite(moving)
    moving.advance(days=11)
    move(moving, eventDate=day(20))
    assert state(moving) == "expired"
    assert end(moving) == at(day(10))
    invite(moving, "invite-0002")
    assert end(moving, "invite-0002") == at(day(20))


def test_an_invitation_that_waits_is_sent_until_the_new_end(moving: TestAccount) -> None:
    invite(moving, "invite-0001", scheduledFor=day(9))
    invite(moving, "invite-0002", FRIEND, scheduledFor=day(9), deadline=day(12))
    move(moving, eventDate=day(5))
    moving.advance(days=6)
    for cid in ("invite-0001", "invite-0002"):
        status = moving.status(cid)
        assert (status["status"], status["attempts"]) == ("expired", [])
    assert [event["data"]["status"] for event in moving.events("message.status")] == ["expired"] * 2


def test_a_held_invitation_outlives_the_old_end_but_not_its_own_deadline(
    service: TestService,
) -> None:
    account = service.account(name="held-and-moved", paused=True)
    register(account, eventDate=day(10))
    invite(account, "invite-0001")
    invite(account, "invite-0002", FRIEND, deadline=day(12))
    move(account, eventDate=day(20))
    account.advance(days=11)
    assert [account.status(f"invite-{n:04}")["status"] for n in (1, 2)] == ["deferred"] * 2
    account.advance(days=2)
    assert account.status("invite-0002")["status"] == "expired"
    service.account(name="held-and-moved", paused=False)
    account.advance(hours=1)
    assert account.status("invite-0001")["status"] == "read"


def test_moving_twice_before_anything_follows_ends_at_the_last(moving: TestAccount) -> None:
    invite(moving)
    reply(moving, text=UNCLEAR)
    for days in (20, 3, 6):
        move(moving, eventDate=day(days))
    moving.advance(days=5)
    assert kinds(moving) == ["guest.replied_invalid"]
    moving.advance(days=2)
    assert [event["event"] for event in guest_events(moving)][-1] == "guest.unresolved"


def test_the_invariants_hold(service: TestService) -> None:
    require_sound(service)
