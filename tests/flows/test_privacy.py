"""A person is found, exported and erased in every table; what money needs stays, without them."""

import json
from uuid import UUID

import pytest

from tests.support import persons
from tests.support.billing import charges
from tests.support.persons import NAME, PERSON
from tests.support.service import GUEST, TestAccount, TestService, require_sound
from tidings.features.accounts.lookup import load_accounts
from tidings.features.privacy.export import export_person
from tidings.features.privacy.find import find_person


@pytest.fixture
def account(service: TestService) -> TestAccount:
    return persons.known_account(service)


def found(account: TestAccount, phone: str = PERSON) -> dict[str, int]:
    owner = UUID(str(account.id))
    kept = account.service.transact(lambda tx: find_person(tx, owner, phone))
    return {one.kind: one.count for one in kept}


def exported(account: TestAccount, phone: str = PERSON) -> dict[str, list[dict[str, object]]]:
    async def work() -> str:
        ctx, owner = account.service.ctx, UUID(str(account.id))
        known = (await ctx.db.transact(lambda tx: load_accounts(tx, [owner])))[owner]
        return "".join([part async for part in export_person(ctx, known, phone)])

    return json.loads(account.service.call(work))


def test_a_person_is_found_by_number(account: TestAccount) -> None:
    assert found(account) == {}
    persons.fill_in(account)
    kept = found(account)
    assert (kept["messages"], kept["invitations"], kept["forms"]) == (5, 1, 1)
    assert (kept["replies"], kept["files"], kept["answers"]) == (3, 1, 4)
    assert {"conversations", "contact", "charges", "events"} <= kept.keys()
    assert "optout" not in kept
    assert found(account, GUEST) == {}


def test_the_export_has_everything(account: TestAccount) -> None:
    persons.fill_in(account)
    whole = exported(account)
    assert whole["number"] == PERSON
    assert {one["clientMessageId"] for one in whole["messages"]} > {
        f"{kind}-{PERSON}" for kind in ("hello", "invite", "photo", "visit")
    }
    assert whole["replies"][0]["at"] and whole["links"][0]["url"] == f"https://example.com/{NAME}"
    assert NAME in str(whole["forms"]) and NAME in str(whole["invitations"])
    assert len(whole["events"]) == found(account)["events"]
    assert exported(account, GUEST)["messages"] == []


def test_nothing_is_left_of_an_erased_person(account: TestAccount, service: TestService) -> None:
    persons.fill_in(account)
    persons.fill_in(other := persons.known_account(service), GUEST)
    before = charges(account)
    assert len(persons.places_of(account, PERSON)) > 10
    erased = persons.erase(account)
    assert erased.is_complete and erased.messages == 5
    assert found(account) == {}
    persons.finish(service)
    assert persons.places_of(account, PERSON) == set()
    assert found(other, GUEST)["messages"] == 5
    assert sorted(charges(account).values()) == sorted(before.values())
    require_sound(service)


def test_a_call_that_is_logged_after_the_erasure_is_found_and_nothing_new_is_erased(
    account: TestAccount, service: TestService
) -> None:
    persons.erase(account)
    account.get(f"/messages/hello-{PERSON}")  # as one that was under way
    service.call(service.service.recorder.flush)
    assert persons.places_of(account, PERSON) == {"request_log.path"}
    persons.schedule(account)
    persons.finish(service)
    assert "request_log.path" not in persons.places_of(account, PERSON)
    assert account.status("later-0001")["status"] == "scheduled"
    opened = "SELECT 1 FROM erasures WHERE account_id = $1 AND sealed IS NOT NULL"
    assert service.sql(opened, account.id) == []


def test_the_texts_of_an_erased_person_are_gone(account: TestAccount, service: TestService) -> None:
    service.sql("DELETE FROM webhooks RETURNING id")
    only = f"{NAME}-only"
    account.send(clientMessageId="hello-0001", to=PERSON, templateName="hello",
                 templateParams=[only])  # fmt: skip
    account.reply(PERSON, f"It is me, {only}")
    assert persons.places_of(account, only)
    persons.erase(account)
    assert persons.places_of(account, only) == set()
    status = account.status("hello-0001")
    assert status["to"].startswith("erased-") and only not in str(status)


def test_the_uploaded_file_of_one_person_is_removed_that_of_many_is_not(
    account: TestAccount, service: TestService
) -> None:
    persons.fill_in(account)
    files = "SELECT count(*) AS n FROM media WHERE account_id = $1"
    assert service.sql(files, account.id) == [{"n": 1}]
    [row] = service.sql("SELECT id FROM media WHERE account_id = $1", account.id)
    shared = f"med_{row['id'].hex}"
    account.reply(GUEST, "hello")
    answer = account.send(
        clientMessageId="photo-shared", to=GUEST, mediaId=shared, type="image", message="Us"
    )
    assert answer.status_code == 200, answer.text
    persons.erase(account)
    assert service.sql(files, account.id) == [{"n": 1}]
    persons.erase(account, GUEST)
    assert service.sql(files, account.id) == [{"n": 0}]


def test_what_waits_is_cancelled_and_refunded_first(
    account: TestAccount, service: TestService
) -> None:
    persons.schedule(account)
    erased = persons.erase(account)
    assert (erased.cancelled, erased.messages) == (1, 1)
    assert account.status("later-0001")["status"] == "cancelled"
    assert {state for _, state in charges(account).values()} == {"REFUNDED"}
    require_sound(service)


def test_an_opt_out_outlives_the_person(account: TestAccount) -> None:
    persons.fill_in(account)
    account.reply(PERSON, "STOP")
    persons.erase(account)
    assert found(account) == {"optout": 1}
    assert (
        account.send(
            clientMessageId="again-0001", to=PERSON, templateName="hello", templateParams=["x"]
        ).json()["data"]["status"]
        == "failed"
    )


def test_erasing_twice_is_as_erasing_once(account: TestAccount, service: TestService) -> None:
    persons.fill_in(account)
    first, second = persons.erase(account), persons.erase(account)
    assert first.messages == 5 and second.messages == 0
    assert first.pseudonym != second.pseudonym
    assert PERSON not in first.pseudonym
    [entry, _] = service.sql(
        "SELECT subject FROM audit_log WHERE account_id = $1 AND action = 'person.erased'"
        " ORDER BY id",
        account.id,
    )
    assert entry == {"subject": first.pseudonym}


def test_they_can_be_written_to_and_erased_again(
    account: TestAccount, service: TestService
) -> None:
    for _ in range(2):
        account.send(clientMessageId="hello-0001", to=PERSON, templateName="hello",
                     templateParams=[NAME])  # fmt: skip
        service.sql("DELETE FROM idempotency_keys WHERE account_id = $1 RETURNING 1", account.id)
        persons.erase(account)
    assert found(account) == {}
    require_sound(service)
