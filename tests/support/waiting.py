"""Waiting for what another thread, process or task brings about."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import httpx

from tests.support.service import TestAccount, TestService
from tidings.engine.db.tx import Tx
from tidings.features.webhooks.feed import store as feed_store


def patiently(ask: Callable[[], httpx.Response], seconds: float = 200.0) -> httpx.Response:
    """Retry what was answered 503, as a customer does under load."""
    end = time.monotonic() + seconds
    while (answer := ask()).status_code == 503 and time.monotonic() < end:
        time.sleep(0.2)
    return answer


def settle(account: TestAccount, *pools: str) -> None:
    """Until the workers have looked at everything of an account that is due at this time."""
    service, names = account.service, list(pools or ("otp", "send", "timers"))
    query = """SELECT 1 FROM jobs
              WHERE account_id = $1 AND pool = ANY($2) AND dead_lettered_at IS NULL
                AND (leased OR due_at <= $3)"""

    async def wake() -> None:
        for name in names:
            service.service.workers[name].wake()

    def settled() -> bool:
        service.call(wake)
        return not service.sql(query, account.id, names, service.clock.now())

    eventually(settled)


def wait_for_feed(account: TestAccount) -> None:
    """Until the catch-up feed shows all events of an account that were written. It stops before the
    oldest transaction still running, such as one of a worker that a busy machine does not run."""

    async def is_complete(tx: Tx) -> bool:
        newest = await tx.row(
            """
            SELECT written_by::text::bigint, seq FROM webhooks
             WHERE account_id = $1 ORDER BY written_by DESC, seq DESC LIMIT 1
            """,
            account.id,
        )
        ends = await feed_store.find_ends(tx, [account.id])
        return newest is None or ends.get(account.id) == tuple(newest)

    eventually(lambda: account.service.transact(is_complete))


def wait_for_requests(service: TestService, count: int) -> None:
    """Until the service is answering so many requests at the same time."""
    eventually(lambda: service.ctx.metrics.traffic.in_flight >= count)


def eventually(check: Callable[[], object], seconds: float = 45.0) -> None:
    """Wait until it is so."""
    end = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < end, "it did not come to be so"
        time.sleep(0.02)


async def until(condition: Callable[[], Any], seconds: float = 30) -> None:
    """Wait for something to become so; `condition` may be a coroutine function."""
    async with asyncio.timeout(seconds):
        while True:
            result = condition()
            if await result if isinstance(result, Awaitable) else result:
                return
            await asyncio.sleep(0.005)
