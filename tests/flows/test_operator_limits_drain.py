"""TIDINGS_DRAIN_SECONDS: what is under way when a process is asked to stop may take as long."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import asyncpg

from tests.support.batches import cid, item, submit
from tests.support.database import Dsn, fresh_database
from tests.support.loops import HurriedLoop
from tests.support.platform import FakePlatform
from tests.support.service import TestService
from tests.support.waiting import eventually
from tidings.cli.running.supervisor import shutdown_max
from tidings.limits import SHUTDOWN_DRAIN
from tidings.settings import Settings

SINGLE, WORKERS = "972501234001", "972501234002"
LONGER = 10 + SHUTDOWN_DRAIN.seconds  # what is set by default


def let_pass(service: TestService, seconds: int) -> None:
    """By the loop, in steps that no statement under way takes for the end of its time."""

    async def skip() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, HurriedLoop)
        loop.skip(2)

    for _ in range(0, seconds, 2):
        service.call(skip)
        time.sleep(0.02)  # in which timers go off


async def find_status(dsn: Dsn, cid: str) -> Any:
    connection = await asyncpg.connect(**dsn)
    query = "SELECT status FROM messages WHERE client_message_id = $1"
    status = await connection.fetchval(query, cid)
    await connection.close()
    return status


def test_a_request_and_then_a_send_may_take_longer_than_without_it(tmp_path: Path) -> None:
    dsn, platform = fresh_database(), FakePlatform()
    stopping = TestService(
        dsn,
        tmp_path,
        platforms={"sandbox": platform},
        settings={"TIDINGS_DRAIN_SECONDS": "600"},
        new_loop=HurriedLoop,
    )
    with stopping, ThreadPoolExecutor(1) as pool, platform.holding(WORKERS):
        account = stopping.account()
        submit(account, [item(2, to=WORKERS)])
        with platform.holding(SINGLE):
            answer = pool.submit(account.send, **item(1, to=SINGLE))
            eventually(lambda: len(platform.sends) == 2)
            stopping.begin_close()
            let_pass(stopping, LONGER)
            assert not answer.done()
        assert answer.result().json()["data"]["status"] == "sent"
        let_pass(stopping, LONGER)
    assert asyncio.run(find_status(dsn, cid(2))) == "sent", "neither cut off nor left unknown"


def test_the_supervisor_kills_nobody_before() -> None:
    settings = Settings.from_env({"TIDINGS_DRAIN_SECONDS": "600"})
    assert shutdown_max(settings) > timedelta(seconds=600)
