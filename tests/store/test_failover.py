"""A database of several hosts, and what a failover must not do. `tests/cluster` has a real one."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest
from structlog.testing import capture_logs

from tests.support.clock import ManualClock
from tests.support.database import Dsn, fresh_database, opened_database, reachable_folder
from tests.support.queue import House
from tests.support.waiting import until
from tidings.engine.db.connections import Session, Unavailable
from tidings.engine.db.embedded.server import EmbeddedServer
from tidings.engine.db.hosts import each_host
from tidings.engine.db.pool import Database
from tidings.engine.db.pooler import Address
from tidings.engine.db.tx import Tx
from tidings.engine.queue.groups import GroupIds

TABLE = "CREATE TABLE notes (id integer PRIMARY KEY)"
IN_COMMIT = "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep')"


@pytest.fixture
async def dsn() -> Dsn:
    dsn = fresh_database()
    await execute(dsn, TABLE)
    return dsn


@pytest.fixture
async def port(dsn: Dsn) -> AsyncIterator[int]:
    """Of the server, which itself has only a Unix socket."""

    async def copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while data := await source.read(65536):
            target.write(data)
        target.close()

    async def serve(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        path = Path(str(dsn["host"])) / f".s.PGSQL.{dsn['port']}"
        answers, questions = await asyncio.open_unix_connection(path)
        with suppress(OSError):
            await asyncio.gather(copy(source, questions), copy(answers, target))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()


@pytest.fixture
def silent() -> Iterator[int]:
    """The port of a host that takes connections and says nothing."""
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()
        yield deaf.getsockname()[1]


def url(dsn: Dsn, *ports: int, more: str = "") -> str:
    hosts = ",".join(f"localhost:{port}" for port in ports)
    password = Path(str(dsn["passfile"])).read_text().strip().rpartition(":")[2]
    return f"postgresql://{dsn['user']}:{password}@{hosts}/{dsn['database']}?sslmode=disable{more}"


async def execute(dsn: Dsn, statement: str) -> None:
    connection = await asyncpg.connect(**dsn)
    await connection.execute(statement)
    await connection.close()


def put(tx: Tx, number: int):
    return tx.run("INSERT INTO notes VALUES ($1)", number)


def test_each_host_of_a_url_is_a_url() -> None:
    whole = {"dsn": "postgresql://me:p%2C@a:1,[::1]:2,c/db?target_session_attrs=primary", "x": 1}
    assert each_host(whole) == [
        {"dsn": f"postgresql://me:p%2C@{host}/db?target_session_attrs=primary", "x": 1}
        for host in ("a:1", "[::1]:2", "c")
    ]


def test_of_several_hosts_one_that_takes_writes_is_wanted() -> None:
    assert each_host({"dsn": "postgresql://a,b/db"})[1] == {
        "dsn": "postgresql://b/db",
        "target_session_attrs": "read-write",
    }


@pytest.mark.parametrize("one", [{"dsn": "postgresql://me@a/db?host=/run"}, {"host": "/run"}])
def test_one_host_stays_as_it_is(one: Dsn) -> None:
    assert each_host(one) == [one]


async def test_a_silent_host_does_not_keep_us_from_the_next(
    dsn: Dsn, port: int, silent: int
) -> None:
    db = await Database.open(url(dsn, silent, port, silent), ManualClock())
    await db.transact(lambda tx: put(tx, 1))
    listening = await db.dedicated()
    assert await listening.fetchval("SELECT count(*) FROM notes") == 1
    await listening.close()
    await db.close()


async def test_hosts_that_take_no_writes_are_unavailable(dsn: Dsn, port: int) -> None:
    await execute(dsn, f"ALTER DATABASE {dsn['database']} SET default_transaction_read_only = on")
    with pytest.raises(Unavailable, match="takes writes"):
        await Database.open(url(dsn, port, port), ManualClock())


async def test_a_server_that_no_longer_takes_writes_is_left(dsn: Dsn) -> None:
    """As a primary that was demoted: every connection of the pool must go, at once."""
    async with opened_database(dsn, ManualClock(), size=8) as db:
        taken = [await db.connections.take() for _ in range(8)]
        for connection in taken:
            await connection.execute("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
            db.connections.give(connection)
        await db.transact(lambda tx: put(tx, 1))
        await db.transact(lambda tx: tx.write("INSERT INTO notes VALUES (2)"))
        assert await db.value("SELECT count(*) FROM notes") == 2
        assert not db.outage.lasts


async def test_a_single_write_to_a_demoted_server_is_done_elsewhere(dsn: Dsn) -> None:
    async with opened_database(dsn, ManualClock(), size=1) as db:
        await db.rows("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
        await db.transact(lambda tx: tx.write("INSERT INTO notes VALUES (1)"))
        assert await db.value("SELECT count(*) FROM notes") == 1


@pytest.fixture
def waiting_server() -> Iterator[EmbeddedServer]:
    """One whose commits wait for a standby that is not there."""
    server = EmbeddedServer.join(reachable_folder() / "postgres")
    yield server
    server.leave()


@pytest.mark.parametrize("statement", ["run", "write"])
async def test_a_commit_that_waits_for_a_standby_is_never_cancelled(
    waiting_server: EmbeddedServer, statement: str
) -> None:
    """Cancelled, it would be visible without being safe: a repeated request would be answered with
    a message that the next failover loses."""
    await execute(waiting_server.dsn, TABLE)
    await execute(waiting_server.dsn, "ALTER SYSTEM SET synchronous_standby_names = 'gone'")
    await execute(waiting_server.dsn, "SELECT pg_reload_conf()")
    async with opened_database(waiting_server.dsn, ManualClock(), size=2) as db:
        await until(lambda: db.value("SELECT current_setting('synchronous_standby_names') <> ''"))
        sql = "INSERT INTO notes VALUES (1)"
        writing = asyncio.create_task(db.transact(lambda tx: getattr(tx, statement)(sql)))
        await until(lambda: db.value(IN_COMMIT))
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing
        assert await db.value("SELECT count(*) FROM notes") == 0
        assert await db.value(IN_COMMIT)


async def test_a_commit_that_takes_too_long_ends_with_its_connection(dsn: Dsn) -> None:
    connection = await asyncpg.connect(**dsn, connection_class=Session, command_timeout=0.1)
    strange: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: strange.append(context))
    connection.is_committing = True
    with pytest.raises(TimeoutError):
        await connection.execute("SELECT pg_sleep(60)")
    await until(connection.is_closed)
    assert strange == []


async def test_a_server_that_refuses_us_is_an_outage(dsn: Dsn) -> None:
    """Such as one whose database is being replaced: who listens tries again."""
    async with opened_database(dsn, ManualClock(), size=1) as db:
        elsewhere = f"missing_{uuid4().hex}"
        with pytest.raises(Unavailable, match=elsewhere):
            await db.dedicated(database=elsewhere)


async def test_a_direct_address_out_of_reach_is_an_outage_of_its_own(dsn: Dsn) -> None:
    """The log would say lost and recovered in turn, at every attempt to reconnect."""
    db = await Database.open(Address(dsn, dsn), ManualClock(), 1)
    with capture_logs() as lines:
        for _ in range(3):
            with pytest.raises(Unavailable):
                await db.dedicated(host="/nowhere")
            await db.ping()
        await (await db.dedicated()).close()
    assert [(line["event"], line["direct"]) for line in lines] == [
        ("database.lost", True),
        ("database.recovered", True),
    ]
    await db.close()


async def test_versions_read_before_a_connection_was_lost_are_not_trusted(dsn: Dsn) -> None:
    """The transaction may not exist on the new primary, which gives its id to another."""
    account = uuid4()
    async with opened_database(dsn, ManualClock(), size=1) as db:
        db.versioned_cache.at(account, 7)
        await db.ping()
        assert db.versioned_cache.find(account) is not None
        with suppress(asyncpg.PostgresError, Unavailable):
            await db.rows("SELECT pg_terminate_backend(pg_backend_pid())")
        await until(lambda: db.value("SELECT true"))
        assert db.versioned_cache.find(account) is None


async def test_ids_reserved_by_a_lost_transaction_are_not_used(house: House) -> None:
    """The new primary's sequence may give them again."""
    reserved = GroupIds()

    async def fail(tx: Tx) -> None:
        lost.extend(await reserved.take(tx, 1))
        raise ZeroDivisionError

    lost: list[int] = []
    with pytest.raises(ZeroDivisionError):
        await house.db.transact(fail)
    await house.db.rows("SELECT setval(pg_get_serial_sequence('jobs', 'id'), $1)", lost[0] + 5000)
    kept = await house.db.transact(lambda tx: reserved.take(tx, 2))
    kept += await house.db.transact(lambda tx: reserved.take(tx, 2))
    assert kept == [lost[0] + 5000 + n for n in (1, 2, 3, 4)]
