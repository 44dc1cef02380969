"""No passcode anywhere (I28): canaries go every way a passcode can go, then all is searched.

All canaries have one prefix, so that one search finds any of them: in the files of a PostgreSQL of
its own, WAL and log included, in dumps, the service's log, metrics, webhooks and answers.
"""

import asyncio
import hashlib
import io
import logging
import os
import random
import socket
import string
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support import logs, secrecy
from tests.support.clock import ManualClock
from tests.support.database import reachable_folder, url_of
from tests.support.plain_http import NO_TLS
from tests.support.receiver import Receiver
from tests.support.service import GUEST, TEMPLATES, TestAccount, TestService, account_toml
from tidings.clock import SystemClock
from tidings.doctor import check
from tidings.engine import log
from tidings.engine.db.embedded.server import EmbeddedServer
from tidings.engine.db.migrate import migrate
from tidings.engine.db.pool import Database
from tidings.platforms.content import Passcode
from tidings.platforms.port import DispatchResult, Send
from tidings.platforms.sandbox.platform import Sandbox

LETTERS = string.ascii_letters + string.digits
FAMILY = "".join(random.choices(LETTERS, k=9))
CONTROL = "control-" + "".join(random.choices(LETTERS, k=12))  # something that must be found
CODE_TEMPLATE = """
[[accounts.templates]]
name = "code"
language = "en"
category = "AUTHENTICATION"
status = "APPROVED"
"""
MAGIC = ["9001", "9004", "9010", "9013", "9015", "9020", "9021", "9022", "9023", "9024"]
MAGIC += ["9101", "9103", "9106", "9107", "9108", "9110"]  # the guest answers
UNSETTLED = ("queued", "deferred", "sending")


class Recorder:
    """The simulated platform; records the codes it gets, and fails on request."""

    def __init__(self) -> None:
        self.codes: dict[str, list[str]] = {}
        self.broken = False

    async def send(self, sends: Sequence[Send]) -> list[DispatchResult]:
        for send in sends:
            assert isinstance(send.content, Passcode)
            self.codes.setdefault(send.client_message_id, []).append(send.content.code)
        if self.broken:
            raise RuntimeError("a bug, with the code in hand")
        return await Sandbox().send(sends)


class House:
    """A PostgreSQL of its own with a service on it, and everything that the service says."""

    def __init__(self, server: EmbeddedServer, folder: Path, receiver: Receiver) -> None:
        self.server, self.folder, self.receiver = server, folder, receiver
        self.platform = Recorder()
        self.clock = ManualClock(datetime.now(UTC))
        self.said: list[str] = []  # every answer and dump
        self.made: dict[str, str] = {}  # clientMessageId: canary
        self.log = io.StringIO()

    def service(self) -> TestService:
        platforms = {"sandbox": self.platform}
        return TestService(self.server.dsn, self.folder, clock=self.clock, platforms=platforms)

    def canary(self) -> str:
        return FAMILY + "".join(random.choices(LETTERS, k=6))

    def post(self, account: TestAccount, cid: str, to: str = GUEST, **more: Any) -> int:
        """Send a passcode of its own; the status of the answer."""
        canary = self.made.setdefault(cid, self.canary())
        body = {"clientMessageId": cid, "to": to, "code": canary} | more
        answer = account.post("/messages/otp", body)
        self.said.append(f"{answer.headers} {answer.text}")
        return answer.status_code

    def look(self, account: TestAccount, cid: str, to: str = GUEST) -> str:
        """All that may be asked about a message; its status."""
        for path in (f"/messages/{cid}", f"/sandbox/v1/phones/{to}"):
            self.said.append(account.get(path).text)
        self.said.append(str(account.events()))
        status: str = account.status(cid)["status"]
        return status

    def dump(self) -> str:
        program = str(self.server.home.programs / "pg_dump")
        command = [program, "--dbname", url_of(self.server.dsn)]
        dumped = subprocess.run(command, capture_output=True, text=True, check=False)
        assert dumped.returncode == 0, dumped.stderr
        self.said.append(dumped.stdout)
        return dumped.stdout


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    folder = reachable_folder()
    server = EmbeddedServer.join(folder / "postgres", fast=True)
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    try:
        asyncio.run(prepare(server))
        with Receiver() as receiver:
            made = House(server, folder, receiver)
            log.configure(made.clock, "debug", made.log)
            yield made
    finally:
        logs.be_plain()
        root.handlers[:], root.level = before, level
        server.leave()


async def prepare(server: EmbeddedServer) -> None:
    db = await Database.open(server.dsn, SystemClock(), size=1)
    await migrate(db)
    await db.close()


def toml(house: House, name: str, **fields: Any) -> str:
    fields = {"webhookUrl": house.receiver.url} | fields
    return account_toml(CODE_TEMPLATE + TEMPLATES, name=name, **fields)


def new_account(house: House, service: TestService, name: str, **fields: Any) -> TestAccount:
    return TestAccount(service, service.apply(toml(house, name, **fields))[0])


def kept(service: TestService) -> int:
    count: int = service.sql("SELECT count(*) AS n FROM vault")[0]["n"]
    return count


# The paths of a passcode, in the order of its life. Each leaves its traces in the one house.


def test_what_is_sent_reaches_the_platform_and_is_forgotten(house: House) -> None:
    with house.service() as service:
        account = new_account(house, service, "sent")
        assert house.post(account, CONTROL) == 200
        assert house.post(account, "login-repeat") == 200
        again = house.canary()
        assert house.post(account, "login-repeat", code=again) == 200
        assert house.platform.codes["login-repeat"] == [house.made["login-repeat"]]
        assert house.platform.codes[CONTROL] == [house.made[CONTROL]]
        account.advance(seconds=5)
        assert house.look(account, CONTROL) == "read"
        assert kept(service) == 0


def test_whatever_the_platform_does_the_code_goes_in_the_end(house: House) -> None:
    with house.service() as service:
        accounts = {digits: new_account(house, service, f"magic-{digits}") for digits in MAGIC}
        for digits, account in accounts.items():
            assert house.post(account, f"magic-{digits}", f"97250000{digits}") in (200, 202)
        assert kept(service) > 0
        house.dump()
        for digits, account in accounts.items():
            cid = f"magic-{digits}"
            account.advance(minutes=20)
            assert house.look(account, cid, f"97250000{digits}") not in UNSETTLED
            assert set(house.platform.codes[cid]) == {house.made[cid]}
        assert kept(service) == 0


def test_what_is_refused_leaves_no_code_behind(house: House) -> None:
    with house.service() as service:
        account = new_account(house, service, "refused", allowlist=[GUEST])
        bare = TestAccount(service, service.apply(account_toml(name="no-template"))[0])
        code = house.canary()
        wrong: list[dict[str, Any]] = [
            {"code": f"{code} "}, {"code": f"{code}\u200b"}, {"code": f"{code}\n"},
            {"code": f"{code}{code}"}, {"code": f"https://{code}"}, {"code": f"{FAMILY}.com"},
            {"code": [code]}, {"code": {"code": code}}, {"to": "1"}, {"to": 1}, {"to": "9" * 12},
            {"ttlSeconds": 1}, {"ttlSeconds": code}, {"meta": []}, {"text": code}, {"Code": code},
        ]  # fmt: skip
        statuses = [house.post(account, "login-wrong", **change) for change in wrong]
        assert set(statuses) == {400, 403}
        assert house.post(bare, "login-no-template") == 400
        bodies = [f'{{"to":"{GUEST}","code":"{code}"', f'{{"code":"{code}\\ud800"}}', f'["{code}"]']
        bodies += [f'{{"code":"{code}","code":1}}', f'"{code}"', f'{{"code":"{code}"}} {code}']
        for body in bodies:
            answer = account.post("/messages/otp", content=body)
            assert answer.status_code == 400
            house.said.append(answer.text)
        for path, key in (("/messages/otp", "nobody"), ("/messages/nothing", account.key)):
            answer = account.post(path, {"to": GUEST, "code": code}, headers={"x-api-key": key})
            assert answer.status_code in (401, 405)
            house.said.append(answer.text)
        assert service.sql("SELECT count(*) AS n FROM vault") == [{"n": 0}]
        assert "login-wrong" not in house.platform.codes


def test_what_expires_is_forgotten_unsent(house: House) -> None:
    with house.service() as service:
        account = new_account(house, service, "expires", paused=True)
        assert house.post(account, "login-expires", ttlSeconds=60) == 202
        assert kept(service) == 1
        assert house.made["login-expires"] not in house.dump()
        account.advance(seconds=61)
        assert house.look(account, "login-expires") == "expired"
        assert "login-expires" not in house.platform.codes
        assert kept(service) == 0


def test_what_waits_while_the_service_is_stopped_goes_when_it_is_back(house: House) -> None:
    with house.service() as service:
        account = new_account(house, service, "stopped", paused=True)
        assert house.post(account, "login-stopped", ttlSeconds=3600) == 202
        house.dump()
    with house.service() as service:
        assert kept(service) == 1
        service.apply(toml(house, "stopped"))
        back = TestAccount(service, {"id": account.id, "apiKey": account.key, "signingSecret": ""})
        back.advance(minutes=30)
        assert house.look(back, "login-stopped") == "read"
        assert house.platform.codes["login-stopped"] == [house.made["login-stopped"]]
        assert kept(service) == 0


def test_what_waits_while_the_service_is_killed_goes_when_it_is_back(house: House) -> None:
    key = "td_sandbox_" + "K" * 43
    with house.service() as service:
        account = new_account(house, service, "killed", paused=True, apiKey=key)
    with (
        served(house.folder) as (process, url),
        httpx.Client(base_url=url, timeout=60, verify=NO_TLS) as http,
    ):
        canary = house.made["login-killed"] = house.canary()
        body = {"clientMessageId": "login-killed", "to": GUEST, "code": canary, "ttlSeconds": 3600}
        answer = http.post("/api/v1/messages/otp", json=body, headers=account.headers)
        assert answer.status_code == 202, answer.text
        process.kill()
    behind = datetime.now(UTC) - house.clock.now()
    house.clock.advance(seconds=behind.total_seconds() + 61)  # its leases have expired
    with house.service() as service:
        service.apply(toml(house, "killed", apiKey=key))
        back = TestAccount(service, {"id": account.id, "apiKey": key, "signingSecret": ""})
        back.advance(minutes=30)
        assert house.look(back, "login-killed") == "read"
        assert house.platform.codes["login-killed"] == [canary]
        assert kept(service) == 0


@contextmanager
def served(data: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """`tidings serve` as a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    env = {"TIDINGS_DATA": str(data), "TIDINGS_ALLOW_PRIVATE_WEBHOOKS": "true"}
    env |= {"TIDINGS_OPERATOR_ADDRESS": "off", "TIDINGS_LOG_LEVEL": "debug", "PATH": os.defpath}
    command = [sys.executable, "-m", "tidings.cli.main", "serve", "--port", str(port)]
    with (data / "serve.log").open("wb") as out:
        process = subprocess.Popen(command, env=env, stdout=out, stderr=out)
    url = f"http://127.0.0.1:{port}"
    try:
        wait_until_ready(process, url, data / "serve.log")
        yield process, url
    finally:
        process.kill()
        process.wait()


def wait_until_ready(process: subprocess.Popen[bytes], url: str, log_file: Path) -> None:
    end = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < end:
        with suppress(httpx.TransportError):
            httpx.get(f"{url}/api/v1/health", timeout=60, verify=NO_TLS).raise_for_status()
            return
        time.sleep(0.05)
    raise AssertionError(f"the service did not start: {log_file.read_text()[-3000:]}")


def test_what_was_in_hand_at_a_crash_is_sent_once_more(house: House) -> None:
    with house.service() as service:
        account = new_account(house, service, "crashed")
        house.platform.broken = True
        assert house.post(account, "login-crashed") == 202
        house.platform.broken = False
        assert "a bug, with the code in hand" in house.log.getvalue()
        account.advance(seconds=62)
        assert house.look(account, "login-crashed") == "sending"
        account.advance(seconds=200)
        assert house.look(account, "login-crashed") == "read"
        assert house.platform.codes["login-crashed"] == [house.made["login-crashed"]] * 2
        assert kept(service) == 0


async def test_at_the_end_no_code_is_found_anywhere(house: House) -> None:
    with house.service() as service:
        house.said.append(service.ctx.metrics.render().decode())
        assert service.call(lambda: check(service.ctx.db)) == []
        assert kept(service) == 0
    dump = house.dump()
    await secrecy.checkpoint(house.server)
    assert CONTROL in dump and house.receiver.requests and "request.refused" in house.log.getvalue()
    spoken = [*house.said, house.log.getvalue()]
    spoken += [f"{request.headers} {request.body!r}" for request in house.receiver.requests]
    places = {f"text {n}": text.encode() for n, text in enumerate(spoken)}
    files = [file for file in house.folder.rglob("*") if file.is_file()]
    assert any("pg_wal" in file.parts for file in files)
    controls, found = 0, []
    forms = spellings(house)
    for file in files:
        content = secrecy.read(file)
        controls += CONTROL.encode() in content
        found += [f"{file}: {name}" for name, form in forms.items() if form in content]
    found += [
        f"{place}: {name}"
        for place, content in places.items()
        for name, form in forms.items()
        if form in content
    ]
    assert controls >= 2, "the search does not find what is there"
    assert found == []


def spellings(house: House) -> dict[str, bytes]:
    """What the canaries have in common, in the spellings in which it might have been kept."""
    forms = secrecy.spellings(FAMILY.encode())
    for cid, canary in house.made.items():
        digest = hashlib.sha256(canary.encode())
        forms |= {f"hash {cid}": digest.digest(), f"hash in hex {cid}": digest.hexdigest().encode()}
    return forms
