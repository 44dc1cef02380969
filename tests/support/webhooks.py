"""Webhooks for tests: published without a message, run by hand, looked at in the database."""

import asyncio
import json
import time
from typing import Any

from tests.support.service import TestAccount, TestService
from tidings.doctor import check
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job
from tidings.engine.queue.claim import Claimer, EqualShares
from tidings.engine.queue.claim_store import AccountJobs
from tidings.features.accounts.lookup import load_accounts
from tidings.features.senders.events import HEALTH
from tidings.features.webhooks import addresses
from tidings.features.webhooks.publish import Event, publish


def publish_events(account: TestAccount, count: int = 1, **fields: Any) -> list[str]:
    """Publish so many events of an account at once; their webhook ids."""
    values = {"kind": HEALTH, "data": HEALTH.example} | fields

    async def work(tx: Tx) -> list[str]:
        whose = (await load_accounts(tx, [account.id]))[account.id]
        now = whose.now(tx.now)
        return await publish(tx, [Event(account=whose, at=now, **values) for _ in range(count)])

    return account.service.transact(work)


def set_address(account: TestAccount, event_id: str, url: str) -> None:
    account.service.transact(lambda tx: addresses.set_address(tx, account.id, event_id, url))


def claim(account: TestAccount) -> list[Job]:
    """What is due of the account's webhooks, as a worker would take it."""
    claimer = Claimer(AccountJobs(account.id, ["webhooks"]))
    claimed = account.service.transact(lambda tx: claimer.claim(tx, EqualShares(100)))
    return claimed.jobs


def run(account: TestAccount, jobs: list[Job]) -> None:
    executor = account.service.ctx.clock_executor

    async def work() -> None:
        await asyncio.gather(*executor.start(jobs, len(jobs)))

    account.service.call(work)


def outcomes(account: TestAccount) -> list[dict[str, Any]]:
    """Every webhook of the account with its state and attempts, in order."""
    rows = account.service.sql(
        "SELECT id, state, cycle, attempts FROM webhooks WHERE account_id = $1 ORDER BY seq",
        account.id,
    )
    return [row | {"attempts": json.loads(row["attempts"])} for row in rows]


def wait_for_states(
    account: TestAccount, *states: str, timeout: float = 30
) -> list[dict[str, Any]]:
    """As soon as all its webhooks are in one of these states."""
    end = time.monotonic() + timeout
    while True:
        found = outcomes(account)
        if all(row["state"] in states for row in found):
            return found
        assert time.monotonic() < end, [row["state"] for row in found]
        time.sleep(0.02)


def require_sound(service: TestService) -> None:
    """`tidings doctor` has nothing to say."""
    assert service.call(lambda: check(service.ctx.db)) == []
