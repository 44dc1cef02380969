"""POST /events/{eventId}/guests/{to}/answer (contract2.md section D): a person settles it."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from tests.support.inbound import ingest, now, said
from tests.support.invitations import (
    CALLBACK,
    get_event,
    guest_events,
    invite,
    kinds,
    later,
    register,
    reply,
    require_refused,
    state,
    texts,
)
from tests.support.names import named
from tests.support.reading_back import read_all
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.webhooks import require_described
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError
from tidings.features.replies.settle import Answer, settle

UNCLEAR = "who is this?"
YES = {"answer": "yes"}


def answer(account: TestAccount, body: dict[str, Any], to: str = GUEST) -> dict[str, Any]:
    found = account.post(f"/events/wedding/guests/{to}/answer", body)
    assert found.status_code == 200, found.text
    data: dict[str, Any] = found.json()["data"]
    return data


@pytest.fixture
def invited(account: TestAccount) -> TestAccount:
    register(account)
    invite(account)
    return account


@pytest.mark.quick
def test_a_person_settles_an_unclear_reply(invited: TestAccount) -> None:
    reply(invited, text=UNCLEAR)
    data = answer(invited, {"answer": "yes", "guests": 3})
    assert [data] == read_all(invited, "/events/wedding/guests")
    assert (data["state"], data["answer"], data["guests"], data["matchConfidence"]) == (
        "confirmed", "yes", 3, 1.0,
    )  # fmt: skip
    assert (data["text"], state(invited)) == (UNCLEAR, "confirmed")
    event = guest_events(invited)[-1]
    expected = {
        "event": "guest.confirmed", "clientMessageId": "invite-0001", "eventId": "wedding",
        "to": GUEST, "from": GUEST, "answer": "yes", "guests": 3, "matchConfidence": 1.0,
        "slotMatch": "settled", "text": UNCLEAR, "replyId": None, "type": "settled",
        "receivedAt": data["answeredAt"],
    }  # fmt: skip
    assert event.items() >= expected.items()
    figures = get_event(invited)["replies"]
    assert (figures["confirmed"], figures["headcount"], figures["unclear"]) == (1, 3, 0)


def test_its_event_is_as_described_and_goes_to_the_events_address(invited: TestAccount) -> None:
    answer(invited, {"answer": "no"})
    event = invited.events("guest.declined")[-1]
    require_described([event])
    (row,) = invited.service.sql(
        "SELECT c.url FROM webhooks w JOIN callback_urls c USING (account_id, event_id) "
        "WHERE w.account_id = $1 AND w.id = $2",
        invited.id,
        event["id"],
    )
    assert row["url"] == CALLBACK


def test_the_same_answer_again_is_told_once(invited: TestAccount) -> None:
    first = answer(invited, {"answer": "yes", "guests": 2})
    invited.advance(minutes=5)
    assert answer(invited, {"answer": "yes", "guests": 2}) == first
    assert kinds(invited) == ["guest.confirmed"]
    assert answer(invited, YES)["guests"] is None
    assert answer(invited, {"answer": "no"})["state"] == "declined"
    assert kinds(invited) == ["guest.confirmed", "guest.confirmed", "guest.declined"]


def test_who_said_so_clearly_is_settled_without_an_event(invited: TestAccount) -> None:
    reply(invited, button={"text": "Yes"})
    answer(invited, YES)
    assert kinds(invited) == ["guest.confirmed"]
    reply(invited, text="maybe not, sorry, i dont think we can make it")
    said_so = kinds(invited)
    answer(invited, {"answer": "no"})
    assert kinds(invited) == [*said_so, "guest.declined"], "now it is certain"


def test_64_at_once_are_told_once(invited: TestAccount) -> None:
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda _: answer(invited, YES), range(64)))
    assert found == [found[0]] * 64
    assert kinds(invited) == ["guest.confirmed"]


def test_after_the_end_it_is_settled_all_the_same(account: TestAccount) -> None:
    register(account, defaults={"expiresAt": later(hours=1)})
    invite(account)
    reply(account, text=UNCLEAR)
    account.advance(hours=2)
    assert answer(account, YES)["state"] == "confirmed"
    assert kinds(account)[-2:] == ["guest.unresolved", "guest.confirmed"]
    figures = get_event(account)["replies"]
    assert (figures["confirmed"], figures["unresolved"]) == (1, 0)


def test_a_settled_guest_is_not_nudged_and_does_not_end_unresolved(account: TestAccount) -> None:
    register(account, defaults={"expiresAt": later(hours=5), "nudgeAfterMinutes": 30})
    invite(account)
    reply(account, text=UNCLEAR)
    asked = texts(account)
    answer(account, {"answer": "no"})
    account.advance(hours=6)
    assert texts(account) == asked
    assert "guest.unresolved" not in kinds(account)


def test_a_late_reply_that_was_settled_is_late_no_more(account: TestAccount) -> None:
    register(account, defaults={"expiresAt": later(hours=1)})
    invite(account)
    account.advance(hours=2)
    reply(account, text="yes")
    assert get_event(account)["replies"]["late"] == 1
    answer(account, YES)
    figures = get_event(account)["replies"]
    assert (figures["late"], figures["confirmed"]) == (0, 1)


# The guest's own replies


def test_a_guest_may_change_what_was_settled(invited: TestAccount) -> None:
    answer(invited, YES)
    invited.advance(minutes=1)
    reply(invited, text="no")
    assert state(invited) == "declined"
    assert kinds(invited) == ["guest.confirmed", "guest.declined"]


def test_what_the_guest_wrote_before_does_not_undo_it(invited: TestAccount) -> None:
    invited.advance(hours=1)
    written = now(invited)
    invited.advance(minutes=1)
    answer(invited, YES)
    ingest(invited, said(invited, "no", id_="r1", ago=now(invited) - written))
    assert (state(invited), kinds(invited)) == ("confirmed", ["guest.confirmed", "guest.message"])


def test_all_invitations_of_the_guest_share_the_answer(invited: TestAccount) -> None:
    reply(invited, text=UNCLEAR)
    invite(invited, "invite-0002")
    data = answer(invited, YES)
    assert (data["clientMessageId"], data["text"]) == ("invite-0002", UNCLEAR)
    assert {state(invited, f"invite-000{n}") for n in (1, 2)} == {"confirmed"}


def test_a_reply_and_a_person_at_once_follow_one_another(
    service: TestService, invited: TestAccount
) -> None:
    """The person waits for the reply that is being written down, then sees it."""
    reply(invited, text=UNCLEAR)

    async def race() -> str:
        db, held = service.ctx.db, asyncio.Event()

        async def replying(tx: Tx) -> None:
            await tx.rows("SELECT FROM invitations WHERE account_id = $1 FOR UPDATE", invited.id)
            held.set()
            while not await tx.value(
                "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted "
                "AND pg_backend_pid() = ANY (pg_blocking_pids(pid)))"
            ):
                await asyncio.sleep(0.01)
            await tx.run(
                "UPDATE invitations SET reply_text = 'no', replied_at = replied_at + "
                "interval '1 minute' WHERE account_id = $1",
                invited.id,
            )

        (row,) = await db.transact(
            lambda tx: tx.rows(
                "SELECT replied_at FROM invitations WHERE account_id = $1", invited.id
            )
        )
        given = Answer("yes", seen=row["replied_at"])
        other = asyncio.create_task(db.transact(replying))
        await held.wait()
        try:
            await db.transact(lambda tx: settle(tx, invited.id, "wedding", GUEST, given))
        except ApiError as refused:
            await other
            return refused.message
        return "settled"

    assert "replied since" in service.call(race)
    assert state(invited) == "open"


def test_a_person_who_has_seen_the_last_reply_settles_it(
    service: TestService, invited: TestAccount
) -> None:
    given = Answer("no", seen=None)
    service.transact(lambda tx: settle(tx, invited.id, "wedding", GUEST, given))
    assert state(invited) == "declined"


# What is refused


@pytest.mark.parametrize("to", [GUEST, f"00{GUEST}"])
def test_either_form_of_the_number_is_taken(account: TestAccount, to: str) -> None:
    register(account)
    invite(account, to=f"00{GUEST}")
    assert answer(account, YES, to)["to"] == f"00{GUEST}", "as it was given with the invitation"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "answer"),
        ({"answer": "maybe"}, "answer"),
        ({"answer": None}, "answer"),
        ({"answer": "yes", "guests": 0}, "guests"),
        ({"answer": "yes", "guests": 1000}, "guests"),
        ({"answer": "yes", "guests": "3"}, "guests"),
        ({"answer": "yes", "guests": None}, "guests"),
        ({"answer": "no", "guests": 1}, "guests"),
        ({"answer": "yes", "text": "x"}, "text"),
    ],
    ids=named,
)
def test_a_bad_field_is_named(invited: TestAccount, body: dict[str, Any], field: str) -> None:
    refused = invited.post(f"/events/wedding/guests/{GUEST}/answer", body)
    require_refused(refused, "VALIDATION_ERROR", field=field)
    assert kinds(invited) == []


def test_who_is_unknown_is_404(service: TestService, invited: TestAccount) -> None:
    path = "/events/{}/guests/{}/answer"
    stranger = "972501234599"
    require_refused(invited.post(path.format("wedding", stranger), YES), "NOT_FOUND", 404)
    require_refused(invited.post(path.format("nothing", GUEST), YES), "EVENT_NOT_FOUND", 404)
    require_refused(invited.post(path.format("wedding", "abc"), YES), "INVALID_PHONE", field="to")
    other = service.account()
    require_refused(other.post(path.format("wedding", GUEST), YES), "EVENT_NOT_FOUND", 404)
    register(other)
    require_refused(other.post(path.format("wedding", GUEST), YES), "NOT_FOUND", 404)


def test_it_has_no_dry_run(invited: TestAccount) -> None:
    path = f"/events/wedding/guests/{GUEST}/answer"
    refused = invited.post(path, YES, headers={"X-Dry-Run": "true"})
    require_refused(refused, "VALIDATION_ERROR", field="X-Dry-Run")
    assert state(invited) == "open"


def test_seconds_of_a_slow_clock_do_not_reorder(invited: TestAccount) -> None:
    """A guest's clock may be ahead: the person's answer is later all the same."""
    ahead = said(invited, "no", id_="r1", at=now(invited) + timedelta(seconds=30))
    ingest(invited, ahead)
    assert answer(invited, YES)["state"] == "confirmed"
    assert state(invited) == "confirmed"
