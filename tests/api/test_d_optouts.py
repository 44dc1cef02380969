"""GET /optouts (contract2.md section D)."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.support.invitations import invite, register, require_refused
from tests.support.reading_back import read_all, read_page
from tests.support.service import GUEST, TestAccount, TestService
from tidings.features.recipients import contacts

AT = datetime(2026, 5, 1, 9, 30, 15, 250_000, tzinfo=UTC)


def opt_out(account: TestAccount, *people: tuple[str, datetime]) -> None:
    rows = [(account.id, phone, at, "reply") for phone, at in people]
    account.service.transact(lambda tx: contacts.opt_out(tx, rows))


@pytest.mark.quick
def test_who_asked_to_stop_is_listed_with_when_and_how(account: TestAccount) -> None:
    register(account)
    invite(account, "invite-0001", "972500009012")  # the platform says that they stopped marketing
    account.advance(minutes=1)
    account.reply(GUEST, "STOP")
    found = read_all(account, "/optouts")
    assert [(one["number"], one["source"]) for one in found] == [
        (GUEST, "reply"), ("972500009012", "platform"),
    ]  # fmt: skip
    checked = account.post("/optouts/check", {"numbers": [one["number"] for one in found]})
    assert [one["since"] for one in found] == [
        one["since"] for one in checked.json()["data"]["numbers"]
    ]


def test_the_latest_come_first_and_pages_lose_and_repeat_none(account: TestAccount) -> None:
    numbers = [f"97250000000{n}" for n in range(5)]
    opt_out(account, *((number, AT + timedelta(hours=n // 2)) for n, number in enumerate(numbers)))
    first, cursor = read_page(account, "/optouts", limit=2)
    assert [one["number"] for one in first] == numbers[:2:-1] and cursor is not None
    listed = read_all(account, "/optouts", limit=2)
    assert [one["number"] for one in listed] == numbers[::-1]
    assert listed[-1] == {
        "number": numbers[0], "since": "2026-05-01T09:30:15.250Z", "source": "reply",
    }  # fmt: skip


def test_who_came_back_or_belongs_to_another_account_is_not_listed(
    service: TestService, account: TestAccount
) -> None:
    opt_out(account, (GUEST, AT), ("972500000001", AT))
    account.delete(f"/optouts/{GUEST}")
    assert [one["number"] for one in read_all(account, "/optouts")] == ["972500000001"]
    assert read_all(service.account(), "/optouts") == []


@pytest.mark.parametrize(
    ("query", "field"),
    [("since=2026", "since"), ("limit=0", "limit"), ("cursor=x", "cursor"), ("number=1", "number")],
)
def test_a_bad_filter_is_named(account: TestAccount, query: str, field: str) -> None:
    require_refused(account.get(f"/optouts?{query}"), "VALIDATION_ERROR", field=field)
