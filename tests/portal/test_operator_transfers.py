"""Transfers: an operator confirms what was received, or rejects what never came."""

import pytest

from tests.support.operators import actors, audited, operator_of
from tests.support.portal import signed_in, text_of
from tests.support.service import TestAccount, TestService

PARTNER = '[accounts.partner]\nratePerMessage = "0.10"\ncreditLimit = "1000.00"\n'


@pytest.fixture
def partner(service: TestService) -> TestAccount:
    account = service.account(PARTNER)
    assert account.post("/partner/topups", {"messages": 1000}).status_code in (200, 201)
    return account


def report(partner: TestAccount, reference: str, amount: float = 95.0) -> None:
    body = {"amount": amount, "reference": reference, "note": "העברה מבנק"}
    assert partner.post("/partner/transfers", body).status_code in (200, 201)


def debt(partner: TestAccount) -> str:
    return str(partner.get("/partner/account").json()["data"]["debt"])


def act(partner: TestAccount, reference: str, **fields: str):
    visitor = operator_of(partner.service)
    values = {"account": str(partner.id), "reference": reference} | fields
    return visitor.post("/operator/transfers", values)


def card(page, reference: str):
    for one in page.soup.select(".operator-transfer"):
        if text_of(one.h3) == reference:
            return one
    return None


def test_a_transfer_is_confirmed_with_what_was_received(partner: TestAccount) -> None:
    report(partner, "bank-100")
    visitor = operator_of(partner.service)
    page = visitor.get("/operator/transfers")
    assert page.h1 == "Transfers"
    waiting = card(page, "bank-100")
    assert "95.00" in text_of(waiting) and "העברה מבנק" in text_of(waiting)
    assert waiting.select_one("input[name=received]")["value"] == "95.00"
    assert [text_of(one) for one in waiting.select("button")] == ["Confirm", "Reject"]
    assert act(partner, "bank-100", received="90.50", act="confirm").status_code == 303
    assert debt(partner) == "9.50"
    page = visitor.get("/operator/transfers")
    assert card(page, "bank-100") is None
    [row] = [row for row in page.rows() if row[0] == "bank-100"]
    assert (row[2], "95.00" in row[3], "90.50" in row[4]) == ("confirmed", True, True)
    assert actors(partner.service, "transfer.confirmed", "bank-100") == [("person", True)]


def test_a_transfer_is_rejected_with_a_note(partner: TestAccount) -> None:
    report(partner, "bank-200")
    assert act(partner, "bank-200", act="reject", note="never came").status_code == 303
    assert debt(partner) == "100.00"
    [entry] = audited(partner.service, "transfer.rejected", "bank-200")
    assert entry["details"]["note"] == "never came"
    assert act(partner, "bank-200", received="1", act="confirm").status_code == 422


@pytest.mark.parametrize("received", ["", "ten", "1.005", "0", "-5"])
def test_an_amount_that_is_none_stays_in_its_field(partner: TestAccount, received: str) -> None:
    reference = f"bank-300{received}"
    report(partner, reference)
    visitor = operator_of(partner.service)
    values = {"account": str(partner.id), "reference": reference, "received": received}
    answer = visitor.post("/operator/transfers", values)
    assert answer.status_code == 422
    assert f'id="received" name="received" value="{received}"' in answer.text
    assert debt(partner) == "100.00"


def test_what_is_unknown_or_no_partner_is_not_found(
    partner: TestAccount, account: TestAccount
) -> None:
    assert act(partner, "bank-unknown", received="1").status_code == 404
    assert act(account, "bank-unknown", received="1").status_code == 404
    assert signed_in(partner).post("/operator/transfers", {}).status_code == 403


def test_settled_transfers_have_pages(service: TestService) -> None:
    account = service.account(PARTNER)
    for index in range(52):
        report(account, f"paged-{index:02}", 1.0)
        assert act_fast(account, f"paged-{index:02}")
    visitor = operator_of(service)
    page = visitor.get("/operator/transfers")
    older = visitor.get(page.links()["Older"])
    assert {row[0] for row in page.rows()}.isdisjoint(row[0] for row in older.rows())
    assert visitor.get("/operator/transfers?cursor=nonsense").status == 200


def act_fast(account: TestAccount, reference: str) -> object:
    from tidings.features.accounts.lookup import load_accounts
    from tidings.features.partner.transfers import confirm

    async def work(tx):
        partner = (await load_accounts(tx, [account.id]))[account.id]
        return await confirm(tx, partner, reference)

    return account.service.transact(work)
