"""What people settle is kept as labelled replies, only where the account agreed to it."""

import asyncio
from typing import Any
from uuid import UUID

import pytest

from tests.support import persons
from tests.support.billing import at, reapply
from tests.support.invitations import invite, register, reply, settle
from tests.support.persons import PERSON
from tests.support.retention import retain
from tests.support.service import GUEST, TestAccount, TestService, require_sound
from tidings.features.privacy import retention
from tidings.features.replies import kept_readings

WORDS = "we'll see\twhat the\nbaby says"


@pytest.fixture
def account(service: TestService) -> TestAccount:
    return asked(service.account(keepReadings=True))


def asked(account: TestAccount, to: str = GUEST, text: str = WORDS) -> TestAccount:
    """A guest was invited, and wrote something unclear."""
    register(account, eventDate=at(days=20))
    invite(account, to=to)
    reply(account, to, text=text)
    return account


def kept(account: TestAccount) -> list[dict[str, Any]]:
    return account.service.sql(
        "SELECT * FROM kept_readings WHERE account_id = $1 ORDER BY replied_at", account.id
    )


def exported(account: TestAccount) -> str:
    service, owner = account.service, UUID(str(account.id))

    async def work() -> str:
        return "".join([part async for part in kept_readings.export_lines(service.ctx.db, owner)])

    return service.call(work)


def test_without_consent_nothing_is_kept(service: TestService) -> None:
    account = asked(service.account())
    settle(account, "yes", guests=3)
    assert kept(account) == []
    assert exported(account) == "text\tanswer\tguests\n"


def test_a_settled_reply_is_kept_with_what_the_reader_said(account: TestAccount) -> None:
    settle(account, "yes", guests=3)
    [row] = kept(account)
    assert (row["text"], row["answer"], row["guests"]) == (WORDS, "yes", 3)
    assert (row["language"], row["read_as"], row["phone"]) == ("en", None, GUEST)
    assert 0 <= row["confidence"] < 0.7 and row["settled_at"] >= row["replied_at"]
    assert exported(account) == ("text\tanswer\tguests\nwe'll see what the baby says\tyes\t3\n")
    require_sound(account.service)


def test_the_same_words_are_kept_once_with_the_later_answer(account: TestAccount) -> None:
    settle(account, "yes", guests=3)
    settle(account, "yes", guests=3)
    settle(account, "no")
    [row] = kept(account)
    assert (row["answer"], row["guests"]) == ("no", None)
    account.advance(minutes=1)
    reply(account, text="hm, who knows")
    settle(account, "yes")
    assert exported(account).splitlines()[1:] == [
        "we'll see what the baby says\tno\t-", "hm, who knows\tyes\t-"
    ]  # fmt: skip


def test_what_has_no_words_is_not_kept(service: TestService) -> None:
    account = service.account(keepReadings=True)
    register(account)
    invite(account)
    settle(account, "no")
    reply(account, media={"type": "image"})
    settle(account, "yes")
    assert kept(account) == []


def test_a_settling_that_is_refused_keeps_nothing(account: TestAccount) -> None:
    refused = account.post(f"/events/wedding/guests/{GUEST}/answer", {"answer": "yes", "guests": 0})
    assert refused.status_code == 400
    assert kept(account) == []


def test_whoever_withdraws_the_consent_keeps_nothing_of_before(account: TestAccount) -> None:
    settle(account, "no")
    reapply(account, keepReadings=True, readerPrecision=0.95)
    assert len(kept(account)) == 1
    reapply(account)
    assert kept(account) == []
    settle(account, "yes")
    reapply(account, keepReadings=True)
    assert kept(account) == []


def test_a_settling_under_way_while_the_consent_ends_leaves_nothing(account: TestAccount) -> None:
    """Whichever commits first: the row of the account decides."""
    service = account.service

    async def both() -> None:
        await asyncio.gather(
            asyncio.to_thread(settle, account, "no"), asyncio.to_thread(reapply, account)
        )

    asyncio.run(both())
    assert kept(account) == []
    require_sound(service)


def test_an_erased_person_takes_them_along_and_no_other(service: TestService) -> None:
    account = asked(service.account(keepReadings=True), PERSON)
    invite(account, "invite-0002", GUEST)
    reply(account, text="perhaps")
    settle(account, "no", PERSON)
    settle(account, "no")
    persons.erase(account)
    assert [row["phone"] for row in kept(account)] == [GUEST]
    persons.finish(service)
    assert persons.places_of(account, PERSON) == set()


def test_another_account_never_sees_them(account: TestAccount, service: TestService) -> None:
    other = asked(service.account(keepReadings=True), text="no idea yet")
    settle(account, "yes")
    settle(other, "no")
    assert "baby" in exported(account) and "no idea" not in exported(account)
    assert "no idea" in exported(other) and "baby" not in exported(other)
    reapply(other)
    assert len(kept(account)) == 1


def test_they_go_with_the_texts_of_replies(account: TestAccount, service: TestService) -> None:
    settle(account, "yes")
    account.advance(days=89)
    retain(service)
    assert len(kept(account)) == 1
    account.advance(days=2)
    retain(service)
    assert kept(account) == []


def test_they_go_after_the_accounts_own_time(service: TestService) -> None:
    account = asked(service.account(keepReadings=True, retentionDays=3))
    settle(account, "yes")
    account.advance(days=4)
    service.call(lambda: retention.enforce(service.ctx))
    assert kept(account) == []
