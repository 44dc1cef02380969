"""Six attempts and no seventh, unless the account wants more when its URL answers (contract2 C)."""

import pytest
from structlog.testing import capture_logs

from tests.support.invitations import register
from tests.support.receiver import Receiver
from tests.support.service import TestAccount, TestService, require_sound
from tests.support.waiting import eventually
from tests.support.webhooks import ALL_SIX, outcomes, publish_events, wait_for_states


def exhaust(account: TestAccount, count: int = 1, **fields: str) -> list[str]:
    ids = publish_events(account, count, **fields)
    account.advance(seconds=ALL_SIX)
    return ids


@pytest.fixture
def resending(service: TestService, receiver: Receiver) -> TestAccount:
    """An account whose receiver fails at first, and that wants what failed sent again."""
    receiver.answer(500)
    return service.account(webhookUrl=receiver.url, resendWhenRecovered=True)


def test_after_the_sixth_attempt_there_is_no_seventh(
    failing_account: TestAccount, receiver: Receiver
) -> None:
    lost = exhaust(failing_account, 3)
    receiver.answer(200)
    publish_events(failing_account)
    failing_account.advance(days=2)
    publish_events(failing_account)
    failing_account.advance(seconds=1)
    states = [row["state"] for row in outcomes(failing_account)]
    assert states == ["failed"] * 3 + ["delivered"] * 2
    again = failing_account.post("/webhooks/failed/retry", {"since": "2000-01-01T00:00:00Z"})
    assert again.json()["data"]["queued"] == 3
    wait_for_states(failing_account, "delivered")
    requests = [h["X-Webhook-Id"] for h in receiver.requests]
    assert [requests.count(webhook_id) for webhook_id in lost] == [7, 7, 7]


def test_an_account_may_have_what_failed_sent_again_when_its_url_answers(
    resending: TestAccount, receiver: Receiver
) -> None:
    lost = exhaust(resending, 3)
    assert [row["state"] for row in outcomes(resending)] == ["failed"] * 3
    receiver.answer(200)
    [news] = publish_events(resending)
    requests = receiver.wait_for(3 * 6 + 4)[18:]
    assert [h["X-Webhook-Id"] for h in requests[:1]] == [news]
    assert sorted(h["X-Webhook-Id"] for h in requests[1:]) == sorted(lost)
    assert {h["X-Delivery-Attempt"] for h in requests} == {"1"}
    rows = wait_for_states(resending, "delivered")
    assert [(row["cycle"], len(row["attempts"])) for row in rows] == [(2, 7)] * 3 + [(1, 1)]
    receiver.verify(resending.secret, now=resending.service.clock.now().timestamp())
    require_sound(resending.service)


def test_each_recovery_of_the_url_starts_one_new_cycle(
    resending: TestAccount, receiver: Receiver
) -> None:
    [lost] = exhaust(resending)
    for _ in range(2):
        receiver.answers([200])
        publish_events(resending)
        resending.advance(seconds=ALL_SIX)
    mine = [h for h in receiver.requests if h["X-Webhook-Id"] == lost]
    assert [h["X-Delivery-Attempt"] for h in mine] == list("123456") * 3
    assert outcomes(resending)[0]["state"] == "failed"


def test_another_url_of_the_same_host_brings_nothing_back(
    resending: TestAccount, receiver: Receiver
) -> None:
    """It is the whole URL that must have answered, not its host."""
    exhaust(resending)
    receiver.answer(200)
    register(resending, "hall", callbackUrl=receiver.url_at("127.0.0.1", "/hall"))
    publish_events(resending, event_id="hall")
    resending.advance(seconds=1)
    assert [row["state"] for row in outcomes(resending)] == ["failed", "delivered"]
    publish_events(resending)
    resending.advance(seconds=1)
    assert {row["state"] for row in outcomes(resending)} == {"delivered"}


def test_a_url_recovers_while_another_of_its_host_has_answered_all_along(
    resending: TestAccount, receiver: Receiver
) -> None:
    exhaust(resending)
    receiver.answer(200)
    register(resending, "hall", callbackUrl=receiver.url_at("127.0.0.1", "/hall"))
    for _ in range(3):
        publish_events(resending, event_id="hall")
    resending.advance(seconds=1)
    publish_events(resending)
    resending.advance(seconds=1)
    assert {row["state"] for row in outcomes(resending)} == {"delivered"}


def test_more_than_one_page_is_sent_again(resending: TestAccount, receiver: Receiver) -> None:
    publish_events(resending, 1500)
    resending.service.sql("DELETE FROM jobs WHERE account_id = $1 RETURNING 1", resending.id)
    eventually(lambda: resending.service.ctx.limiters["webhooks"].claimed == 0)
    resending.service.sql(
        """
        UPDATE webhooks SET state = 'failed', failed_at = now() WHERE account_id = $1 RETURNING 1
        """,
        resending.id,
    )
    receiver.answer(200)
    before = len(receiver.requests)
    publish_events(resending)
    receiver.wait_for(before + 1501)
    wait_for_states(resending, "delivered")


def test_the_first_exhausted_event_of_an_account_is_a_warning(
    failing_account: TestAccount, service: TestService
) -> None:
    count = service.ctx.metrics.webhook_accounts_failing._value.get()
    with capture_logs() as logs:
        exhaust(failing_account)
        exhaust(failing_account)
    warnings = [entry for entry in logs if entry["event"] == "webhook.exhausted"]
    assert [entry["log_level"] for entry in warnings] == ["warning"]
    assert service.ctx.metrics.webhook_accounts_failing._value.get() == count + 1


def test_a_retry_of_all_takes_a_thousand_at_a_time(
    failing_account: TestAccount, receiver: Receiver
) -> None:
    publish_events(failing_account, 1200)
    failing_account.service.sql(
        "DELETE FROM jobs WHERE account_id = $1 RETURNING 1", failing_account.id
    )
    eventually(lambda: failing_account.service.ctx.limiters["webhooks"].claimed == 0)
    failing_account.service.sql(
        """
        UPDATE webhooks SET state = 'failed', failed_at = now()
         WHERE account_id = $1 RETURNING 1
        """,
        failing_account.id,
    )
    receiver.answer(200)
    since = {"since": "2000-01-01T00:00:00Z"}
    counts = []
    while True:
        queued = failing_account.post("/webhooks/failed/retry", since).json()["data"]
        counts.append((queued["queued"], queued["remaining"]))
        if not queued["remaining"]:
            break
    assert counts == [(1000, 200), (200, 0)]
    wait_for_states(failing_account, "delivered")
