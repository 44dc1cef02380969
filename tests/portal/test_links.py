"""The page Links: the list with its opens by day, the filters, and "Deactivate"."""

from typing import Any

import pytest

from tests.support.portal import signed_in, text_of
from tests.support.service import TestAccount, TestService

URL = "https://example.com/menu"
PERSON = {"user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)"}


def made(account: TestAccount, **fields: Any) -> str:
    answer = account.post("/links", {"url": URL} | fields)
    assert answer.status_code == 200, answer.text
    code: str = answer.json()["data"]["code"]
    return code


def open_link(account: TestAccount, code: str) -> int:
    return account.service.http.get(f"/r/{code}", headers=PERSON).status_code


def test_links_are_listed_with_their_opens_by_day(account: TestAccount) -> None:
    first = made(account, eventId="wedding-1")
    open_link(account, first)
    account.advance(hours=24)
    second = made(account)
    for _ in range(2):
        open_link(account, first)
    page = signed_in(account, "viewer").get("/links")
    assert (page.status, page.h1) == (200, "Links")
    listed = page.rows(-1)
    assert [row[0].split()[0] for row in listed] == [second, first]
    assert [row[4] for row in listed] == ["0", "3"]
    by_day = [row[-1] for row in page.rows(0)]
    assert by_day[-2:] == ["1", "2"]
    assert "wedding-1" in page.main


def test_one_link_has_its_own_page(account: TestAccount) -> None:
    code = made(account, clientMessageId="order-0001")
    open_link(account, code)
    page = signed_in(account, "viewer").get(f"/links/{code}")
    assert (page.status, page.h1) == (200, "Link")
    assert page.figures()["Opens"] == "1"
    assert page.links()["order-0001"] == "/portal/messages/order-0001"
    assert page.rows(0)[-1][-1] == "1"


def test_the_filters_stand_in_the_address(account: TestAccount) -> None:
    old = made(account, eventId="wedding-1")
    account.advance(hours=48)
    new = made(account)
    visitor = signed_in(account, "viewer")
    page = visitor.submit(visitor.get("/links"), "Filter", {"Event id": "wedding-1"})
    assert "event=wedding-1" in str(page.response.url)
    assert page.field("Event id")["value"] == "wedding-1"
    assert (old in page.main, new in page.main) == (True, False)
    at = account.get("/sandbox/v1/clock").json()["data"]["now"][:10]
    page = visitor.get(f"/links?from={at}&to={at}")
    assert (old in page.main, new in page.main) == (False, True)
    assert "No link fits" in visitor.get("/links?event=nothing").main
    page = visitor.get("/links?from=yesterday")
    assert page.status == 422
    assert "2026-11-30" in page.errors[-1]
    assert page.field("Created from")["value"] == "yesterday"


def test_a_long_list_has_pages(account: TestAccount) -> None:
    codes = {made(account) for _ in range(51)}
    visitor = signed_in(account, "viewer")
    page = visitor.get("/links")
    older = visitor.get(page.links()["Older"])
    listed = [row[0].split()[0] for row in page.rows(-1) + older.rows(-1)]
    assert (len(listed), set(listed)) == (51, codes)
    assert visitor.get(older.links()["Newer"]).rows(-1)[0] == page.rows(-1)[0]


def test_deactivating_asks_again_and_is_audited(account: TestAccount) -> None:
    code = made(account)
    visitor = signed_in(account, "developer")
    asked = visitor.submit(visitor.get("/links"), "Deactivate")
    assert "cannot be undone" in asked.main
    assert open_link(account, code) == 302
    page = visitor.submit(asked, "Confirm")
    assert page.h1 == "Links"
    assert "deactivated" in text_of(page.soup.select_one(".banner.done"))
    assert open_link(account, code) == 410
    assert not page.has_button("Deactivate")
    entries = account.service.sql(
        "SELECT action, subject FROM audit_log WHERE account_id = $1 ORDER BY id", account.id
    )
    assert entries[-1] == {"action": "link.deactivated", "subject": code}


def test_who_may_not_build_deactivates_nothing(account: TestAccount) -> None:
    code = made(account)
    sender = signed_in(account, "sender")
    assert not sender.get("/links").has_button("Deactivate")
    assert not sender.get(f"/links/{code}").has_button("Deactivate")
    assert sender.post(f"/links/{code}", {"confirmed": "yes"}).status_code == 403
    assert open_link(account, code) == 302
    assert signed_in(account, "billing").get("/links").status == 403


@pytest.mark.parametrize("method", ["get", "post"])
def test_the_link_of_another_account_is_unknown(
    account: TestAccount, service: TestService, method: str
) -> None:
    foreign = made(service.account())
    visitor = signed_in(account)
    if method == "get":
        assert visitor.get(f"/links/{foreign}").status == 404
    else:
        assert visitor.post(f"/links/{foreign}", {"confirmed": "yes"}).status_code == 404


def test_an_empty_list_says_how_links_come_about(account: TestAccount) -> None:
    page = signed_in(account).get("/links")
    assert "No links yet" in page.main
    assert "POST /links" in page.main
