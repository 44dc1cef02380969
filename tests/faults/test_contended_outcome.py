"""The platform has accepted a message, and others hold its row longer than a statement may wait."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from uuid import UUID

import pytest

from tests.support.platform import FakePlatform, served_by
from tests.support.service import GUEST, TestService
from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.platforms.port import DispatchResult, Send

HELD_SECONDS = limits.LOCK_TIMEOUT.total_seconds() + 0.5


class LockedAfterwards(FakePlatform):
    """While it answers, another transaction locks the message."""

    service: TestService

    async def send(self, sends: Sequence[Send]) -> list[DispatchResult]:
        locked = asyncio.Event()

        async def hold(tx: Tx) -> None:
            message_id = UUID(hex=sends[0].send_id[:32])
            await tx.row("SELECT FROM messages WHERE id = $1 FOR UPDATE", message_id)
            locked.set()
            await asyncio.sleep(HELD_SECONDS)

        self.holding_row = asyncio.create_task(self.service.ctx.db.transact(hold))
        await locked.wait()
        return await super().send(sends)


@pytest.fixture
def platform() -> LockedAfterwards:
    return LockedAfterwards()


@pytest.fixture
def service(platform: LockedAfterwards, tmp_path: Path) -> Iterator[TestService]:
    with served_by(platform, tmp_path) as running:
        platform.service = running
        yield running


def test_what_the_platform_responded_is_written_all_the_same(service: TestService) -> None:
    account = service.account()
    answer = account.send(clientMessageId="order-0001", to=GUEST, templateName="plain")
    assert answer.status_code == 200, answer.text
    assert account.status("order-0001")["status"] == "sent"
