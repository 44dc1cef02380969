"""The database as the service uses it: one use case, one transaction, one timestamp."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import asyncpg
import pytest

from tests.support.clock import ManualClock
from tests.support.database import Dsn, empty_database, opened_database, reachable_folder, url_of
from tidings.engine.db.connections import UnusableDatabase
from tidings.engine.db.errors import UNAVAILABLE_ERRORS, CommitUnknown, Conflict
from tidings.engine.db.pool import Database
from tidings.engine.db.pooler import require_usable
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.billing.rules import BillingCode

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
async def dsn() -> Dsn:
    dsn = empty_database()
    connection = await asyncpg.connect(**dsn)
    await connection.execute("CREATE TABLE notes (id integer PRIMARY KEY, text text)")
    await connection.close()
    return dsn


@pytest.fixture
def opened(dsn: Dsn):
    """Open the database, with an empty table."""
    return partial(opened_database, dsn, ManualClock(NOON), "notes")


@pytest.fixture
async def db(opened) -> AsyncIterator[Database]:
    async with opened() as db:
        yield db


def put(tx, id, text="hello"):
    return tx.run("INSERT INTO notes VALUES ($1, $2)", id, text)


async def ids(db: Database) -> list[int]:
    return [row["id"] for row in await db.rows("SELECT id FROM notes ORDER BY id")]


async def test_work_is_committed_and_its_result_returned(db: Database) -> None:
    async def work(tx):
        assert await put(tx, 1) == 1
        return "done"

    assert await db.transact(work) == "done"
    assert await ids(db) == [1]
    assert (await db.row("SELECT text FROM notes"))["text"] == "hello"
    assert await db.value("SELECT count(*) FROM notes") == 1


async def test_a_refusal_leaves_nothing_behind(opened) -> None:
    async with opened(size=1) as db:

        async def work(tx):
            await put(tx, 1)
            raise ApiError(BillingCode.QUOTA_EXHAUSTED)

        with pytest.raises(ApiError):
            await db.transact(work)
        assert await ids(db) == []


async def test_a_transaction_has_one_timestamp_of_its_clock(db: Database) -> None:
    async with db.transaction() as tx:
        assert tx.now == NOON


async def test_sessions_have_the_limits_of_short_work(db: Database) -> None:
    expected = {
        "statement_timeout": "5s",
        "lock_timeout": "2s",
        "jit": "off",
        "application_name": "tidings",
        "transaction_isolation": "read committed",
    }
    for name, value in expected.items():
        assert await db.value("SELECT current_setting($1)", name) == value


async def test_a_deadlock_is_resolved_by_trying_again(db: Database) -> None:
    async with db.transaction() as tx:
        await put(tx, 1)
        await put(tx, 2)
    met = asyncio.Barrier(2)
    runs = []

    async def touch(first: int, second: int) -> None:
        async def work(tx) -> None:
            runs.append(first)
            await tx.run("SET LOCAL deadlock_timeout = '10ms'")
            await tx.run("UPDATE notes SET text = text || '+' WHERE id = $1", first)
            if len(runs) <= 2:
                await met.wait()
            await tx.run("UPDATE notes SET text = text || '+' WHERE id = $1", second)

        await db.transact(work)

    await asyncio.gather(touch(1, 2), touch(2, 1))
    texts = await db.rows("SELECT text FROM notes")
    assert [row["text"] for row in texts] == ["hello++", "hello++"]
    assert len(runs) == 3


FAIL_40001 = "DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$"


@pytest.mark.parametrize(("failures", "succeeds"), [(1, True), (3, True), (4, False)])
async def test_a_conflict_is_tried_again_three_times(
    db: Database, failures: int, succeeds: bool
) -> None:
    runs = []

    async def work(tx) -> None:
        runs.append(tx)
        await put(tx, len(runs))
        if len(runs) <= failures:
            await tx.run(FAIL_40001)

    if succeeds:
        await db.transact(work)
        assert await ids(db) == [failures + 1]
    else:
        with pytest.raises(UNAVAILABLE_ERRORS):
            await db.transact(work)
        assert await ids(db) == []
    assert len(runs) == min(failures + 1, 4)


async def test_a_swallowed_failure_does_not_pass_for_a_commit(db: Database) -> None:
    async def work(tx) -> None:
        await put(tx, 1)
        with suppress(asyncpg.UniqueViolationError):
            await put(tx, 1)

    with pytest.raises(RuntimeError, match="had failed before its end"):
        await db.transact(work)
    assert await ids(db) == []


async def test_pools_are_woken_after_the_commit_and_only_then(db: Database) -> None:
    woken = []
    db.on_commit(lambda pools: woken.append(pools))
    async with db.transaction() as tx:
        tx.wake("dispatch")
        tx.wake("deliver")
        assert woken == []
    assert woken == [{"dispatch", "deliver"}]
    async with db.transaction() as tx:
        await put(tx, 1)
    with pytest.raises(ZeroDivisionError):
        async with db.transaction() as tx:
            tx.wake("dispatch")
            raise ZeroDivisionError
    assert len(woken) == 1


async def test_what_is_left_for_afterwards_is_done_once_and_only_after_a_commit(
    db: Database,
) -> None:
    done: list[int] = []
    tries = iter([1, 2])

    async def work(tx: Tx) -> None:
        attempt = next(tries)
        tx.after_commit(lambda: done.append(attempt))
        assert done == []
        if attempt == 1:
            raise Conflict

    await db.transact(work)
    assert done == [2]


async def test_a_cancelled_transaction_is_rolled_back_and_its_connection_used_again(opened) -> None:
    async with opened(size=1) as db:

        async def work(tx) -> None:
            await put(tx, 1)
            await tx.run("SELECT pg_sleep(5)")

        backend = await db.value("SELECT pg_backend_pid()")
        task = asyncio.create_task(db.transact(work))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await ids(db) == []
        assert await db.value("SELECT pg_backend_pid()") == backend


async def test_a_cancelled_read_releases_its_connection(opened) -> None:
    async with opened(size=1) as db:
        task = asyncio.create_task(db.value("SELECT pg_sleep(5)"))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await db.value("SELECT 1") == 1


async def test_a_request_that_waits_too_long_for_a_connection_gets_retry_after(opened) -> None:
    async with opened(size=1, wait_seconds_max=0.05) as db:
        async with db.transaction():
            with pytest.raises(ApiError) as refusal:
                await db.value("SELECT 1")
        assert refusal.value.code is Code.SERVICE_UNAVAILABLE
        assert refusal.value.retry_after == 1
        assert await db.value("SELECT 1") == 1


async def test_many_callers_share_few_connections(opened) -> None:
    async with opened(size=3) as db:

        async def add(id: int) -> None:
            await db.transact(lambda tx: put(tx, id))

        await asyncio.gather(*(add(n) for n in range(100)))
        assert await ids(db) == list(range(100))
        own = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        assert await db.value(own) <= 3


OTHERS = (
    "SELECT pid FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
KILL_OTHERS = f"SELECT pg_terminate_backend(pid) FROM ({OTHERS}) AS others"


async def test_connections_lost_while_idle_are_replaced_unnoticed(db: Database) -> None:
    admin = await db.dedicated()
    await admin.execute(KILL_OTHERS)
    while await admin.fetchval(OTHERS):
        await asyncio.sleep(0.005)
    await asyncio.sleep(0.05)
    async with db.transaction() as tx:
        await put(tx, 1)
    await admin.close()
    assert await ids(db) == [1]


async def test_a_connection_lost_between_two_statements_means_nothing_was_done(
    db: Database,
) -> None:
    admin = await db.dedicated()

    async def work(tx) -> None:
        await put(tx, 1)
        await admin.execute(KILL_OTHERS)
        await asyncio.sleep(0.05)
        await put(tx, 2)

    with pytest.raises(UNAVAILABLE_ERRORS) as lost:
        await db.transact(work)
    assert not isinstance(lost.value, CommitUnknown)
    await admin.close()
    assert await ids(db) == []


async def test_a_transaction_that_idles_for_too_long_is_ended_and_tried_again(
    db: Database,
) -> None:
    """So a process that hangs holds no rows."""
    runs = []

    async def work(tx) -> None:
        runs.append(tx)
        await put(tx, 1)
        if len(runs) == 1:
            await tx.run("SET LOCAL idle_in_transaction_session_timeout = '10ms'")
            while not tx.connection.is_closed():
                await asyncio.sleep(0.01)
        await put(tx, 2)

    await db.transact(work)
    assert len(runs) == 2
    assert await ids(db) == [1, 2]


async def test_a_commit_whose_answer_is_lost_is_said_to_be_unknown(dsn) -> None:
    """Here the commit did happen: a proxy closes the connection once COMMIT has passed."""

    folder = reachable_folder()
    server = Path(str(dsn["host"])) / ".s.PGSQL.5432"
    proxy = await cutting_proxy(folder / ".s.PGSQL.5432", server)
    db = await Database.open({**dsn, "host": str(folder)}, ManualClock(NOON))
    with pytest.raises(CommitUnknown):
        await db.transact(lambda tx: put(tx, 777))
    await db.close()
    proxy.close()
    direct = await Database.open(dsn, ManualClock(NOON))
    assert 777 in await ids(direct)
    await direct.close()


async def cutting_proxy(path: Path, server: Path) -> asyncio.Server:
    async def serve(client_in: asyncio.StreamReader, client_out: asyncio.StreamWriter) -> None:
        server_in, server_out = await asyncio.open_unix_connection(server)

        async def answers() -> None:
            while data := await server_in.read(65536):
                client_out.write(data)

        answering = asyncio.create_task(answers())
        while data := await client_in.read(65536):
            if b"COMMIT" in data:
                answering.cancel()
                await asyncio.wait([answering])
                server_out.write(data)
                await server_in.read(1)
                break
            server_out.write(data)
        client_out.close()
        server_out.close()

    return await asyncio.start_unix_server(serve, path)


async def test_a_database_that_is_not_there_is_unavailable() -> None:
    nowhere = {"host": str(reachable_folder()), "user": "tidings", "database": "tidings"}
    with pytest.raises(UNAVAILABLE_ERRORS):
        await Database.open(nowhere, ManualClock(NOON))


class OldServer:
    def get_server_version(self) -> SimpleNamespace:
        return SimpleNamespace(major=14)


async def test_a_server_that_is_too_old_is_refused() -> None:
    with pytest.raises(UnusableDatabase, match="PostgreSQL 15 or newer; this is 14"):
        await require_usable(OldServer())


async def test_a_migration_under_prepared_statements_goes_unnoticed(opened) -> None:
    async with opened(size=1) as db:

        async def read(tx):
            return list(await tx.row("SELECT * FROM notes"))

        async with db.transaction() as tx:
            await put(tx, 1)
        assert await db.transact(read) == [1, "hello"]
        admin = await db.dedicated()
        await admin.execute("ALTER TABLE notes ADD extra integer DEFAULT 7")
        assert await db.transact(read) == [1, "hello", 7]
        await admin.execute("ALTER TABLE notes DROP extra")
        await admin.close()


async def test_a_dedicated_connection_hears_notifications(db: Database) -> None:
    heard: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    listener = await db.dedicated()
    await listener.add_listener("wake", lambda *event: heard.set_result(event[3]))
    await db.value("SELECT pg_notify('wake', 'dispatch')")
    assert await asyncio.wait_for(heard, 30) == "dispatch"
    assert await listener.fetchval("SHOW statement_timeout") == "0"
    await listener.close()


async def test_closing_waits_for_the_transaction_under_way(db: Database, dsn) -> None:
    started = asyncio.Event()

    async def work(tx) -> None:
        await put(tx, 1)
        started.set()
        await asyncio.sleep(0.05)

    task = asyncio.create_task(db.transact(work))
    await started.wait()
    await db.close()
    await task
    with pytest.raises(UNAVAILABLE_ERRORS):
        await db.value("SELECT 1")
    after = await Database.open(dsn, ManualClock(NOON))
    assert await ids(after) == [1]
    await after.close()


async def test_a_url_works_as_well(dsn) -> None:
    db = await Database.open(url_of(dsn), ManualClock(NOON))
    assert await db.value("SELECT current_user") == "tidings"
    await db.close()
