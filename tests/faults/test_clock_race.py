"""A sandbox clock that advances while messages are accepted: none is left with the old time."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import asyncpg
import pytest

from tests.support.clock import STANDING
from tests.support.database import fresh_database
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.text import ahead

WAITING = """
    SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'
"""
USED = """
    INSERT INTO idempotency_keys (account_id, client_message_id, message_id, used_at)
    VALUES ($1, $2, $3, now())
"""


@pytest.fixture
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestService]:
    folder = tmp_path_factory.mktemp("d")
    with TestService(fresh_database(), folder, clock=STANDING) as running:
        yield running


@pytest.mark.parametrize("when", [{}, {"scheduledFor": ahead(days=2)}], ids=["now", "later"])
async def test_a_message_on_its_way_in_is_played_with_the_rest(
    service: TestService, when: dict[str, str]
) -> None:
    fields = {"clientMessageId": "order-0001", "to": GUEST, "templateName": "plain"} | when
    taken = False
    while not taken:
        account = service.account()
        with ThreadPoolExecutor(1) as hands:
            taken = await hold_the_id(service, account, hands, fields)
    assert account.status("order-0001")["status"] in ("sent", "delivered", "read")


async def hold_the_id(
    service: TestService, account: TestAccount, hands: ThreadPoolExecutor, fields: dict[str, str]
) -> bool:
    """A message has been read its time and waits for its clientMessageId, which another process
    gives up in the end; meanwhile the clock is moved. False if a slow machine took longer for
    that than a lock is waited for, and the message was refused."""
    connection = await asyncpg.connect(**service._dsn)
    loop = asyncio.get_running_loop()
    transaction = connection.transaction()
    async with asyncio.timeout(30):
        await transaction.start()
        await connection.execute(USED, account.id, fields["clientMessageId"], uuid4())
        sending = loop.run_in_executor(hands, lambda: account.send(**fields))
        while await connection.fetchval(WAITING) < 1:
            await asyncio.sleep(0.01)
        moving = asyncio.create_task(asyncio.to_thread(account.advance, days=8))
        while not moving.done() and await connection.fetchval(WAITING) < 2:
            await asyncio.sleep(0.01)
        await transaction.rollback()
    await connection.close()
    await moving
    answer = await sending
    assert answer.status_code in (200, 202, 503), answer.text
    return answer.status_code != 503
