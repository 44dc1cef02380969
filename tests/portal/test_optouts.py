"""Opt-outs: the list, a check of one number, and removal with a reason."""

import pytest

from tests.support.portal import Visitor, signed_in
from tests.support.service import GUEST, TestAccount, TestService

SECOND = "972501234568"


@pytest.fixture
def visitor(account: TestAccount) -> Visitor:
    return signed_in(account, "sender")


def is_out(account: TestAccount, number: str = GUEST) -> bool:
    answer = account.post("/optouts/check", {"numbers": [number]})
    found: bool = answer.json()["data"]["numbers"][0]["optedOut"]
    return found


def test_without_opt_outs_the_page_says_how_they_come(visitor: Visitor) -> None:
    page = visitor.get("/optouts")
    assert (page.status, page.h1) == (200, "Opt-outs")
    assert "STOP" in page.main


def test_opt_outs_are_listed_the_latest_first(visitor: Visitor, account: TestAccount) -> None:
    account.reply(GUEST, "STOP")
    account.advance(minutes=1)
    account.reply(SECOND, "STOP")
    rows = visitor.get("/optouts").rows()
    assert [(row[0], row[2]) for row in rows] == [
        (SECOND, "wrote a stop word"), (GUEST, "wrote a stop word")
    ]  # fmt: skip


def test_a_number_is_checked_as_people_write_it(visitor: Visitor, account: TestAccount) -> None:
    account.reply(GUEST, "STOP")
    page = visitor.get("/optouts")
    out = visitor.submit(page, "Check a number", {"Check a number": "+972 50-123-4567"})
    assert f"{GUEST} has opted out" in out.main
    assert [row[0] for row in out.rows()] == [GUEST]
    other = visitor.submit(page, "Check a number", {"Check a number": SECOND})
    assert f"{SECOND} has not opted out" in other.main
    wrong = visitor.submit(page, "Check a number", {"Check a number": "12"})
    assert wrong.status == 422
    assert wrong.field("Check a number")["value"] == "12"


def test_an_opt_out_is_removed_with_a_reason_after_asking_again(
    visitor: Visitor, account: TestAccount
) -> None:
    account.reply(GUEST, "STOP")
    page = visitor.get("/optouts")
    refused = visitor.submit(page, "Remove", {"Reason": " "})
    assert refused.status == 422
    assert "Say why" in refused.errors[0]
    asked = visitor.submit(page, "Remove", {"Reason": "She called on Monday"})
    assert asked.h1 == "Remove this opt-out?"
    assert is_out(account)
    done = visitor.submit(asked, "Confirm")
    assert f"{GUEST} gets messages again." in done.main
    assert not is_out(account)
    [entry] = account.service.sql(
        "SELECT actor, subject, details->>'reason' AS reason FROM audit_log"
        " WHERE account_id = $1 AND action = 'optout.removed'",
        account.id,
    )
    assert (entry["subject"], entry["reason"]) == (GUEST, "She called on Monday")
    again = visitor.submit(asked, "Confirm")
    assert "had not opted out" in again.main


def test_pages_of_opt_outs(visitor: Visitor, account: TestAccount) -> None:
    account.service.sql(
        "INSERT INTO contacts (account_id, phone, opted_out_at, opt_source)"
        " SELECT $1, '97250' || (1000000 + n), now() - n * interval '1 day', 'platform'"
        " FROM generate_series(1, 51) n RETURNING phone",
        account.id,
    )
    page = visitor.get("/optouts")
    older = visitor.get(page.links()["Older"])
    assert (len(page.rows()), len(older.rows())) == (50, 1)
    assert older.rows()[0][2] == "pressed stop in the messenger"
    newer = visitor.get(older.links()["Newer"])
    assert [row[0] for row in newer.rows()] == [row[0] for row in page.rows()]
    earliest = visitor.get(page.links()["Since"])
    assert earliest.rows()[0] == older.rows()[0]
    latest = visitor.get(earliest.links()["Newer"])
    assert [row[0] for row in latest.rows()] == [page.rows()[0][0]]


def test_whoever_only_reads_removes_nothing_and_sees_only_their_own(
    account: TestAccount, service: TestService
) -> None:
    account.reply(GUEST, "STOP")
    viewer = signed_in(account, "viewer")
    assert not viewer.get("/optouts").has_button("Remove")
    fields = {f"reason-{GUEST}": "why not", "confirmed": "yes"}
    assert viewer.post(f"/optouts/{GUEST}/remove", fields).status_code == 403
    other = signed_in(service.account())
    assert "Nobody has opted out" in other.get("/optouts").main
    other.post(f"/optouts/{GUEST}/remove", fields)
    assert is_out(account)
