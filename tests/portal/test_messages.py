"""The list of messages: search, filters, pages, export."""

import csv
import io
from uuid import UUID

import pytest

from tests.support.batches import cancel, item, submit
from tests.support.portal import Seen, signed_in
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.text import ahead
from tidings.features.accounts.lookup import load_accounts
from tidings.features.messages.read.export import csv_bytes
from tidings.features.messages.read.filters import Filter

FAILS = "972500000404"
OTHER = "972501111111"


def send(account: TestAccount, cid: str, to: str = GUEST, **fields: object) -> None:
    body = {"clientMessageId": cid, "to": to, "templateName": "plain"} | fields
    answer = account.send(**body)
    assert answer.status_code in (200, 202), answer.text


def listed(page: Seen) -> list[str]:
    return [row[0] for row in page.rows()] if page.soup.table else []


@pytest.fixture
def written(account: TestAccount) -> TestAccount:
    send(account, "order-0001")
    send(account, "order-0002", OTHER)
    send(account, "later-0001", scheduledFor=ahead(hours=2))
    return account


def test_messages_are_listed_the_newest_first_and_lead_to_each(written: TestAccount) -> None:
    page = signed_in(written, "viewer").get("/messages")
    assert (page.status, page.h1) == (200, "Messages")
    assert listed(page) == ["later-0001", "order-0002", "order-0001"]
    assert page.rows()[1][1:4] == [OTHER, "sent", "Notification"]
    assert page.soup.select("tbody tr")[0]["data-href"] == "/portal/messages/later-0001"


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"Search": "+972 50-111-1111"}, ["order-0002"]),
        ({"Search": "order-0001"}, ["order-0001"]),
        ({"Search": "order"}, []),
        ({"Status": "scheduled"}, ["later-0001"]),
        ({"Kind": "otp"}, []),
        ({"From": "2020-01-01", "To": "2020-01-02"}, []),
        ({"From": "2020-01-01", "Search": GUEST}, ["later-0001", "order-0001"]),
        ({"Status": "sent", "Search": "later-0001"}, []),
    ],
)
def test_filters_are_in_the_address(
    written: TestAccount, fields: dict[str, str], found: list[str]
) -> None:
    visitor = signed_in(written)
    page = visitor.submit(visitor.get("/messages"), "Filter", fields)
    assert listed(page) == found
    for label, value in fields.items():
        control = page.field(label)
        chosen = control.select_one("option[selected]") or control
        assert chosen["value"] == value
    again = visitor.get(str(page.response.url.path) + "?" + page.response.url.query.decode())
    assert listed(again) == found


def test_the_platforms_id_finds_its_message(written: TestAccount) -> None:
    platform_id = written.status("order-0001")["messageId"]
    assert listed(signed_in(written).get(f"/messages?search={platform_id}")) == ["order-0001"]


def test_digits_may_be_a_number_and_an_id(account: TestAccount) -> None:
    send(account, GUEST, OTHER)
    send(account, "order-0001", GUEST)
    page = signed_in(account).get(f"/messages?search={GUEST}")
    assert listed(page) == [GUEST, "order-0001"]


def test_messages_of_a_batch_and_of_an_event(written: TestAccount) -> None:
    batch = submit(written, [item(1)])["batchId"]
    visitor = signed_in(written)
    for address in (f"batchId={batch}", f"search={batch}"):
        assert len(listed(visitor.get(f"/messages?{address}"))) == 1
    assert listed(visitor.get("/messages?eventId=nothing")) == []


@pytest.mark.parametrize("query", ["status=lost", "kind=lost", "from=today", "batchId=1"])
def test_a_filter_that_means_nothing_is_explained_beside_its_field(
    written: TestAccount, query: str
) -> None:
    page = signed_in(written).get(f"/messages?{query}")
    assert page.status == 422
    assert page.errors


def test_pages_lead_to_older_and_newer(account: TestAccount) -> None:
    submit(account, [item(index) for index in range(60)])
    visitor = signed_in(account)
    first = visitor.get("/messages?status=queued,sent,sending,delivered,read")
    assert len(listed(first)) == 50
    second = visitor.get(first.links()["Older"])
    assert len(listed(second)) == 10
    assert "status=queued" in str(second.response.url)
    assert listed(visitor.get(second.links()["Newer"])) == listed(first)


def test_messages_are_listed_from_either_end(account: TestAccount) -> None:
    batch = submit(account, [item(index) for index in range(60)])["batchId"]
    visitor = signed_in(account)
    for address in ("/messages", f"/messages?batchId={batch}"):
        newest = visitor.get(address)
        every = listed(newest) + listed(visitor.get(newest.links()["Older"]))
        oldest = visitor.get(newest.links()["Created"])
        assert listed(oldest) == every[:9:-1]
        last = visitor.get(oldest.links()["Newer"])
        assert listed(last) == every[9::-1]
        assert "Newer" not in last.links()
        assert listed(visitor.get(last.links()["Older"])) == listed(oldest)


def test_filters_keep_the_order(written: TestAccount) -> None:
    visitor = signed_in(written)
    page = visitor.get("/messages?sort=created")
    assert listed(page) == ["order-0001", "order-0002", "later-0001"]
    page = visitor.submit(page, "Filter", {"Search": GUEST})
    assert listed(page) == ["order-0001", "later-0001"]
    assert page.one("th[aria-sort]")["aria-sort"] == "ascending"
    later = [item(index, scheduledFor=ahead(hours=2)) for index in range(2)]
    cancel(written, submit(written, later)["batchId"])
    cancelled = visitor.get("/messages?status=cancelled")  # from another table
    oldest = visitor.get(cancelled.links()["Created"])
    assert len(listed(oldest)) == 2 and listed(oldest) == listed(cancelled)[::-1]


def test_what_is_filtered_is_exported(written: TestAccount) -> None:
    send(written, "=1+1 evil")
    visitor = signed_in(written, "viewer")
    page = visitor.get(f"/messages?search={GUEST}&from=2020-01-01")
    answer = visitor.raw("GET", page.links()["Export CSV"])
    assert answer.headers["content-type"].startswith("text/csv")
    assert 'filename="messages.csv"' in answer.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert [row["clientMessageId"] for row in rows] == ["'=1+1 evil", "later-0001", "order-0001"]
    assert rows[1]["status"] == "scheduled"
    one = visitor.raw("GET", "/messages.csv?search=order-0002").text
    assert one.count("\n") == 2
    assert visitor.raw("GET", "/messages.csv?search=nothing").text.count("\n") == 1


def test_all_of_many_are_exported(account: TestAccount, service: TestService) -> None:
    submit(account, [item(index) for index in range(20)])

    async def export() -> bytes:
        owner = UUID(str(account.id))
        [found] = (await service.ctx.db.transact(lambda tx: load_accounts(tx, [owner]))).values()
        parts = csv_bytes(service.ctx.db, found, Filter(), "", page_rows=7)
        return b"".join([part async for part in parts])

    assert len(set(service.call(export).splitlines())) == 21


def test_without_messages_the_page_says_how_to_begin(
    account: TestAccount, service: TestService
) -> None:
    page = signed_in(account).get("/messages")
    assert "No messages yet" in page.main
    assert "Send a first message" in page.links()
    assert "Send a first message" not in signed_in(account, "viewer").get("/messages").links()


def test_billing_does_not_read_messages(written: TestAccount) -> None:
    visitor = signed_in(written, "billing")
    assert visitor.get("/messages").status == 403
    assert visitor.raw("GET", "/messages.csv").status_code == 403
    assert "Messages" not in visitor.get("/people").links()
