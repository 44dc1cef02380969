"""The page Numbers: status, quality, use and limit, rate, history, and what to do."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from tests.support.portal import signed_in, text_of
from tests.support.service import GUEST, NUMBER, TestAccount, TestService
from tidings.features.senders import history_store
from tidings.features.senders.lookup import load_history
from tidings.features.senders.model import NumberChange


@pytest.fixture
def limited(service: TestService) -> TestAccount:
    number = f'[[accounts.numbers]]\nnumber = "{NUMBER}"\ndailyLimit = 250\nperSecond = 20\n'
    return service.account(number, dailyLimit=1000)


def change(account: TestAccount, **fields: str) -> None:
    answer = account.post(f"/sandbox/v1/senders/{NUMBER}", fields)
    assert answer.status_code == 200, answer.text


def test_a_number_is_shown_with_its_use_its_limit_and_its_rate(limited: TestAccount) -> None:
    limited.send(
        clientMessageId="hello-0001", to=GUEST, templateName="hello", templateParams=["Dana"]
    )
    page = signed_in(limited, "viewer").get("/numbers")
    assert (page.status, page.h1) == (200, "Numbers")
    figures = page.figures()
    assert (figures["Status"], figures["Quality"]) == ("connected", "high")
    assert figures["Rate"] == "20 messages a second"
    assert "New people in 24 hours 1 / 250" in page.main
    assert "All messages in 24 hours 1 / 1,000" in page.main
    assert "Nothing has changed yet" in page.main


def test_changes_of_health_are_its_history(limited: TestAccount) -> None:
    change(limited, quality="YELLOW")
    limited.advance(hours=1)
    change(limited, quality="RED", status="RESTRICTED")
    page = signed_in(limited, "viewer").get("/numbers")
    assert [row[1:] for row in page.rows()] == [
        ["Quality", "medium", "low"],
        ["Status", "connected", "restricted"],
        ["Quality", "high", "medium"],
    ]
    assert page.rows()[2][0] == "60 minutes ago"


def test_a_restricted_number_says_what_to_do(limited: TestAccount) -> None:
    visitor = signed_in(limited, "viewer")
    change(limited, quality="YELLOW")
    assert "People block or report" in visitor.get("/numbers").main
    change(limited, status="RESTRICTED")
    page = visitor.get("/numbers")
    note = text_of(page.soup.select_one(".banner.warning[role=note]"))
    assert note.startswith("What to do The platform restricted it for a while")
    assert "RESTRICTED" in note


def test_without_a_limit_none_is_drawn(account: TestAccount) -> None:
    page = signed_in(account, "viewer").get("/numbers")
    assert "New people in 24 hours no limit" in page.main
    assert page.soup.select_one(".chart-meter") is None


def test_another_limit_in_the_file_is_in_the_history(
    limited: TestAccount, service: TestService
) -> None:
    rows = service.sql("SELECT name FROM accounts WHERE id = $1", limited.id)
    number = f'[[accounts.numbers]]\nnumber = "{NUMBER}"\ndailyLimit = 2000\nperSecond = 20\n'
    service.account(number, dailyLimit=1000, name=rows[0]["name"])
    page = signed_in(limited, "viewer").get("/numbers")
    assert [row[1:] for row in page.rows()] == [["Limit", "250", "2,000"]]


def test_the_oldest_changes_of_a_number_are_forgotten(limited: TestAccount) -> None:

    owner = UUID(str(limited.id))
    at = datetime(2026, 1, 1, tzinfo=UTC)
    kept = history_store.KEPT_MAX
    made = [NumberChange(NUMBER, at, "limit", str(one), str(one + 1)) for one in range(kept + 5)]
    limited.service.transact(lambda tx: history_store.insert(tx, owner, made))
    found = limited.service.transact(lambda tx: load_history(tx, owner, NUMBER, 1000))
    assert (len(found), found[0].after, found[-1].before) == (kept, str(kept + 5), "5")


def test_who_reads_no_messages_reads_no_numbers(account: TestAccount) -> None:
    assert signed_in(account, "billing").get("/numbers").status == 403


def test_without_numbers_the_page_says_where_they_come_from(account: TestAccount) -> None:
    account.service.sql("DELETE FROM numbers WHERE account_id = $1 RETURNING number", account.id)
    assert "No numbers yet" in signed_in(account).get("/numbers").main
