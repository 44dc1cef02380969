"""Lists with pages: the newest first, and from their heading the oldest first."""

from functools import partial

from tests.support.billing import at, invoice_toml
from tests.support.operators import operator_of
from tests.support.portal import Seen, Visitor, signed_in
from tests.support.service import TestAccount, TestService
from tidings.features.callbacks import dead_letters

URL = "https://example.com/menu"


def cells(page: Seen, mark: str = "") -> list[list[str]]:
    """Of the list, charts are tables as well: its rows with this text. Times are exact, since
    "1 second ago" passes."""
    for one in page.soup.select("tbody time"):
        one.string = str(one["datetime"])
    return [row for row in page.rows(-1) if mark in " ".join(row)]


def check_both_orders(visitor: Visitor, path: str, heading: str, mark: str = "") -> None:
    """From either end; and back where the list begins."""
    newest = visitor.get(path)
    assert newest.one("th[aria-sort=descending]").text == heading, path
    oldest = visitor.get(newest.links()[heading])
    assert oldest.one("th[aria-sort=ascending]").text == heading, path
    rows = cells(newest, mark)
    assert len(rows) > 1 and rows[0] != rows[-1] and cells(oldest, mark) == rows[::-1], path
    assert cells(visitor.get(oldest.links()[heading]), mark) == rows


def test_links_calls_and_changes_sort_by_time(account: TestAccount) -> None:
    for number in range(2):
        account.post("/links", {"url": f"{URL}/{number}"})
    account.service.call(account.service.service.recorder.flush)
    visitor = signed_in(account)
    for code in [row[0].split()[0] for row in cells(visitor.get("/links"))]:
        visitor.post(f"/links/{code}", {"confirmed": "yes"})
    check_both_orders(visitor, "/links", "Created")
    check_both_orders(visitor, "/requests", "Time")
    check_both_orders(visitor, "/audit", "Time")


def park(service: TestService, mark: str) -> None:
    for number in range(2):
        letters = [(f"{mark}-{number}", b"{}")]
        service.transact(partial(dead_letters.add, new=letters))


def test_what_operators_see_sorts_by_time(service: TestService) -> None:
    operator = operator_of(service)
    park(service, "sorted-letter")
    check_both_orders(operator, "/operator/parked?kind=callbacks", "Received", "sorted-letter")
    service.account(invoice_toml() + invoice_toml("2026-0002", issuedAt=at(days=-9)))
    for query, is_newest_first in (("", True), ("?sort=created", False)):
        times = [row[4] for row in cells(operator.get(f"/operator/invoices{query}"))]
        assert len(set(times)) > 1 and times == sorted(times, reverse=is_newest_first)


def test_accounts_and_people_sort_by_name(service: TestService) -> None:
    operator_of(service)
    operator = operator_of(service)
    for path, heading in (("accounts", "Account"), ("people", "Person")):
        ascending = operator.get(f"/operator/{path}")
        assert ascending.one("th[aria-sort=ascending]").text == heading
        descending = operator.get(ascending.links()[heading])
        first, last = ascending.rows()[0][0], descending.rows()[0][0]
        assert first < last and descending.one("th[aria-sort=descending]").text == heading
    newest = operator.get("/operator/accounts?sort=-created")
    assert newest.one("th[aria-sort=descending]").text == "Created"
    times = [row[4] for row in cells(newest)]
    assert times == sorted(times, reverse=True) and times[0] > times[-1]
