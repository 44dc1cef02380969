"""GET /links (contract2 D): the list, its filters and its pages."""

from typing import Any

import pytest

from tests.support.answers import refused
from tests.support.names import named
from tests.support.service import TestAccount, TestService

URL = "https://example.com/menu"
PERSON = {"user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)"}


def made(account: TestAccount, **fields: Any) -> str:
    answer = account.post("/links", {"url": URL} | fields)
    assert answer.status_code == 200, answer.text
    code: str = answer.json()["data"]["code"]
    return code


def listed(account: TestAccount, **query: Any) -> list[str]:
    answer = account.get("/links", params=query)
    assert answer.status_code == 200, answer.text
    return [one["code"] for one in answer.json()["data"]]


def now(account: TestAccount) -> str:
    at: str = account.get("/sandbox/v1/clock").json()["data"]["now"]
    return at


def test_links_are_listed_newest_first_as_each_one_is_read(account: TestAccount) -> None:
    first = made(account)
    account.advance(minutes=1)
    second = made(account, eventId="wedding-1", clientMessageId="order-0001")
    for _ in range(2):
        account.service.http.get(f"/r/{first}", headers=PERSON)
    whole = account.get("/links").json()
    assert whole["nextCursor"] is None
    assert [one["code"] for one in whole["data"]] == [second, first]
    assert whole["data"][1]["clicks"] == 2
    for one in whole["data"]:
        assert one == account.get(f"/links/{one['code']}").json()["data"]


def test_pages_follow_each_other_without_gap_or_repeat(account: TestAccount) -> None:
    codes = [made(account) for _ in range(5)]  # at the same time: the code decides
    pages: list[list[str]] = []
    query: dict[str, Any] = {"limit": 2}
    while "cursor" not in query or query["cursor"] is not None:
        whole = account.get("/links", params=query).json()
        pages.append([one["code"] for one in whole["data"]])
        query["cursor"] = whole["nextCursor"]
    assert [len(page) for page in pages] == [2, 2, 1]
    assert sorted(code for page in pages for code in page) == sorted(codes)


def test_the_filters_choose_by_event_and_by_time(account: TestAccount) -> None:
    old = made(account, eventId="wedding-1")
    account.advance(hours=1)
    turn = now(account)
    new = made(account, eventId="wedding-1")
    other = made(account, eventId="wedding-2")
    assert listed(account, eventId="wedding-1") == [new, old]
    assert listed(account, eventId="wedding-1", since=turn) == [new]
    assert set(listed(account, since=turn)) == {new, other}
    assert listed(account, until=turn) == [old]
    assert listed(account, since=turn, until=turn) == []
    assert listed(account, eventId="wedding-3") == []


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"eventId": "abc"}, "eventId"),
        ({"eventId": "x" * 65}, "eventId"),
        ({"eventId": "    "}, "eventId"),
        ({"since": "yesterday"}, "since"),
        ({"until": "2026-01-01"}, "until"),
        ({"limit": "0"}, "limit"),
        ({"limit": "many"}, "limit"),
        ({"cursor": "x"}, "cursor"),
        ({"status": "active"}, "status"),
    ],
    ids=named,
)
def test_a_bad_filter_is_named(account: TestAccount, query: dict[str, str], field: str) -> None:
    error = refused(account.get("/links", params=query), 400, "VALIDATION_ERROR")
    assert error["field"] == field and field in error["message"]


def test_links_of_another_account_are_not_listed(
    account: TestAccount, service: TestService
) -> None:
    stranger = service.account()
    made(stranger, eventId="wedding-1")
    assert listed(account) == listed(account, eventId="wedding-1") == []


def test_an_expired_link_stays_in_the_list(account: TestAccount) -> None:
    account.advance(seconds=1)
    code = made(account, expiresAt="2098-01-01T00:00:00Z")
    account.service.sql("UPDATE links SET expires_at = created_at WHERE code = $1", code)
    assert [one["active"] for one in account.get("/links").json()["data"]] == [False]
