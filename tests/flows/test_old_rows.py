"""What has no months of its own is deleted in pages, 13 months after it was last needed."""

from typing import Any

import pytest

from tests.support.billing import at, phone, sent, subscribed
from tests.support.invitations import invite, register
from tests.support.persons import erase, finish
from tests.support.retention import retain
from tests.support.service import GUEST, TestAccount, TestService, require_sound
from tests.support.waiting import settle
from tidings import limits
from tidings.ids import first_id

MONTHS_15 = 470  # days


@pytest.fixture
def account(service: TestService, monkeypatch: pytest.MonkeyPatch) -> TestAccount:
    monkeypatch.setattr(limits, "RETENTION_PAGE_ROWS", 2)
    return subscribed(service, unique=50, followup=50)


def rows(account: TestAccount, table: str) -> int:
    query = f"SELECT count(*) AS n FROM {table} WHERE account_id = $1"
    [row] = account.service.sql(query, account.id)
    found: int = row["n"]
    return found


def link(account: TestAccount, **fields: Any) -> str:
    answer = account.post("/links", {"url": "https://example.com/menu", **fields})
    assert answer.status_code in (200, 201), answer.text
    code: str = answer.json()["data"]["code"]
    return code


def test_replies_go_after_13_months(account: TestAccount, service: TestService) -> None:
    for n in range(5):
        account.reply(phone(n), "Hello")
    account.advance(days=300)
    retain(service)
    assert rows(account, "inbound") == 5
    account.advance(days=MONTHS_15 - 300)
    account.reply(phone(1), "Hello again")
    retain(service)
    assert rows(account, "inbound") == 1
    require_sound(service)


def test_an_event_goes_13_months_after_it_with_its_guests(
    account: TestAccount, service: TestService
) -> None:
    register(account, "past", eventDate=at(days=30))
    register(account, "to-come", eventDate=at(days=900))
    invite(account, eventId="past")
    account.advance(days=300)
    retain(service)
    assert rows(account, "events") == 2
    account.advance(days=MONTHS_15 - 200)
    service.sql("UPDATE webhooks SET state = 'delivered' WHERE account_id = $1", account.id)
    service.sql("DELETE FROM jobs WHERE account_id = $1 AND pool = 'webhooks'", account.id)
    retain(service)
    assert account.get("/events/past").status_code == 404
    assert account.get("/events/to-come").status_code == 200
    assert rows(account, "callback_urls") == 1
    assert (rows(account, "invitations"), rows(account, "messages")) == (0, 0)


def test_an_event_that_was_moved_stays(account: TestAccount, service: TestService) -> None:
    register(account, "moved", eventDate=at(days=30))
    register(account, "moved", eventDate=at(days=600))
    account.advance(days=MONTHS_15)
    retain(service)
    assert account.get("/events/moved").status_code == 200


def test_a_batch_goes_after_its_messages(account: TestAccount, service: TestService) -> None:
    items = [
        {"clientMessageId": f"bulk-{n}", "to": phone(n), "templateName": "plain"} for n in range(3)
    ]
    answer = account.post("/messages/bulk", {"batchName": "News", "messages": items})
    assert answer.status_code in (200, 202), answer.text
    settle(account)
    batch = answer.json()["data"]["batchId"]
    account.advance(days=300)
    retain(service)
    assert account.get(f"/batches/{batch}").status_code == 200
    account.advance(days=MONTHS_15 - 300)
    retain(service)
    assert account.get(f"/batches/{batch}").status_code == 404
    require_sound(service)


def test_links_go_when_nobody_has_used_them_for_13_months(
    account: TestAccount, service: TestService
) -> None:
    idle, expired = link(account), link(account, expiresAt=at(days=2))
    lasting, opened = link(account, expiresAt=at(days=900)), link(account)
    account.advance(days=300)
    query = """UPDATE links SET clicks = 1, first_click_at = created_at + interval '250 days',
                      last_click_at = created_at + interval '250 days' WHERE code = $1"""
    service.sql(query, opened)
    account.advance(days=MONTHS_15 - 300)
    retain(service)
    found = {code: account.get(f"/links/{code}").status_code for code in (idle, expired, lasting)}
    assert found == {idle: 404, expired: 404, lasting: 200}
    assert account.get(f"/links/{opened}").status_code == 200


def test_the_audit_log_and_erasures_go_after_7_years(
    account: TestAccount, service: TestService
) -> None:
    sent(account, 1, GUEST)
    erase(account, GUEST)
    finish(service)
    before = rows(account, "audit_log"), rows(account, "erasures")
    retain(service)
    assert (rows(account, "audit_log"), rows(account, "erasures")) == before
    eight_years_ago = first_id(service.clock.now().replace(year=service.clock.now().year - 8))
    for table in ("audit_log", "erasures"):
        one = f"SELECT id FROM {table} WHERE account_id = $1 LIMIT 1"
        query = f"UPDATE {table} SET id = $2 WHERE account_id = $1 AND id IN ({one})"
        service.sql(query, account.id, eight_years_ago)
    account.advance(days=1)
    retain(service)
    assert (rows(account, "audit_log"), rows(account, "erasures")) == (before[0] - 1, 0)
