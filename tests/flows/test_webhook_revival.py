"""When a dead endpoint answers again, what had been given up is tried afresh, once."""

import time
from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs

from tests.support.receiver import Receiver
from tests.support.service import TestAccount, TestService
from tests.support.webhooks import outcomes, require_sound, set_address, tell, wait_for_states

ALL_SIX = 3 * 3600  # seconds: longer than all waits together


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as listening:
        listening.answer(500)
        yield listening


@pytest.fixture
def account(service: TestService, receiver: Receiver) -> TestAccount:
    return service.account(webhookUrl=receiver.url)


def exhaust(account: TestAccount, count: int = 1, **fields: str) -> list[str]:
    ids = tell(account, count, **fields)
    account.advance(seconds=ALL_SIX)
    return ids


def test_what_failed_is_posted_again_when_the_endpoint_answers(
    account: TestAccount, receiver: Receiver
) -> None:
    lost = exhaust(account, 3)
    assert [row["state"] for row in outcomes(account)] == ["failed"] * 3
    receiver.answer(200)
    [news] = tell(account)
    heard = receiver.wait_for(3 * 6 + 4)[18:]
    assert [h["X-Webhook-Id"] for h in heard[:1]] == [news]
    assert sorted(h["X-Webhook-Id"] for h in heard[1:]) == sorted(lost)
    assert {h["X-Delivery-Attempt"] for h in heard} == {"1"}
    rows = wait_for_states(account, "delivered")
    assert [(row["cycle"], len(row["attempts"])) for row in rows] == [(2, 7)] * 3 + [(1, 1)]
    receiver.verify(account.secret)
    require_sound(account.service)


def test_each_is_tried_afresh_once_and_no_more(account: TestAccount, receiver: Receiver) -> None:
    [lost] = exhaust(account)
    for _ in range(3):
        receiver.answers([200])
        tell(account)
        account.advance(seconds=ALL_SIX)
    mine = [h for h in receiver.heard if h["X-Webhook-Id"] == lost]
    assert [h["X-Delivery-Attempt"] for h in mine] == list("123456") * 2
    assert outcomes(account)[0]["state"] == "failed"


def test_what_failed_more_than_a_day_ago_is_left_to_its_owner(
    account: TestAccount, receiver: Receiver
) -> None:
    exhaust(account)
    account.advance(hours=22)
    exhaust(account)
    receiver.answer(200)
    tell(account)
    account.advance(seconds=1)
    assert [row["state"] for row in outcomes(account)] == ["failed", "delivered", "delivered"]


def test_another_endpoint_of_the_account_revives_nothing(
    account: TestAccount, receiver: Receiver
) -> None:
    exhaust(account)
    with Receiver() as hall:
        set_address(account, "hall", hall.url)
        tell(account, event_id="hall")
        hall.wait_for(1)
        account.advance(seconds=1)
        time.sleep(0.1)
        assert [row["state"] for row in outcomes(account)] == ["failed", "delivered"]
        receiver.answer(200)
        tell(account, event_id="other")
        account.advance(seconds=1)
        assert {row["state"] for row in outcomes(account)} == {"delivered"}
        assert len(hall.heard) == 1


def test_more_than_one_page_is_revived(account: TestAccount, receiver: Receiver) -> None:
    tell(account, 1500)
    account.service.sql("DELETE FROM jobs WHERE account_id = $1 RETURNING 1", account.id)
    time.sleep(0.3)
    account.service.sql(
        """
        UPDATE webhooks SET state = 'failed', failed_at = now() WHERE account_id = $1 RETURNING 1
        """,
        account.id,
    )
    receiver.answer(200)
    before = len(receiver.heard)
    tell(account)
    receiver.wait_for(before + 1501, timeout=30)
    wait_for_states(account, "delivered", timeout=10)


def test_the_first_exhausted_event_of_an_account_is_a_warning(
    account: TestAccount, service: TestService
) -> None:
    count = service.ctx.metrics.webhook_accounts_failing._value.get()
    with capture_logs() as logs:
        exhaust(account)
        exhaust(account)
    warnings = [entry for entry in logs if entry["event"] == "webhooks.exhausted"]
    assert [entry["log_level"] for entry in warnings] == ["warning"]
    assert service.ctx.metrics.webhook_accounts_failing._value.get() == count + 1


def test_a_retry_of_all_takes_a_thousand_at_a_time(
    account: TestAccount, receiver: Receiver
) -> None:
    tell(account, 1200)
    account.service.sql("DELETE FROM jobs WHERE account_id = $1 RETURNING 1", account.id)
    time.sleep(0.3)
    account.service.sql(
        """
        UPDATE webhooks SET state = 'failed', failed_at = now(), revived = true
         WHERE account_id = $1 RETURNING 1
        """,
        account.id,
    )
    receiver.answer(200)
    since = {"since": "2000-01-01T00:00:00Z"}
    counts = []
    while True:
        told = account.post("/webhooks/failed/retry", since).json()["data"]
        counts.append((told["queued"], told["remaining"]))
        if not told["remaining"]:
            break
    assert counts == [(1000, 200), (200, 0)]
    wait_for_states(account, "delivered", timeout=20)
