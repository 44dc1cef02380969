"""Texts of messages and replies go after 90 days; all else of them stays."""

import pytest

from tests.support.billing import at, charges
from tests.support.invitations import get_event, invite, register
from tests.support.persons import NAME, PERSON, known_account, places_of
from tests.support.retention import retain
from tests.support.service import TestAccount, TestService, require_sound
from tidings import limits

TEXTS = {
    "messages.content",
    "inbound.text",
    "inbound.raw",
    "invitations.reply_text",
    "invitations.unclear",
}


def write(account: TestAccount) -> None:
    register(account, eventDate=at(days=5))
    account.send(clientMessageId="old-0001", to=PERSON, templateName="hello",
                 templateParams=[NAME], meta={"table": 7})  # fmt: skip
    invite(account, to=PERSON, templateParams=[NAME, "Sunday"])
    account.reply(PERSON, f"Who is asking? {NAME}")
    account.reply(PERSON, "yes")
    account.advance(seconds=5)


@pytest.fixture
def account(service: TestService, monkeypatch: pytest.MonkeyPatch) -> TestAccount:
    monkeypatch.setattr(limits, "RETENTION_PAGE_ROWS", 1)
    return known_account(service)


def texts(account: TestAccount) -> set[str]:
    return places_of(account, NAME) & TEXTS


def test_after_90_days_the_words_are_gone_and_the_facts_stay(
    account: TestAccount, service: TestService
) -> None:
    write(account)
    before = account.status("old-0001"), charges(account), get_event(account)["replies"]
    account.advance(days=89)
    retain(service)
    assert {"messages.content", "inbound.raw"} <= texts(account)
    account.advance(days=7)  # the event was over a few days after the messages
    retain(service)
    assert texts(account) == set()
    after = account.status("old-0001")
    assert (after["to"], after["status"], after["meta"]) == (
        PERSON,
        before[0]["status"],
        {"table": 7},
    )
    assert (charges(account), get_event(account)["replies"]) == before[1:]
    require_sound(service)


def test_what_still_waits_keeps_its_text_until_it_is_sent(
    account: TestAccount, service: TestService
) -> None:
    account.send(clientMessageId="waits-0001", to=PERSON, templateName="hello",
                 templateParams=[NAME], scheduledFor=at(days=100))  # fmt: skip
    write(account)
    account.advance(days=96)
    retain(service)
    query = "SELECT content::text AS text FROM messages WHERE account_id = $1 ORDER BY id"
    [waiting, *others] = service.sql(query, account.id)
    assert NAME in waiting["text"] and NAME not in str(others)
    account.advance(days=96)
    retain(service)
    assert texts(account) == set()


@pytest.mark.parametrize(("days", "left"), [(200, True), (3, False)])
def test_an_accounts_own_days_decide(service: TestService, days: int, left: bool) -> None:
    account = known_account(service, retentionDays=days)
    write(account)
    account.advance(days=days - 1 if left else days + 6)
    retain(service)
    assert bool(texts(account)) == left
