"""The partner desk: capacity, debt, top-ups, transfers, ledger, statements and customers."""

import csv
import io
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from tests.support.billing import partner_with_member, sent
from tests.support.partners import bought, do, ledger, partner_of, state, transfer
from tests.support.portal import Seen, Visitor, signed_in, text_of
from tests.support.service import TestAccount, TestService
from tidings.features.partner import adjust, statement
from tidings.money import Money


@pytest.fixture
def partner(service: TestService) -> TestAccount:
    return partner_of(service)


def notice(page: Seen) -> str:
    return text_of(page.soup.select_one(".banner.done"))


def top_up(visitor: Visitor, messages: str) -> Seen:
    return visitor.submit(visitor.get("/partner"), "Top up", {"Messages": messages})


def report(visitor: Visitor, amount: str, reference: str, **more: str) -> Seen:
    fields = {"Amount": amount, "Reference": reference} | more
    return visitor.submit(visitor.get("/partner"), "Report transfer", fields)


def actions(account: TestAccount) -> list[str]:
    rows = account.service.sql(
        "SELECT action FROM audit_log WHERE account_id = $1 AND actor_kind = 'person' ORDER BY id",
        account.id,
    )
    return [row["action"] for row in rows]


def test_the_desk_shows_capacity_and_debt(service: TestService) -> None:
    partner, member = partner_with_member(service, "desk", messages=50)
    sent(member, 1)
    page = signed_in(partner, "viewer").get("/partner")
    assert (page.status, page.h1) == (200, "Partner desk")
    assert "Capacity 1 / 50" in page.main and "49 messages left" in page.main
    figures = page.figures()
    assert figures["Debt"] == "₪2.50" and figures["Credit left"] == "₪997.50"
    customers = page.soup.find(id="customers-title")
    assert customers is not None
    assert "desk-member active 1" in text_of(customers.find_parent("section"))


def test_no_region_has_the_name_of_a_field(partner: TestAccount) -> None:
    """Who looks for "Messages" by its name finds the field alone."""
    page = signed_in(partner).get("/partner")
    regions = [page.soup.find(id=one["aria-labelledby"]) for one in page.soup.select("section")]
    for field in ("messages", "amount", "reference"):
        assert not [one for one in regions if field in text_of(one).lower()]


def test_messages_are_bought_up_to_the_maximum_that_is_said(partner: TestAccount) -> None:
    visitor = signed_in(partner, "billing")
    assert "At most 20,000 now." in visitor.get("/partner").main
    page = top_up(visitor, "1,000")
    assert "were bought" in notice(page) and "At most 19,000 now." in page.main
    assert state(partner)["capacity"]["total"] == 1000
    refused = top_up(visitor, "19001")
    assert refused.status == 422 and "at most 19,000 messages" in refused.errors[0]
    assert refused.field("Messages")["value"] == "19001"
    for wrong in ("", "0", "many", "1.5", "99999999"):
        assert top_up(visitor, wrong).status == 422, wrong
    assert actions(partner) == ["capacity.bought"]


def test_a_form_that_is_sent_twice_buys_once(partner: TestAccount) -> None:
    visitor = signed_in(partner)
    page = visitor.get("/partner")
    with ThreadPoolExecutor(4) as pool:
        pages = list(
            pool.map(lambda _: visitor.submit(page, "Top up", {"Messages": "10"}), range(4))
        )
    assert {one.status for one in pages} == {200}
    assert state(partner)["capacity"]["total"] == 10
    assert actions(partner) == ["capacity.bought"]
    changed = visitor.submit(page, "Top up", {"Messages": "20"})
    assert changed.status == 422 and "10 messages were bought" in changed.errors[0]
    visitor.submit(changed, "Top up", {"Messages": "20"})
    assert state(partner)["capacity"]["total"] == 30


def test_a_transfer_is_reported_once(partner: TestAccount) -> None:
    visitor = signed_in(partner, "owner")
    page = visitor.get("/partner")
    fields = {"Amount": "95.00", "Reference": "bank-7", "Note": "for November",
              "Date of the transfer": "2026-11-01"}  # fmt: skip
    first, second = (visitor.submit(page, "Report transfer", fields) for _ in range(2))
    assert "was reported" in notice(first) and second.status == 200
    assert [one["reference"] for one in state(partner)["pendingTransfers"]] == ["bank-7"]
    assert "Transfers that wait to be confirmed" in first.main
    again = report(visitor, "95.00", "bank-7")
    assert again.status == 422 and "already reported" in again.errors[0]
    assert again.field("Reference")["value"] == "bank-7"
    assert actions(partner) == ["transfer.reported"]


def test_a_transfer_that_cannot_be_is_refused_beside_its_field(partner: TestAccount) -> None:
    visitor = signed_in(partner)
    for amount in ("", "0", "-5", "1.001", "NaN", "1e400"):
        page = report(visitor, amount, "bank-1")
        assert page.status == 422 and page.field("Amount").has_attr("aria-invalid"), amount
    assert report(visitor, "5", " ").field("Reference").has_attr("aria-invalid")
    late = report(visitor, "5", "bank-1", **{"Date of the transfer": "2026-02-31"})
    assert late.field("Date of the transfer").has_attr("aria-invalid")
    assert ledger(partner) == []


def test_the_ledger_has_the_balance_after_each_entry(partner: TestAccount) -> None:
    bought(partner, 100)
    transfer(partner, "bank-1", 5)
    do(partner, adjust.adjust, amount=Money(-700, "ILS"), note="זיכוי")
    page = signed_in(partner).get("/partner")
    tables = [table.get("aria-labelledby") for table in page.soup.select("div.table")]
    rows = [row[1:] for row in page.rows(tables.index("ledger-title"))]
    assert rows == [
        ["Adjustment זיכוי", "–", "–", "-₪7.00", "-₪2.00"],
        ["Transfer reported", "bank-1", "–", "₪5.00", "₪5.00"],
        ["Top-up", "–", "100", "₪5.00", "₪5.00"],
    ]
    assert page.figures()["Credit balance"] == "₪2.00"


def test_a_long_ledger_has_pages_and_days(partner: TestAccount) -> None:
    for n in range(1, 53):
        bought(partner, n)
    visitor = signed_in(partner)
    first = visitor.get("/partner")
    second = visitor.get(first.links()["Older"])
    assert [row[3] for row in second.rows()] == ["2", "1"]
    past = visitor.submit(first, "Filter", {"From": "2020-01-01", "To": "2020-01-31"})
    assert "No entries in these days" in past.main
    assert past.links()["Statement CSV"].endswith("from=2020-01-01&to=2020-01-31")
    assert visitor.get("/partner?from=soon").status == 422


def test_the_statement_comes_as_csv_and_pdf(partner: TestAccount) -> None:
    bought(partner, 100)
    transfer(partner, "=cmd()", 5)
    visitor = signed_in(partner, "viewer")
    links = visitor.get("/partner").links()
    answer = visitor.raw("GET", links["Statement CSV"])
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["kind"] for row in rows] == ["TRANSFER_REPORTED", "TOPUP"]
    assert (rows[0]["reference"], rows[1]["balanceAfter"]) == ("'=cmd()", "5.00")
    printed = visitor.raw("GET", links["Statement PDF"])
    assert printed.headers["content-type"] == "application/pdf"
    assert re.search(r'filename="statement-.*\.pdf"', printed.headers["content-disposition"])
    assert printed.content.startswith(b"%PDF-")
    empty = visitor.raw("GET", "/partner/statement.pdf?from=2020-01-01&to=2020-01-02")
    assert empty.content.startswith(b"%PDF-")


def test_days_without_an_entry_end_with_what_was_owed_then(partner: TestAccount) -> None:
    bought(partner, 100)
    later, earlier = datetime(2099, 1, 1, tzinfo=UTC), datetime(2020, 1, 1, tzinfo=UTC)
    assert do(partner, statement.load_printed, (later, None)) == ([], Money(500, "ILS"))
    assert do(partner, statement.load_printed, (None, earlier)) == ([], Money(0, "ILS"))


def test_who_may_not_act_sees_no_forms(partner: TestAccount) -> None:
    for role in ("viewer", "sender", "developer"):
        visitor = signed_in(partner, role)
        page = visitor.get("/partner")
        assert page.status == 200
        assert not page.has_button("Top up") and not page.has_button("Report transfer")
    fields = {"act": "topup", "messages": "5", "entryId": "led_" + "0" * 32}
    assert visitor.post("/partner", fields).status_code == 403
    assert ledger(partner) == []


def test_an_account_that_is_no_partner_has_no_desk(service: TestService) -> None:
    member = partner_with_member(service, "other-desk")[1]
    visitor = signed_in(member)
    for path in ("/partner", "/partner/statement.csv", "/partner/statement.pdf"):
        assert visitor.get(path).status == 404
    assert visitor.post("/partner", {"act": "topup"}).status_code == 404
    assert "Partner desk" not in visitor.get("/usage").links()


def test_a_new_desk_says_what_will_stand_there(partner: TestAccount) -> None:
    visitor = signed_in(partner)
    page = visitor.get("/partner")
    assert "The ledger is empty" in page.main and "No customers yet" in page.main
    assert visitor.post("/partner", {"act": "gift"}).status_code == 404
    damaged = {"act": "topup", "messages": "5", "entryId": "nonsense"}
    assert visitor.post("/partner", damaged).status_code == 422
