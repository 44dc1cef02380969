"""Lists with pages: the newest first, and from their heading the oldest first."""

from tests.support.portal import Seen, Visitor, signed_in
from tests.support.service import TestAccount

URL = "https://example.com/menu"


def cells(page: Seen) -> list[list[str]]:
    """Of the list: charts are tables as well. Times are exact, since "1 second ago" passes."""
    for one in page.soup.select("tbody time"):
        one.string = str(one["datetime"])
    return page.rows(-1)


def check_both_orders(visitor: Visitor, path: str, heading: str) -> None:
    """From either end; and back where the list begins."""
    newest = visitor.get(path)
    assert newest.one("th[aria-sort=descending]").text == heading, path
    oldest = visitor.get(newest.links()[heading])
    assert oldest.one("th[aria-sort=ascending]").text == heading, path
    rows = cells(newest)
    assert len(rows) > 1 and rows[0] != rows[-1] and cells(oldest) == rows[::-1], path
    assert cells(visitor.get(oldest.links()[heading])) == rows


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
