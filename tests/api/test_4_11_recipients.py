"""POST /numbers/check, POST /optouts/check, DELETE /optouts/{phoneNumber} (4.11, contract.md)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.support.names import named
from tests.support.service import GUEST, TestAccount, TestService
from tidings.features.recipients import contacts

OTHER = "972501234568"
LATER = "972501234569"
AT = datetime(2026, 5, 1, 9, 30, 15, 250_000, tzinfo=UTC)
SINCE = "2026-05-01T09:30:15.250Z"
CHECKS = ("/numbers/check", "/optouts/check")


def ask(account: TestAccount, path: str, numbers: Any) -> list[dict[str, Any]]:
    answer = account.post(path, {"numbers": numbers})
    assert answer.status_code == 200, answer.text
    whole = answer.json()
    assert (whole["success"], whole["environment"]) == (True, "sandbox")
    assert set(whole["data"]) == {"numbers"}
    rows: list[dict[str, Any]] = whole["data"]["numbers"]
    return rows


def opt_out(account: TestAccount, *phones: str, at: datetime = AT) -> set[str]:
    people = [(account.id, phone, at, "reply") for phone in phones]
    service = account.service
    found = service.call(lambda: service.ctx.db.transact(lambda tx: contacts.opt_out(tx, people)))
    return {phone for _, phone in found}


def opt_in(account: TestAccount, *phones: str) -> set[str]:
    people = [(account.id, phone) for phone in phones]
    service = account.service
    found = service.call(lambda: service.ctx.db.transact(lambda tx: contacts.opt_in(tx, people)))
    return {phone for _, phone in found}


def deliver(account: TestAccount, to: str = GUEST) -> None:
    sent = account.send(clientMessageId=f"hello-{to}", to=to, templateName="plain")
    assert sent.status_code == 200, sent.text
    account.advance(seconds=5)
    assert account.status(f"hello-{to}")["status"] == "read"


# POST /numbers/check


@pytest.mark.quick
def test_a_number_is_true_once_a_message_reached_it_and_null_before(account: TestAccount) -> None:
    stranger = {"number": GUEST, "delivered": None}
    assert ask(account, "/numbers/check", [GUEST]) == [stranger]
    deliver(account)
    assert ask(account, "/numbers/check", [GUEST]) == [stranger | {"delivered": True}]


def test_a_number_that_was_only_tried_or_only_wrote_is_null(account: TestAccount) -> None:
    failing = "97250123" + "9010"
    account.send(clientMessageId="hello-0001", to=failing, templateName="plain")
    account.reply(OTHER, "Hello, is anybody there?")
    account.advance(minutes=5)
    found = ask(account, "/numbers/check", [failing, OTHER])
    assert [row["delivered"] for row in found] == [None, None]


def test_an_opt_out_does_not_undo_that_a_message_arrived(account: TestAccount) -> None:
    deliver(account)
    opt_out(account, GUEST)
    assert ask(account, "/numbers/check", [GUEST]) == [{"number": GUEST, "delivered": True}]


# POST /optouts/check


def test_an_opted_out_recipient_is_reported_with_the_time(account: TestAccount) -> None:
    assert opt_out(account, OTHER) == {OTHER}
    assert ask(account, "/optouts/check", [GUEST, OTHER]) == [
        {"number": GUEST, "optedOut": False, "since": None},
        {"number": OTHER, "optedOut": True, "since": SINCE},
    ]


def test_asking_to_stop_again_changes_nothing(account: TestAccount) -> None:
    assert opt_out(account, GUEST) == {GUEST}
    assert opt_out(account, GUEST, OTHER, at=AT + timedelta(days=1)) == {OTHER}
    assert ask(account, "/optouts/check", [GUEST])[0]["since"] == SINCE


def test_the_same_person_twice_in_one_batch_is_newly_out_once_since_the_first(
    account: TestAccount,
) -> None:
    people = [(account.id, GUEST, AT + timedelta(hours=n), "reply") for n in (2, 0, 1)]
    service = account.service
    found = service.call(lambda: service.ctx.db.transact(lambda tx: contacts.opt_out(tx, people)))
    assert found == {(account.id, GUEST)}
    assert ask(account, "/optouts/check", [GUEST])[0]["since"] == SINCE


def test_who_comes_back_is_newly_in_once(account: TestAccount) -> None:
    opt_out(account, GUEST)
    assert opt_in(account, GUEST, OTHER, GUEST) == {GUEST}
    assert opt_in(account, GUEST) == set()
    assert ask(account, "/optouts/check", [GUEST])[0]["optedOut"] is False
    assert opt_out(account, GUEST) == {GUEST}, "and may leave again"


def test_nobody_to_tell_of_costs_nothing(account: TestAccount) -> None:
    assert opt_out(account) == set()
    assert opt_in(account) == set()


# DELETE /optouts/{phoneNumber}


def test_a_removed_opt_out_lets_messages_through_again(account: TestAccount) -> None:
    opt_out(account, GUEST)
    refused = account.send(clientMessageId="hello-0001", to=GUEST, templateName="plain")
    assert refused.json()["data"]["error"]["code"] == "RECIPIENT_OPTED_OUT"
    answer = account.delete(f"/optouts/{GUEST}")
    assert answer.status_code == 200
    assert answer.json()["data"] == {"number": GUEST, "removed": True}
    assert ask(account, "/optouts/check", [GUEST])[0]["since"] is None
    sent = account.send(clientMessageId="hello-0002", to=GUEST, templateName="plain")
    assert sent.json()["data"]["status"] == "sent"


def test_removing_what_is_not_there_is_harmless(account: TestAccount) -> None:
    opt_out(account, GUEST)
    for phone, removed in ((GUEST, True), (GUEST, False), (OTHER, False)):
        answer = account.delete(f"/optouts/{phone}")
        assert answer.status_code == 200
        assert answer.json()["data"] == {"number": phone, "removed": removed}


def test_removing_one_leaves_the_others(account: TestAccount) -> None:
    opt_out(account, GUEST, OTHER)
    account.delete(f"/optouts/{GUEST}")
    found = ask(account, "/optouts/check", [GUEST, OTHER])
    assert [row["optedOut"] for row in found] == [False, True]


@pytest.mark.parametrize("phone", ["1234567", "1" * 21, "+972501234567", "abc", "٩٧٢٥٠١٢٣٤٥٦٧"])
def test_an_opt_out_of_no_number_is_refused(account: TestAccount, phone: str) -> None:
    answer = account.delete(f"/optouts/{phone}")
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == ("INVALID_PHONE", "phoneNumber")


# Both checks


@pytest.mark.parametrize("path", CHECKS)
def test_order_and_repeats_are_kept(account: TestAccount, path: str) -> None:
    opt_out(account, OTHER)
    asked = [LATER, GUEST, OTHER, GUEST, LATER]
    assert [row["number"] for row in ask(account, path, asked)] == asked


@pytest.mark.parametrize("path", CHECKS)
def test_what_one_account_knows_another_does_not(
    service: TestService, account: TestAccount, path: str
) -> None:
    deliver(account)
    opt_out(account, GUEST)
    neighbour = service.account()
    found = ask(neighbour, path, [GUEST, OTHER])
    for row in found:
        row.pop("number")
    assert found[0] == found[1], "known elsewhere is as unknown as anybody"
    assert neighbour.delete(f"/optouts/{GUEST}").json()["data"]["removed"] is False
    assert ask(account, "/optouts/check", [GUEST])[0]["optedOut"] is True


@pytest.mark.parametrize("path", CHECKS)
def test_500_numbers_are_answered_and_501_are_too_many(account: TestAccount, path: str) -> None:
    numbers = [str(972_500_000_000 + n) for n in range(501)]
    assert len(ask(account, path, numbers[:500])) == 500
    answer = account.post(path, {"numbers": numbers})
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == ("BATCH_TOO_LARGE", "numbers")
    assert "500" in error["message"] and "501" in error["message"]


@pytest.mark.parametrize("path", CHECKS)
@pytest.mark.parametrize(
    "bad", ["", "1234567", "1" * 21, "+972501234567", "972 50 123 4567", "٩٧٢٥٠١٢٣٤٥٦٧", "no"]
)
def test_a_bad_number_is_named_by_its_place(account: TestAccount, path: str, bad: str) -> None:
    answer = account.post(path, {"numbers": [GUEST, OTHER, GUEST, bad, "also bad"]})
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == ("INVALID_PHONE", "numbers[3]")


@pytest.mark.parametrize("path", CHECKS)
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "numbers"),
        ({"numbers": []}, "numbers"),
        ({"numbers": None}, "numbers"),
        ({"numbers": GUEST}, "numbers"),
        ({"numbers": {GUEST: True}}, "numbers"),
        ({"numbers": [GUEST, 972501234567]}, "numbers[1]"),
        ({"numbers": [None]}, "numbers[0]"),
        ({"numbers": [[GUEST]]}, "numbers[0]"),
        ({"number": [GUEST]}, "number"),
        ({"numbers": [GUEST], "limit": 1}, "limit"),
    ],
    ids=named,
)
def test_a_missing_or_wrong_field_is_named(
    account: TestAccount, path: str, body: dict[str, Any], field: str
) -> None:
    answer = account.post(path, body)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == ("VALIDATION_ERROR", field)


def test_the_borders_of_a_number_are_taken(account: TestAccount) -> None:
    for path in CHECKS:
        assert len(ask(account, path, ["1" * 8, "9" * 20])) == 2


@pytest.mark.parametrize("path", CHECKS)
def test_a_key_is_needed(service: TestService, path: str) -> None:
    answer = service.http.post(f"/api/v1{path}", json={"numbers": [GUEST]})
    assert answer.json()["error"]["code"] == "UNAUTHORIZED"
    assert service.http.delete(f"/api/v1/optouts/{GUEST}").status_code == 401
