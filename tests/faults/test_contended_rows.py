"""Others hold a row longer than a statement may wait: what needs it goes on all the same."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.support.batches import item, received, submit
from tests.support.commands import commands
from tests.support.platform import FakePlatform, served_by
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.waiting import eventually
from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.platforms.port import DispatchResult, Send

HELD_SECONDS = limits.LOCK_TIMEOUT.total_seconds() + 1.5
WITHIN_SECONDS = limits.JOB_LEASE.total_seconds() / 3  # no lease needs to expire


class Holder:
    """A transaction that locks all rows of a table for a while."""

    def __init__(self, service: TestService, table: str = "messages") -> None:
        self._service = service
        self._table = table

    async def hold(self) -> None:
        """Returns once they are locked."""
        locked = asyncio.Event()

        async def work(tx: Tx) -> None:
            await tx.rows(f"SELECT FROM {self._table} FOR UPDATE")
            locked.set()
            await asyncio.sleep(HELD_SECONDS)

        self._holding = asyncio.create_task(self._service.ctx.db.transact(work))
        await locked.wait()


class LocksMeanwhile(FakePlatform):
    """While it answers, its message is locked."""

    holder: Holder | None = None

    async def send(self, sends: Sequence[Send]) -> list[DispatchResult]:
        if self.holder is not None:
            await self.holder.hold()
        return await super().send(sends)


@pytest.fixture
def platform() -> LocksMeanwhile:
    return LocksMeanwhile()


@pytest.fixture
def service(platform: LocksMeanwhile, tmp_path: Path) -> Iterator[TestService]:
    with served_by(platform, tmp_path) as running:
        yield running


def send(account: TestAccount) -> str:
    answer = account.send(clientMessageId="order-0001", to=GUEST, templateName="plain")
    assert answer.status_code in (200, 202), answer.text
    status: str = answer.json()["data"]["status"]
    return status


def test_what_the_platform_responded_is_written(
    service: TestService, platform: LocksMeanwhile
) -> None:
    platform.holder = Holder(service)
    assert send(service.account()) == "sent"


def test_a_worker_that_cannot_lock_its_messages_gives_their_jobs_back(
    service: TestService, platform: LocksMeanwhile
) -> None:
    tidings = commands(service)
    account = service.account()
    tidings("sending", "pause").good()
    assert send(account) == "deferred"
    service.call(Holder(service).hold)
    tidings("sending", "resume").good()
    eventually(lambda: account.status("order-0001")["status"] == "sent", WITHIN_SECONDS)
    assert platform.count(GUEST) == 1


def test_a_batch_that_is_locked_when_its_last_message_is_sent_completes(
    service: TestService,
) -> None:
    tidings = commands(service)
    account = service.account()
    tidings("sending", "pause").good()
    batch_id = submit(account, [item(1)])["batchId"]
    service.call(Holder(service, "batches").hold)
    tidings("sending", "resume").good()
    eventually(lambda: received(account, "batch.completed", batch_id), WITHIN_SECONDS)
    assert service.sql("SELECT FROM jobs WHERE crashes > 0") == []
