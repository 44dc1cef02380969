"""An account that keeps people's data for so many days: older data goes daily, by its clock."""

import asyncio
from uuid import UUID

import pytest

from tests.support import persons
from tests.support.billing import charges, reapply
from tests.support.invitations import get_event, invite, register
from tests.support.persons import NAME, PERSON
from tests.support.service import TestAccount, TestService, require_sound
from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.features.privacy import retention
from tidings.features.privacy.erase import erase_person
from tidings.features.privacy.find import find_person

DAYS = 3


@pytest.fixture
def account(service: TestService) -> TestAccount:
    return persons.known_account(service, retentionDays=DAYS)


def enforce(service: TestService) -> None:
    service.call(lambda: retention.enforce(service.ctx))


def kinds(account: TestAccount) -> set[str]:
    owner = UUID(str(account.id))
    return {
        kept.kind for kept in account.service.transact(lambda tx: find_person(tx, owner, PERSON))
    }


def test_old_data_is_erased_and_new_data_kept(account: TestAccount, service: TestService) -> None:
    register(account, eventDate="2026-12-30T18:00:00Z")
    account.send(clientMessageId=f"old-{PERSON}", to=PERSON, templateName="hello",
                 templateParams=[NAME])  # fmt: skip
    account.reply(PERSON, f"I am {NAME}")
    before = charges(account)
    enforce(service)
    assert "messages" in kinds(account)
    account.advance(days=DAYS + 1)
    account.send(clientMessageId="new-0001", to=PERSON, templateName="hello", templateParams=["x"])
    enforce(service)
    assert account.status("new-0001")["to"] == PERSON
    assert persons.places_of(account, NAME) == set()
    assert kinds(account) <= {"messages", "contact", "charges", "events"}
    service.sql("DELETE FROM webhooks WHERE account_id = $1 RETURNING id", account.id)
    assert {kind for kind, _ in charges(account).values()} > set() and len(before) == 1
    require_sound(service)


def test_after_everything_is_over_nothing_is_left(
    account: TestAccount, service: TestService
) -> None:
    persons.fill_in(account)
    account.advance(days=60)
    reapply(account, "[accounts.subscription]\n", retentionDays=DAYS)
    account.advance(days=DAYS + 1)
    service.sql("UPDATE webhooks SET state = 'failed' WHERE account_id = $1 RETURNING id",
                account.id)  # fmt: skip
    enforce(service)
    left = persons.places_of(account, PERSON) | persons.places_of(account, NAME)
    assert left <= {"request_log.path", "request_log.body"}
    assert get_event(account)["replies"]["invited"] == 1
    require_sound(service)


def test_what_is_still_awaited_is_kept(account: TestAccount, service: TestService) -> None:
    register(account, eventDate="2027-06-01T18:00:00Z")
    invite(account, to=PERSON)
    persons.schedule(account)
    account.advance(days=DAYS + 1)
    enforce(service)
    assert account.status("invite-0001")["to"] == PERSON
    assert account.status("later-0001")["to"] == PERSON
    account.reply(PERSON, "yes")
    assert get_event(account)["replies"]["confirmed"] == 1


def test_it_runs_once_a_day(account: TestAccount, service: TestService) -> None:
    runs = "SELECT ran_at FROM retention_runs WHERE account_id = $1"
    enforce(service)
    [first] = service.sql(runs, account.id)
    account.advance(hours=23)
    enforce(service)
    assert service.sql(runs, account.id) == [first]
    account.advance(hours=1)
    enforce(service)
    assert service.sql(runs, account.id) != [first]


def test_without_a_setting_everything_is_kept(service: TestService) -> None:
    account = persons.known_account(service)
    account.send(clientMessageId="old-0001", to=PERSON, templateName="hello", templateParams=["x"])
    account.advance(days=300)
    enforce(service)
    assert account.status("old-0001")["to"] == PERSON


def test_an_erasure_that_was_interrupted_is_finished(
    account: TestAccount, service: TestService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted between two transactions: what was done stays, the rest follows."""
    monkeypatch.setattr(limits, "ERASURE_PAGE_ROWS", 2)
    for n in range(5):
        account.send(clientMessageId=f"many-000{n}", to=PERSON, templateName="hello",
                     templateParams=[NAME])  # fmt: skip
    service.transact(lambda tx: interrupt_after_a_page(tx, account))
    opened = "SELECT sealed IS NULL AS done FROM erasures WHERE account_id = $1"
    assert service.sql(opened, account.id) == [{"done": False}]
    assert "messages" in kinds(account)
    persons.finish(service)
    assert service.sql(opened, account.id) == [{"done": True}]
    assert persons.places_of(account, PERSON) == set()


async def interrupt_after_a_page(tx: Tx, account: TestAccount) -> None:
    """Cancel an erasure that waits for a message of its second page, which is locked here."""
    ctx, owner = account.service.ctx, UUID(str(account.id))
    await tx.rows("SELECT FROM messages WHERE account_id = $1 AND client_message_id = 'many-0003'"
                  " FOR UPDATE", owner)  # fmt: skip
    erasing = asyncio.create_task(erase_person(ctx, owner, PERSON, persons.COMMAND))
    erased = "SELECT FROM messages WHERE account_id = $1 AND recipient <> $2"
    while len(await tx.rows(erased, owner, PERSON)) < limits.ERASURE_PAGE_ROWS:
        await asyncio.sleep(0.01)
    erasing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await erasing
