"""clientMessageIds are forgotten after 72 hours, their messages are not."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from tests.support.clock import ManualClock
from tests.support.service import TestAccount, TestService, require_sound
from tidings import limits
from tidings.engine.db import sweep
from tidings.features.messages.accept import used_ids

KEPT = limits.USED_IDS_KEPT
MINUTE = timedelta(minutes=1)


def purge(service: TestService, later: timedelta) -> int:
    """So much later by the machine's clock, which makes the ids."""
    clock = ManualClock(datetime.now(UTC) + later)
    ctx = SimpleNamespace(db=service.ctx.db, clock=clock)
    return service.call(lambda: used_ids.purge(ctx))


def known(account: TestAccount) -> set[str]:
    rows = account.service.sql(
        "SELECT client_message_id AS id FROM idempotency_keys WHERE account_id = $1", account.id
    )
    return {row["id"] for row in rows}


def send(account: TestAccount, cid: str) -> dict:
    answer = account.send(
        clientMessageId=cid, to="972501234567", templateName="hello", templateParams=["x"]
    )
    assert answer.status_code in (200, 202), answer.text
    return answer.json()["data"]


def test_the_message_of_a_forgotten_id_is_still_found(
    account: TestAccount, service: TestService
) -> None:
    first = send(account, "order-0001")
    purge(service, KEPT + MINUTE)
    assert known(account) == set()
    assert account.status("order-0001")["messageId"] == first["messageId"]
    again = send(account, "order-0001")
    assert again["messageId"] != first["messageId"]
    purge(service, KEPT + MINUTE)
    assert account.status("order-0001")["messageId"] == again["messageId"], "the newest"
    require_sound(service)


def test_an_id_is_kept_for_72_hours_and_recognised(
    account: TestAccount, service: TestService
) -> None:
    first = send(account, "order-0001")
    purge(service, KEPT - MINUTE)
    again = send(account, "order-0001")
    assert (again["messageId"], again["duplicate"]) == (first["messageId"], True)


def test_every_block_of_the_table_is_read(
    account: TestAccount, service: TestService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "BLOCKS", 1)
    service.sql(
        """
        INSERT INTO idempotency_keys (account_id, client_message_id, message_id, used_at)
        SELECT $1, 'old-' || n, '00000000-0000-7000-8000-000000000000', now()
          FROM generate_series(1, 1000) AS n
        """,
        account.id,
    )
    send(account, "order-0001")
    assert purge(service, timedelta(0)) == 1000
    assert known(account) == {"order-0001"}
