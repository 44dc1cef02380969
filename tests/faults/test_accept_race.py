"""Transactions that accept for one account at the same time: side by side, and exactly."""

import asyncio
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

import asyncpg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.clock import STANDING
from tests.support.database import fresh_database
from tests.support.service import TestAccount, TestService
from tidings.engine.db.errors import Conflict
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.accounts.clocks import move_clocks
from tidings.features.messages.accept.accept import Accepted, accept
from tidings.features.messages.model import MessageRequest, TemplateRequest

NUMBERS = ("972555000001", "972555000002", "972555000003")
FIRST, SECOND, _ = NUMBERS
STEP = timedelta(seconds=0.1)
AT_ONCE = 8  # fewer than there are connections: on a busy machine others would wait in vain for one


def numbers(more: str = "") -> str:
    return "".join(
        f'[[accounts.numbers]]\nnumber = "{number}"\nperSecond = 10\n{more}' for number in NUMBERS
    )


@pytest.fixture
def service(tmp_path: Path) -> Iterator[TestService]:
    with TestService(fresh_database(), tmp_path, clock=STANDING, working=False) as running:
        yield running


def request_of(account: TestAccount, n: int, sent_from: str | None = FIRST) -> MessageRequest:
    return MessageRequest(
        account_id=UUID(str(account.id)),
        client_message_id=f"order-{n:04}",
        to=f"97250{n:07}",
        template=TemplateRequest("plain"),
        sent_from=sent_from,
        from_policy="strict" if sent_from else None,
    )


async def accept_one(service: TestService, tx: Tx, request: MessageRequest) -> Accepted:
    (accepted,) = (await accept(service.ctx, tx, [request])).results
    assert isinstance(accepted, Accepted)
    return accepted


async def patiently(service: TestService, request: MessageRequest) -> Accepted:
    """On a busy machine a queue of eight for one number takes longer than a statement may wait."""
    return await service.ctx.db.transact_patiently(lambda tx: accept_one(service, tx, request))


async def fill_caches(service: TestService, account: TestAccount) -> None:
    """So that the next transaction sends nothing before its end but one query."""
    await service.ctx.db.transact(lambda tx: accept_one(service, tx, request_of(account, 0)))


def slot_of(accepted: Accepted) -> datetime:
    assert accepted.claimed is not None
    assert accepted.claimed.slot is not None
    return accepted.claimed.slot


def test_a_number_that_is_held_does_not_delay_another(service: TestService) -> None:
    account = service.account(numbers())

    async def send_beside_it() -> tuple[str, str]:
        db, later = service.ctx.db, request_of(account, 3)
        async with db.transaction() as held:
            await accept_one(service, held, request_of(account, 1))
            await held.flush()  # holds the row of its number until the end
            beside = await db.transact(
                lambda tx: accept_one(service, tx, request_of(account, 2, SECOND))
            )
        after = await db.transact(lambda tx: accept_one(service, tx, later))
        return beside.message.number or "", after.message.number or ""

    assert service.call(send_beside_it) == (SECOND, FIRST)


def test_of_two_that_read_the_same_slot_one_is_refused(service: TestService) -> None:
    account = service.account(numbers())

    async def race() -> list[datetime]:
        db = service.ctx.db
        await fill_caches(service, account)
        with pytest.raises(Conflict):
            async with db.transaction() as slower:
                await accept_one(service, slower, request_of(account, 1))
                winner = await db.transact(
                    lambda tx: accept_one(service, tx, request_of(account, 2))
                )
        again = await db.transact(lambda tx: accept_one(service, tx, request_of(account, 1)))
        return [slot_of(winner), slot_of(again)]

    first, second = service.call(race)
    assert second - first == STEP


def test_after_a_refused_write_a_number_is_waited_for(service: TestService) -> None:
    """Otherwise those who lose would repeat their work again and again."""
    account = service.account(numbers())
    tries: list[int] = []

    async def one(n: int) -> datetime:
        async def work(tx: Tx) -> Accepted:
            tries.append(n)
            return await accept_one(service, tx, request_of(account, n))

        return slot_of(await service.ctx.db.transact(work))

    async def all_at_once(ids: range) -> list[datetime]:
        return await asyncio.gather(*(one(n) for n in ids))

    slots = sorted(service.call(lambda: all_at_once(range(4))))
    assert slots == [slots[0] + n * STEP for n in range(4)]
    tries.clear()
    service.call(lambda: all_at_once(range(4, 8)))
    assert len(tries) == 4


LIMITED = 'dailyLimit = 5\nportfolioId = "1234"\n'


@pytest.mark.parametrize("limited", [LIMITED, "dailyLimit = 5\n"], ids=["portfolio", "number"])
def test_a_limit_is_exact_with_many_at_once(service: TestService, limited: str) -> None:
    account = service.account(numbers(limited))
    counted = 5 if limited is LIMITED else 15
    connected = asyncio.Semaphore(AT_ONCE)

    async def one(n: int) -> str:
        work = request_of(account, n, None)
        async with connected:
            accepted = await patiently(service, work)
        return str(accepted.message.status.value)

    async def all_at_once() -> list[str]:
        return await asyncio.gather(*(one(n) for n in range(24)))

    assert service.call(all_at_once).count("sending") == counted


@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from(NUMBERS)), min_size=2, max_size=12))
def test_whatever_is_sent_at_once_is_accepted_once_and_paced(
    service: TestService, sent: list[tuple[int, str]]
) -> None:
    """Ids repeat, also with another number: one message an id, and no two messages in one slot."""
    account = service.account(numbers())
    connected = asyncio.Semaphore(AT_ONCE)

    async def one(n: int, number: str) -> Accepted:
        work = request_of(account, n, number)
        async with connected:
            return await patiently(service, work)

    async def all_at_once() -> list[Accepted]:
        return await asyncio.gather(*(one(*each) for each in sent))

    results = service.call(all_at_once)
    new = [result for result in results if not result.duplicate]
    assert sorted(one.message.client_message_id for one in new) == sorted(
        {f"order-{n:04}" for n, _ in sent}
    )
    for number in NUMBERS:
        slots = sorted(slot_of(one) for one in new if one.message.number == number)
        assert slots == [slots[0] + n * STEP for n in range(len(slots))]


def test_a_clock_that_moves_between_look_up_and_write_is_noticed(service: TestService) -> None:
    account = service.account(numbers())
    account_id = UUID(str(account.id))

    async def race() -> None:
        db = service.ctx.db
        await fill_caches(service, account)
        async with db.transaction() as tx:
            await accept_one(service, tx, request_of(account, 1))
            await db.transact(lambda other: move_clocks(other, [account_id], timedelta(hours=1)))

    with pytest.raises(Conflict):
        service.call(race)


def test_a_setting_that_another_process_changed_counts_at_once(service: TestService) -> None:
    name = "changed-elsewhere"
    account = service.account(numbers(), name=name)

    async def accept_next(n: int) -> str:
        work = request_of(account, n)
        accepted = await service.ctx.db.transact(lambda tx: accept_one(service, tx, work))
        return str(accepted.message.status.value)

    async def pause_elsewhere() -> None:
        connection = await asyncpg.connect(**service._dsn)
        async with connection.transaction():
            await connection.execute("UPDATE accounts SET paused = true WHERE name = $1", name)
            await connection.execute(VERSION, UUID(str(account.id)))
        await connection.close()

    assert service.call(lambda: accept_next(1)) == "sending"
    service.call(pause_elsewhere)
    assert service.call(lambda: accept_next(2)) == "deferred"


VERSION = """
    INSERT INTO account_versions (account_id, version)
    VALUES ($1, pg_current_xact_id()::text::bigint)
    ON CONFLICT (account_id) DO UPDATE SET version = excluded.version
"""


def test_accepting_takes_one_query_and_one_write(service: TestService) -> None:
    account = service.account(numbers())
    seen: list[str] = []

    async def accept_next(n: int) -> None:
        async def work(tx: Tx) -> None:
            await accept_one(service, tx, request_of(account, n))

        await service.ctx.db.transact(work)

    async def counted(db: Database) -> None:
        connection = await db.connections.take()
        connection.add_query_logger(lambda query: seen.append(query.query))
        db.connections.give(connection)
        await accept_next(2)
        await asyncio.sleep(0)  # asyncpg calls the logger from the event loop

    service.call(lambda: accept_next(1))
    service.call(lambda: counted(service.ctx.db))
    assert [query.split()[0] for query in seen] == ["SELECT", "WITH"]
