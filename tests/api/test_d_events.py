"""GET /events and GET /events/{eventId}/guests (contract2.md section D)."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import msgspec
import pytest

from tests.support.inbound import ingest, said
from tests.support.invitations import get_event, invite, later, register, reply, require_refused
from tests.support.reading_back import read_all, read_page
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.waiting import eventually
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.events import counting
from tidings.features.events.model import Counts, Figures, GuestState
from tidings.features.events.responses import GuestShape

UNCLEAR = "who is this?"
GUESTS = "/events/wedding/guests"


def guests(account: TestAccount, **query: object) -> list[dict[str, Any]]:
    found = read_all(account, GUESTS, **query)
    msgspec.convert(found, list[GuestShape])
    return found


def states(account: TestAccount) -> dict[str, str]:
    return {guest["to"]: guest["state"] for guest in guests(account)}


# GET /events


@pytest.mark.quick
def test_events_are_listed_newest_first_as_each_is_read_alone(account: TestAccount) -> None:
    for name in ("first", "second", "third"):
        register(account, name)
        account.advance(seconds=1)
    invite(account, eventId="second")
    reply(account, text="yes, 3 of us")
    listed = read_all(account, "/events")
    assert [one["eventId"] for one in listed] == ["third", "second", "first"]
    assert listed == [get_event(account, one["eventId"]) for one in listed]
    assert listed[1]["replies"]["headcount"] == 3


def test_pages_of_events_lose_and_repeat_none(account: TestAccount) -> None:
    names = {f"event-{n}" for n in range(5)}
    for name in sorted(names):
        register(account, name)  # at the same time: the id decides
    first, cursor = read_page(account, "/events", limit=2)
    assert len(first) == 2 and cursor is not None
    listed = [one["eventId"] for one in read_all(account, "/events", limit=2)]
    assert listed == sorted(names, reverse=True)


def test_an_account_lists_only_its_own_events(service: TestService, account: TestAccount) -> None:
    register(account)
    assert read_all(service.account(), "/events") == []


# GET /events/{eventId}/guests


def test_every_state_of_a_guest(account: TestAccount) -> None:
    register(account, defaults={"expiresAt": later(hours=5)})
    people = {
        "confirmed": "972500009101", "declined": "972500009102", "unclear": "972500009103",
        "opted_out": "972500009106", "failed": "972500009010", "invited": "972500009001",
        "delivered": "972500000001",
    }  # fmt: skip
    for place, number in enumerate(people.values()):
        invite(account, f"invite-{place:04}", number)
    account.advance(minutes=1)
    assert states(account) == {number: state for state, number in people.items()}
    for state in GuestState:
        found = [guest["to"] for guest in guests(account, state=state.value)]
        assert found == ([people[state]] if state in people else []), state
    account.advance(hours=6)
    later_on = {"unclear": "unresolved", "invited": "expired", "delivered": "expired"}
    assert states(account) == {
        number: later_on.get(state, state) for state, number in people.items()
    }
    assert len(guests(account, state="expired")) == 2
    assert [guest["to"] for guest in guests(account, state="unresolved")] == [people["unclear"]]


def test_what_is_said_of_a_guest(account: TestAccount) -> None:
    register(account, defaults={"expiresAt": later(days=2)})
    invite(account)
    silent = {
        "to": GUEST, "clientMessageId": "invite-0001", "state": "invited", "answer": None,
        "guests": None, "matchConfidence": None, "text": None, "answeredAt": None,
    }  # fmt: skip
    (guest,) = guests(account)
    assert guest.pop("expiresAt") == get_event(account)["defaults"]["expiresAt"]
    assert guest == silent
    reply(account, text=UNCLEAR)
    (guest,) = guests(account)
    assert (
        guest.items()
        >= (silent | {"state": "unclear", "text": UNCLEAR, "matchConfidence": 0.0}).items()
    )
    reply(account, text="yes, we will be 4")
    (guest,) = guests(account)
    assert (guest["state"], guest["answer"], guest["guests"]) == ("confirmed", "yes", 4)
    assert guest["text"] == "yes, we will be 4"
    assert 0.5 < guest["matchConfidence"] <= 1
    assert guest["answeredAt"] is not None
    reply(account, text="thank you!")
    (guest,) = guests(account)
    assert (guest["state"], guest["text"]) == ("confirmed", "thank you!"), "the last reply"


def test_the_last_reply_is_the_one_written_last(account: TestAccount) -> None:
    register(account)
    invite(account)
    account.advance(hours=2)
    ingest(account, said(account, "no", id_="r2", ago=timedelta(minutes=1)))
    ingest(account, said(account, "yes", id_="r1", ago=timedelta(minutes=5)))  # overtaken
    (guest,) = guests(account)
    assert (guest["state"], guest["text"]) == ("declined", "no")


def test_a_guest_with_several_invitations_is_one_item(account: TestAccount) -> None:
    register(account)
    invite(account, "invite-0001")
    invite(account, "invite-0002", "972500000002")
    reply(account, text="yes")
    invite(account, "invite-0003")
    assert [guest["clientMessageId"] for guest in guests(account)] == ["invite-0003", "invite-0002"]
    assert states(account)[GUEST] == "confirmed", "one answer to the event"
    assert len(guests(account, state="confirmed")) == 1
    reply(account, text="no")
    assert (len(guests(account, state="confirmed")), len(guests(account, state="declined"))) == (
        0, 1,
    )  # fmt: skip


def test_a_guest_who_had_opted_out_before_is_listed(account: TestAccount) -> None:
    register(account)
    account.reply(GUEST, "STOP")
    invite(account)
    assert states(account) == {GUEST: "opted_out"}
    assert get_event(account)["replies"]["invited"] == 0
    account.delete(f"/optouts/{GUEST}")
    assert states(account) == {GUEST: "failed"}
    invite(account, "invite-0002")
    reply(account, text="yes")
    assert states(account) == {GUEST: "confirmed"}


def test_a_number_is_shown_as_it_was_given(account: TestAccount) -> None:
    register(account)
    invite(account, to=f"00{GUEST}")
    assert [guest["to"] for guest in guests(account)] == [f"00{GUEST}"]


def test_one_that_waits_is_invited_and_a_cancelled_one_has_failed(account: TestAccount) -> None:
    register(account)
    body = {"clientMessageId": "invite-0001", "to": GUEST, "kind": "invitation",
            "templateName": "invite", "templateParams": ["Dana", "Sunday"],
            "scheduledFor": later(days=1)}  # fmt: skip
    sent = account.post("/messages/bulk", {"messages": [body], "eventId": "wedding"})
    assert states(account) == {GUEST: "invited"}
    account.post(f"/batches/{sent.json()['data']['batchId']}/cancel")
    assert states(account) == {GUEST: "failed"}


def test_pages_of_guests_lose_and_repeat_none(account: TestAccount) -> None:
    register(account)
    numbers = [f"97250000000{n}" for n in range(5)]
    for place, number in enumerate(numbers):
        invite(account, f"invite-{place:04}", number)
        reply(account, number, text="yes")
    for query in ({}, {"state": "confirmed"}):
        listed = [guest["to"] for guest in guests(account, limit=2, **query)]
        assert listed == numbers[::-1], query


def test_a_filter_examines_no_more_than_it_may_and_leads_on(
    service: TestService, account: TestAccount
) -> None:
    register(account)
    invite(account)
    _copy_invitations(service, account, 2100)
    account.advance(seconds=5)  # the first is delivered, the copies only know that they were sent
    page, cursor = read_page(account, GUESTS, state="delivered")
    assert (page, cursor is None) == ([], False), "2,000 newer guests were examined"
    assert [guest["to"] for guest in guests(account, state="delivered")] == [GUEST]


def _copy_invitations(service: TestService, account: TestAccount, count: int) -> None:
    """As many later guests of the same event, straight into the tables."""
    columns = [
        row["column_name"]
        for row in service.sql(
            "SELECT column_name FROM information_schema.columns WHERE table_name = 'messages'"
        )
        if row["column_name"] not in ("id", "recipient", "client_message_id", "platform_id")
    ]
    names = ", ".join(columns)
    later_ids = "('ffffffff-ffff-7fff-8fff-' || lpad(n::text, 12, '0'))::uuid"
    service.sql(
        f"""
        INSERT INTO messages (id, recipient, client_message_id, {names})
        SELECT {later_ids}, 972510000000 + n, 'copy-' || n, {names}
          FROM messages, generate_series(1, $2::int) n WHERE account_id = $1 AND kind = 'invitation'
        """,
        account.id,
        count,
    )
    service.sql(
        """
        INSERT INTO invitations (account_id, message_id, event_id, phone, expires_at, sent_at)
        SELECT m.account_id, m.id, m.event_id, m.recipient, m.expires_at, m.sent_at
          FROM messages m WHERE m.account_id = $1 AND m.client_message_id LIKE 'copy-%'
        """,
        account.id,
    )


# Figures


def test_figures_of_a_large_event_are_kept_while_nothing_happens(
    service: TestService, account: TestAccount
) -> None:
    register(account)
    invite(account)
    _copy_invitations(service, account, 60)

    def is_answered_from_kept() -> bool:
        """Whether a count written into the kept row is answered, rather than counted anew."""
        assert get_event(account)["replies"]["invited"] == 61
        service.sql(
            "UPDATE event_counts SET counts = jsonb_set(counts, '{invited}', '777')"
            " WHERE account_id = $1",
            account.id,
        )
        answered: int = get_event(account)["replies"]["invited"]
        return answered == 777

    # Not while other transactions are under way, or the delivery is new.
    eventually(is_answered_from_kept)
    reply(account, text="yes")
    counts = get_event(account)["replies"]
    assert (counts["invited"], counts["confirmed"], counts["pending"]) == (61, 1, 60)
    assert [(one.yes, one.no) for one in _load_figures(service, account).answers] == [(1, 0)]


def test_kept_figures_change_with_the_end_of_an_invitation(
    service: TestService, account: TestAccount
) -> None:
    register(account, defaults={"expiresAt": later(hours=5)})
    invite(account)
    _copy_invitations(service, account, 60)
    assert get_event(account)["replies"]["pending"] == 61
    service.sql("UPDATE accounts SET clock_ms = clock_ms + 21600000 WHERE id = $1", account.id)
    assert get_event(account)["replies"]["pending"] == 0


def test_guests_with_several_invitations_are_counted_once_beside_those_with_one(
    service: TestService, account: TestAccount
) -> None:
    register(account)
    invite(account, "invite-0001", "972500000001")
    invite(account, "invite-0002", "972500000002")
    reply(account, "972500000001", text="yes, 3 of us")
    reply(account, "972500000002", text="yes, 2 of us")
    invite(account, "invite-0003", "972500000001")
    account.advance(days=1)
    reply(account, "972500000001", text="no, sorry")
    invite(account, "invite-0004", "972500000003")
    counts = get_event(account)["replies"]
    assert (counts["invited"], counts["confirmed"], counts["declined"]) == (3, 1, 1)
    assert (counts["headcount"], counts["pending"]) == (2, 1)
    figures = _load_figures(service, account)
    assert [(one.yes, one.no) for one in figures.answers] == [(1, 0), (0, 1)], "by the last answer"
    first, last = (one.minute for one in figures.answers)
    assert first % 15 == last % 15 == 0 and last - first in (24 * 60, 24 * 60 + 15)


def _load_figures(service: TestService, account: TestAccount) -> Figures:
    async def load(tx: Tx) -> Figures:
        found = (await load_accounts(tx, [UUID(str(account.id))]))[UUID(str(account.id))]
        return (await counting.load_figures(tx, found, ["wedding"]))["wedding"]

    return service.transact(load)


@pytest.mark.parametrize(("invited", "seconds"), [(0, 0), (999, 0), (1000, 0.1), (100_000, 10)])
def test_figures_may_lag_only_where_counting_is_long(invited: int, seconds: float) -> None:
    assert counting.lag_allowed(Counts(invited=invited)) == timedelta(seconds=seconds)


# What is refused


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/events?state=confirmed", "state"),
        ("/events?limit=0", "limit"),
        ("/events?limit=201", "limit"),
        ("/events?cursor=nonsense", "cursor"),
        (f"{GUESTS}?state=maybe", "state"),
        (f"{GUESTS}?state=confirmed,declined", "state"),
        (f"{GUESTS}?state=", "state"),
        (f"{GUESTS}?states=confirmed", "states"),
        (f"{GUESTS}?limit=many", "limit"),
        (f"{GUESTS}?cursor=WyJ4Il0", "cursor"),
    ],
)
def test_a_bad_filter_is_named(account: TestAccount, path: str, field: str) -> None:
    register(account)
    require_refused(account.get(path), "VALIDATION_ERROR", field=field)


def test_guests_of_an_unknown_event_are_404(service: TestService, account: TestAccount) -> None:
    require_refused(account.get(GUESTS), "EVENT_NOT_FOUND", 404)
    register(service.account())
    require_refused(account.get(GUESTS), "EVENT_NOT_FOUND", 404)
    register(account)
    assert guests(account) == []
