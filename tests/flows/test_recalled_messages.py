"""A callback about a message that this process wrote last does not load it. The outcome is the
same, also where another process has changed the message since."""

import pytest

from tests.support.billing import SENT_ONLY, charges, phone, sent, subscribed
from tests.support.service import TestAccount, TestService, require_sound
from tests.support.text import account_now
from tidings.features.accounts.lookup import load_accounts
from tidings.features.senders.events import HEALTH
from tidings.features.webhooks.publish import Event, PublishedLately, publish
from tidings.platforms.port import StatusKind, StatusUpdate

CID = "order-00001"
EXPIRED = """
    UPDATE messages SET status = 'expired', never_delivered = true, refunded_at = now(),
           timeline = timeline || '[{"status": "expired", "at": "2026-01-01T00:00:00.000Z"}]'
     WHERE account_id = $1
"""


@pytest.fixture
def account(service: TestService) -> TestAccount:
    account = subscribed(service)
    assert sent(account, 1, SENT_ONLY)["status"] == "sent"
    return account


def find(account: TestAccount) -> tuple[dict, bool]:
    """The row, and whether this process has the message in memory."""
    [row] = account.service.sql("SELECT * FROM messages WHERE account_id = $1", account.id)
    recent = account.service.ctx.recent_messages
    return dict(row), recent.get((account.id, row["id"])) is not None


def report(account: TestAccount, *kinds: StatusKind) -> None:
    row, _ = find(account)
    updates = [
        StatusUpdate(
            platform_id=row["platform_id"], status=kind, at=account_now(account),
            send_id=f"{row['id'].hex}.1", failure=None, recipient="",
        )
        for kind in kinds
    ]  # fmt: skip
    lane = account.service.ctx.lanes.ingest
    results = account.service.call(lambda: lane.put_each([(account.id, one) for one in updates]))
    assert results == ["status"] * len(kinds)


def steps(account: TestAccount) -> list[str]:
    return [step["status"] for step in account.status(CID)["timeline"]]


def test_delivered_and_read_are_recorded_from_memory(account: TestAccount) -> None:
    assert find(account)[1]
    report(account, StatusKind.DELIVERED)
    assert find(account)[1]
    report(account, StatusKind.DELIVERED, StatusKind.READ, StatusKind.READ)
    assert not find(account)[1], "nothing more is reported about it"
    assert steps(account)[-3:] == ["sent", "delivered", "read"]
    assert charges(account) == {CID: ("UNIQUE", "SETTLED")}
    published = [event["data"]["status"] for event in account.events("message.status")]
    assert published == ["sent", "delivered", "read"]
    require_sound(account.service)


def test_the_webhooks_before_one_are_known_from_memory(account: TestAccount) -> None:
    report(account, StatusKind.DELIVERED)
    row, _ = find(account)
    lately = account.service.ctx.db.of_process(PublishedLately).get((account.id, row["id"]))
    stored = account.service.sql("SELECT id FROM webhooks WHERE message_id = $1", row["id"])
    assert lately == {one["id"] for one in stored}
    assert len(stored) == 2


def test_webhooks_published_at_the_same_time_are_all_remembered(account: TestAccount) -> None:
    row, _ = find(account)
    service = account.service

    async def publish_two() -> list[str]:
        published = []
        async with service.ctx.db.transaction() as one, service.ctx.db.transaction() as other:
            for tx in (one, other):
                whose = (await load_accounts(tx, [account.id]))[account.id]
                event = Event(whose, HEALTH, tx.now, HEALTH.example, row["id"])
                published += await publish(tx, [event])
        return published

    published = service.call(publish_two)
    lately = service.ctx.db.of_process(PublishedLately).get((account.id, row["id"]))
    assert lately is not None and lately > set(published)


def test_what_another_process_has_changed_is_loaded(account: TestAccount) -> None:
    account.service.sql(EXPIRED, account.id)
    report(account, StatusKind.DELIVERED)
    assert steps(account)[-3:] == ["sent", "expired", "delivered"]


def test_a_person_erased_by_another_process_is_not_named_again(account: TestAccount) -> None:
    account.service.sql("UPDATE messages SET recipient = 'gone' WHERE account_id = $1", account.id)
    report(account, StatusKind.DELIVERED)
    assert find(account)[0]["delivered_at"] is not None
    (delivered,) = [
        event["data"]
        for event in account.events("message.status")
        if event["data"]["status"] == "delivered"
    ]
    assert phone(1) not in str(delivered)


def test_a_process_that_has_forgotten_it_loads_it(account: TestAccount) -> None:
    row, _ = find(account)
    account.service.ctx.recent_messages.forget([(account.id, row["id"])])
    report(account, StatusKind.DELIVERED)
    assert steps(account)[-2:] == ["sent", "delivered"]
