"""When a dead endpoint answers again, what had been given up is tried afresh, once."""

import time

from structlog.testing import capture_logs

from tests.support.live import eventually
from tests.support.receiver import Receiver
from tests.support.service import TestAccount, TestService
from tests.support.webhook_calls import ALL_SIX
from tests.support.webhooks import outcomes, require_sound, set_address, tell, wait_for_states


def exhaust(account: TestAccount, count: int = 1, **fields: str) -> list[str]:
    ids = tell(account, count, **fields)
    account.advance(seconds=ALL_SIX)
    return ids


def test_what_failed_is_posted_again_when_the_endpoint_answers(
    unheard: TestAccount, receiver: Receiver
) -> None:
    lost = exhaust(unheard, 3)
    assert [row["state"] for row in outcomes(unheard)] == ["failed"] * 3
    receiver.answer(200)
    [news] = tell(unheard)
    heard = receiver.wait_for(3 * 6 + 4)[18:]
    assert [h["X-Webhook-Id"] for h in heard[:1]] == [news]
    assert sorted(h["X-Webhook-Id"] for h in heard[1:]) == sorted(lost)
    assert {h["X-Delivery-Attempt"] for h in heard} == {"1"}
    rows = wait_for_states(unheard, "delivered")
    assert [(row["cycle"], len(row["attempts"])) for row in rows] == [(2, 7)] * 3 + [(1, 1)]
    receiver.verify(unheard.secret)
    require_sound(unheard.service)


def test_each_is_tried_afresh_once_and_no_more(unheard: TestAccount, receiver: Receiver) -> None:
    [lost] = exhaust(unheard)
    for _ in range(3):
        receiver.answers([200])
        tell(unheard)
        unheard.advance(seconds=ALL_SIX)
    mine = [h for h in receiver.heard if h["X-Webhook-Id"] == lost]
    assert [h["X-Delivery-Attempt"] for h in mine] == list("123456") * 2
    assert outcomes(unheard)[0]["state"] == "failed"


def test_what_failed_more_than_a_day_ago_is_left_to_its_owner(
    unheard: TestAccount, receiver: Receiver
) -> None:
    exhaust(unheard)
    unheard.advance(hours=22)
    exhaust(unheard)
    receiver.answer(200)
    tell(unheard)
    unheard.advance(seconds=1)
    assert [row["state"] for row in outcomes(unheard)] == ["failed", "delivered", "delivered"]


def test_another_endpoint_of_the_account_revives_nothing(
    unheard: TestAccount, receiver: Receiver
) -> None:
    exhaust(unheard)
    with Receiver() as hall:
        set_address(unheard, "hall", hall.url)
        tell(unheard, event_id="hall")
        hall.wait_for(1)
        unheard.advance(seconds=1)
        time.sleep(0.1)
        assert [row["state"] for row in outcomes(unheard)] == ["failed", "delivered"]
        receiver.answer(200)
        tell(unheard, event_id="other")
        unheard.advance(seconds=1)
        assert {row["state"] for row in outcomes(unheard)} == {"delivered"}
        assert len(hall.heard) == 1


def test_more_than_one_page_is_revived(unheard: TestAccount, receiver: Receiver) -> None:
    tell(unheard, 1500)
    unheard.service.sql("DELETE FROM jobs WHERE account_id = $1 RETURNING 1", unheard.id)
    eventually(lambda: unheard.service.ctx.turns.claimed == 0)  # what was on its way has ended
    unheard.service.sql(
        """
        UPDATE webhooks SET state = 'failed', failed_at = now() WHERE account_id = $1 RETURNING 1
        """,
        unheard.id,
    )
    receiver.answer(200)
    before = len(receiver.heard)
    tell(unheard)
    receiver.wait_for(before + 1501)
    wait_for_states(unheard, "delivered")


def test_the_first_exhausted_event_of_an_account_is_a_warning(
    unheard: TestAccount, service: TestService
) -> None:
    count = service.ctx.metrics.webhook_accounts_failing._value.get()
    with capture_logs() as logs:
        exhaust(unheard)
        exhaust(unheard)
    warnings = [entry for entry in logs if entry["event"] == "webhooks.exhausted"]
    assert [entry["log_level"] for entry in warnings] == ["warning"]
    assert service.ctx.metrics.webhook_accounts_failing._value.get() == count + 1


def test_a_retry_of_all_takes_a_thousand_at_a_time(
    unheard: TestAccount, receiver: Receiver
) -> None:
    tell(unheard, 1200)
    unheard.service.sql("DELETE FROM jobs WHERE account_id = $1 RETURNING 1", unheard.id)
    eventually(lambda: unheard.service.ctx.turns.claimed == 0)  # what was on its way has ended
    unheard.service.sql(
        """
        UPDATE webhooks SET state = 'failed', failed_at = now(), revived = true
         WHERE account_id = $1 RETURNING 1
        """,
        unheard.id,
    )
    receiver.answer(200)
    since = {"since": "2000-01-01T00:00:00Z"}
    counts = []
    while True:
        told = unheard.post("/webhooks/failed/retry", since).json()["data"]
        counts.append((told["queued"], told["remaining"]))
        if not told["remaining"]:
            break
    assert counts == [(1000, 200), (200, 0)]
    wait_for_states(unheard, "delivered")
