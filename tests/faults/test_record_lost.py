"""The connection to PostgreSQL ends right after an outcome was written, before we hear of it: the
outcome is recorded once, and a message that has to wait keeps its job."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.database import fresh_database, reachable_folder
from tests.support.platform import FakePlatform, accept
from tests.support.service import GUEST, TestAccount, TestService
from tidings.doctor import check
from tidings.platforms.failures import explain
from tidings.platforms.port import DispatchResult, Rejected, Send, UnknownOutcome

OVERLOADED = 131016  # the platform's code: try again later
UNDELIVERABLE = 131026  # its code: never
SOCKET = ".s.PGSQL.5432"
MARKERS = (b"WITH sent AS", b"COMMIT")  # in what records accepted sends, and other outcomes


class Cutter:
    """A proxy to PostgreSQL. Once it is armed, it closes the connection that executes a marked
    statement: after the server has begun to respond, and only one."""

    def __init__(self, server: Path) -> None:
        self.folder = reachable_folder()
        self.armed = False
        self.cuts = 0
        self._server = server
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        opening = asyncio.start_unix_server(self._serve, self.folder / SOCKET)
        asyncio.run_coroutine_threadsafe(opening, self._loop).result(timeout=30)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=30)

    async def _serve(self, client: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        answers, server = await asyncio.open_unix_connection(self._server)
        passing = asyncio.create_task(_pass(answers, back))
        prepared: set[bytes] = set()  # the names of marked statements on this connection
        while data := await client.read(65536):
            marked = any(marker in data for marker in MARKERS)
            if marked and data[:1] == b"P":
                prepared.add(_names(data)[0])
            bound = data[:1] == b"B" and _names(data)[1] in prepared
            if self.armed and (bound or (marked and data[:1] == b"Q")):
                self.armed = False
                self.cuts += 1
                passing.cancel()
                await asyncio.wait([passing])
                server.write(data)
                await answers.read(1)
                break
            server.write(data)
        back.close()
        server.close()


def _names(packet: bytes) -> list[bytes]:
    """The first two texts after the type and the length: of a Parse, the statement's name comes
    first; of a Bind, the portal's and then the statement's."""
    return packet[5:].split(b"\0", 2)[:2]


async def _pass(answers: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
    while data := await answers.read(65536):
        back.write(data)
    back.close()


@pytest.fixture
def platform() -> FakePlatform:
    return FakePlatform()


@pytest.fixture
def cutter() -> Iterator[Cutter]:
    proxy = Cutter(Path(str(fresh_database()["host"])) / SOCKET)
    yield proxy
    proxy.close()


@pytest.fixture
def account(
    platform: FakePlatform, cutter: Cutter, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[TestAccount]:
    dsn = fresh_database() | {"host": str(cutter.folder)}
    folder = tmp_path_factory.mktemp("d")
    with TestService(dsn, folder, platforms={"sandbox": platform}) as running:
        yield running.account()
        assert running.call(lambda: check(running.ctx.db)) == []


def send(account: TestAccount, cid: str) -> None:
    answer = account.send(clientMessageId=cid, to=GUEST, templateName="plain")
    assert answer.status_code in (200, 202), answer.text


def outcomes(account: TestAccount) -> list[str]:
    return [one["outcome"] for one in account.status("order-0002")["attempts"]]


def test_an_accepted_send_is_recorded_once(
    account: TestAccount, cutter: Cutter, platform: FakePlatform
) -> None:
    send(account, "order-0001")

    def accept_and_cut(one: Send) -> DispatchResult:
        cutter.armed = True
        return accept(one)

    platform.behave[GUEST] = accept_and_cut
    send(account, "order-0002")
    assert cutter.cuts == 1
    assert account.status("order-0002")["status"] == "sent"
    assert outcomes(account) == ["sent"]
    published = [event["data"]["clientMessageId"] for event in account.events("message.status")]
    assert sorted(published) == ["order-0001", "order-0002"]


def test_a_refused_send_keeps_its_job(
    account: TestAccount, cutter: Cutter, platform: FakePlatform
) -> None:
    send(account, "order-0001")

    def refuse_and_cut(one: Send) -> DispatchResult:
        cutter.armed = True
        return DispatchResult(Rejected(explain(OVERLOADED)))

    platform.behave[GUEST] = refuse_and_cut
    send(account, "order-0002")
    assert cutter.cuts == 1
    assert account.status("order-0002")["status"] == "deferred"
    platform.behave[GUEST] = accept
    account.advance(hours=1)
    assert account.status("order-0002")["status"] == "sent"
    assert outcomes(account) == ["deferred", "sent"]


def test_a_failed_send_releases_its_quota_once(
    account: TestAccount, cutter: Cutter, platform: FakePlatform
) -> None:
    limited = account.service.account(dailyLimit=10)
    send(limited, "order-0001")

    def fail_and_cut(one: Send) -> DispatchResult:
        cutter.armed = True
        return DispatchResult(Rejected(explain(UNDELIVERABLE)))

    platform.behave[GUEST] = fail_and_cut
    send(limited, "order-0002")
    assert cutter.cuts == 1
    assert limited.status("order-0002")["status"] == "failed"
    query = "SELECT sum(used)::int AS used FROM rolling_counters WHERE account_id = $1"
    assert limited.service.sql(query, limited.id) == [{"used": 1}]


def test_a_send_without_a_response_is_recorded_once(
    account: TestAccount, cutter: Cutter, platform: FakePlatform
) -> None:
    send(account, "order-0001")

    def cut_and_say_nothing(one: Send) -> DispatchResult:
        cutter.armed = True
        return DispatchResult(UnknownOutcome())

    platform.behave[GUEST] = cut_and_say_nothing
    send(account, "order-0002")
    assert cutter.cuts == 1
    assert account.status("order-0002")["status"] == "sending"
    assert outcomes(account) == ["unknown"]
