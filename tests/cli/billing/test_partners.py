"""`tidings partners`, as an operator runs it beside a running service."""

from collections.abc import Callable

import pytest

from tests.support.commands import Done, commands
from tests.support.partners import TERMS, bought, transfer
from tests.support.service import TestAccount, TestService

Partners = Callable[..., Done]


@pytest.fixture
def partners(service: TestService) -> Partners:
    tidings = commands(service)
    return lambda *words: tidings("partners", *words)


def partner(service: TestService, name: str) -> TestAccount:
    account = service.account(name=name, partner=TERMS)
    bought(account, 2000)
    assert transfer(account, "bank-1", 100).status_code == 200
    return account


def debt(account: TestAccount) -> str:
    return str(account.get("/partner/account").json()["data"]["debt"])


def test_a_transfer_is_confirmed_with_what_was_received_and_once(
    service: TestService, partners: Partners
) -> None:
    account = partner(service, "prompt")
    confirm = ("confirm", "bank-1", "--account", "prompt")
    pending = partners("transfers", "--account", "prompt", "--json").json()
    assert pending["pendingTransfers"][0]["reference"] == "bank-1"
    booked = partners(*confirm, "--amount", "95.00", "--json").json()
    assert (booked["changed"], booked["entry"]["balanceAfter"]) == (True, "5.00")
    again = partners(*confirm, "--amount", "95.00", "--json").json()
    assert again == {"account": "prompt", "changed": False, "entry": None}
    partners(*confirm).refused("was confirmed with 95.00 and stays so")
    partners("reject", "bank-1", "--account", "prompt").refused("stays so")
    assert debt(account) == "5.00"


def test_a_transfer_is_rejected_and_then_cannot_be_confirmed(
    service: TestService, partners: Partners
) -> None:
    account = partner(service, "forgetful")
    who = ("--account", "forgetful")
    assert "TRANSFER_REJECTED" in partners("reject", "bank-1", *who).good()
    assert "Nothing was changed" in partners("reject", "bank-1", *who).good()
    partners("confirm", "bank-1", *who).refused("was rejected and stays so")
    assert debt(account) == "100.00"


def test_a_partner_is_adjusted_listed_and_its_ledger_shown(
    service: TestService, partners: Partners
) -> None:
    partner(service, "corrected")
    who = ("--account", "corrected")
    adjust = ("adjust", *who, "--note", "goodwill")
    booked = partners(
        *adjust, "--amount", "-2.50", "--messages", "50", "--reference", "g1", "--json"
    ).json()
    assert (booked["entry"]["amount"], booked["entry"]["messages"]) == ("-2.50", 50)
    partners(*adjust, "--amount", "-2.50", "--reference", "g1").refused("booked already")
    partners(*adjust, "--messages", "-99999").refused("more than the 2050 that are left")
    partners(*adjust, "--amount", "1.005").refused("more than 2 decimal places")
    partners(*adjust).refused("an adjustment of nothing is none")
    everyone = partners("list", "--json").json()["partners"]
    [listed] = [one for one in everyone if one["name"] == "corrected"]
    assert (listed["debt"], listed["capacity"]["total"]) == ("97.50", 2050)
    assert "corrected" in partners("list").good()
    entries = partners("ledger", *who, "--json").json()["entries"]
    assert [one["kind"] for one in entries] == ["ADJUSTMENT", "TRANSFER_REPORTED", "TOPUP"]
    assert "goodwill" in partners("ledger", *who).good()


def test_what_cannot_be_done_to_a_partner_is_refused(
    service: TestService, partners: Partners
) -> None:
    service.account(name="no-partner")
    partner(service, "strict")
    partners("confirm", "bank-1", "--account", "no-partner").refused("is not a partner")
    partners("confirm", "none", "--account", "strict").refused("no transfer")
    confirm = ("confirm", "bank-1", "--account", "strict", "--amount")
    partners(*confirm, "-5.00").refused("must be above zero")
    partners(*confirm, "0").refused("must be above zero")
    partners(*confirm, "x").refused("is not a decimal amount")
