"""A whole Tidings for tests: real sockets, real PostgreSQL, its clock and network injected.

It runs in a thread with a loop of its own; tests speak HTTP to it, as customers do.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import uvloop

from tests.support.declared import require_declared
from tests.support.plain_http import NO_TLS
from tests.support.sound import Doctor
from tests.support.threaded import T, Threaded
from tidings.account_file.apply import apply_declaration
from tidings.account_file.hand_edits import EditPolicy
from tidings.account_file.plan import Removal
from tidings.account_file.read import read_file
from tidings.app import Service
from tidings.clock import Clock, SystemClock
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.engine.http.outbound.client import Outbound
from tidings.engine.http.server import Running
from tidings.engine.http.server import serve as serve_http
from tidings.engine.passwords import Passwords
from tidings.engine.peers import Peers
from tidings.features.audit.record import Actor
from tidings.platforms.port import Platform
from tidings.portal.front import Front
from tidings.settings import Settings


class TestService(Threaded):
    """`with TestService(dsn, folder) as service: service.account().send(...)`"""

    __test__ = False

    def __init__(
        self,
        dsn: Mapping[str, Any],
        folder: Path,
        *,
        clock: Clock | None = None,
        platforms: Mapping[str, Platform] | None = None,
        settings: Mapping[str, str] | None = None,
        working: bool = True,
        outbound: Callable[[Clock], Outbound] | None = None,
        peers: Peers | None = None,
        new_loop: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop,
    ) -> None:
        super().__init__(new_loop)
        env = {"TIDINGS_DATA": str(folder), "TIDINGS_ALLOW_PRIVATE_WEBHOOKS": "true"}
        self.settings = Settings.from_env(env | dict(settings or {}))
        self.clock = clock or SystemClock()
        self._dsn = dsn
        self._platforms = platforms
        self._working = working
        self._outbound = outbound
        self._peers = peers
        self._spare: list[TestAccount] = []

    def start(self) -> None:
        super().start()
        hooks = {"response": [require_declared]}
        self.http = httpx.Client(base_url=self.url, timeout=200, event_hooks=hooks, verify=NO_TLS)

    def close(self) -> None:
        self.http.close()
        super().close()

    async def _serve(self) -> None:
        # A request gets its connection however busy the machine is: 503 after two seconds is right
        # in production, and tests/store/test_pool.py is about it.
        db = await Database.open(self._dsn, self.clock, 10, wait_seconds_max=30)
        self.doctor = Doctor(db)
        roles = frozenset({"api", "portal", *(["worker"] if self._working else [])})
        self.service = await Service.open(
            self.settings,
            db,
            clock=self.clock,
            roles=roles,
            platforms=self._platforms,
            outbound=self._outbound(self.clock) if self._outbound else None,
            peers=self._peers,
        )
        self.ctx = self.service.ctx
        self.ctx.passwords = Passwords(passes=1, memory_kib=64)  # tests sign in often
        self.service.start()
        await self.service.listen_to_peers()
        try:
            await serve_http(
                Front(self.service), port=0, intake=self.service.intake, ready=self._on_ready
            )
        finally:
            await self.service.stop()
            await self.doctor.close()
            await db.close()

    def _on_ready(self, running: Running) -> None:
        self.url = f"http://127.0.0.1:{running.port}"

        def stop() -> None:
            self.ctx.is_ready = False  # long polls end at once, as in `tidings serve`
            running.stop()

        self._came_up(stop)

    # From the test's thread

    def transact(self, work: Callable[[Tx], Awaitable[T]]) -> T:
        return self.call(lambda: self.ctx.db.transact(work))

    def sql(self, query: str, *args: object) -> list[dict[str, Any]]:
        """Retried when it deadlocks with a worker.

        Without ORDER BY the rows come the other way round: PostgreSQL gives them in any order, and
        mostly in the one a test would like, until space that was freed is used again.
        """
        rows = self.transact(lambda tx: tx.rows(query, *args))
        found = [dict(row) for row in rows]
        return found if "ORDER BY" in query else found[::-1]

    def apply(self, toml: str) -> list[dict[str, Any]]:
        """`tidings apply --prune --overwrite`, without a process of its own."""
        declaration = read_file(toml, {}, allow_private=True)
        made = self.transact(
            lambda tx: apply_declaration(
                tx,
                self.ctx.sealer,
                declaration,
                Removal.PRUNE,
                actor=Actor("command", "tests"),
                edited=EditPolicy.OVERWRITE,
            )
        ).accounts
        self._loop.call_soon_threadsafe(self.service.authenticator.forget)
        return [
            {"id": one.id, "apiKey": one.api_key, "signingSecret": one.signing_secret}
            for one in made
        ]

    def account(self, toml: str = "", **fields: Any) -> "TestAccount":
        """A sandbox account with one number and a few templates, unless the fields differ."""
        return TestAccount(self, self.apply(account_toml(toml, **fields))[0])

    def spare_account(self) -> "TestAccount":
        """The same as `account()`, and as new: nobody had it before."""
        if not self._spare:
            made = self.apply("\n".join(account_toml() for _ in range(SPARE_ACCOUNTS)))
            self._spare = [TestAccount(self, one) for one in made]
        return self._spare.pop()


class TestAccount:
    """An account's key in hand."""

    __test__ = False

    def __init__(self, service: TestService, made: dict[str, Any]) -> None:
        self.service = service
        self.id = made["id"]
        self.key = made["apiKey"]
        self.secret = made["signingSecret"]
        self.headers = {"x-api-key": self.key}

    def get(self, path: str, **kwargs: Any) -> httpx.Response:
        return self.service.http.get(_whole(path), headers=self.headers, **kwargs)

    def post(self, path: str, json: Any = None, **kwargs: Any) -> httpx.Response:
        headers = self.headers | kwargs.pop("headers", {})
        return self.service.http.post(_whole(path), json=json, headers=headers, **kwargs)

    def delete(self, path: str) -> httpx.Response:
        return self.service.http.delete(_whole(path), headers=self.headers)

    def send(self, **body: Any) -> httpx.Response:
        return self.post("/messages/text", body)

    def advance(self, **time: float) -> None:
        seconds = int(timedelta(**time).total_seconds())
        answer = self.post("/sandbox/v1/clock", {"advanceSeconds": seconds})
        assert answer.status_code == 200, answer.text

    def reply(self, from_: str, text: str) -> None:
        answer = self.post("/sandbox/v1/replies", {"from": from_, "text": text})
        assert answer.status_code == 200, answer.text

    def status(self, cid: str) -> dict[str, Any]:
        answer = self.get(f"/messages/{cid}")
        assert answer.status_code == 200, answer.text
        data: dict[str, Any] = answer.json()["data"]
        return data

    def events(self, kind: str | None = None) -> list[dict[str, Any]]:
        """What was published, whether or not it has been delivered."""
        rows = self.service.sql(
            """
            SELECT convert_from(body, 'UTF8') AS body FROM webhooks
             WHERE account_id = $1 ORDER BY seq
            """,
            self.id,
        )
        bodies = [json.loads(row["body"]) for row in rows]
        return [body for body in bodies if kind in (None, body["type"])]


def faults(service: TestService) -> list[str]:
    """What `tidings doctor` says."""
    return service.call(service.doctor.find_broken)


def require_sound(service: TestService) -> None:
    """`tidings doctor` finds nothing."""
    broken = faults(service)
    assert not broken, "\n".join(broken)


def _whole(path: str) -> str:
    return path if path.startswith(("/sandbox", "/api", "/r/", "/platform")) else f"/api/v1{path}"


_count = iter(range(1, 1_000_000))

SPARE_ACCOUNTS = 8  # made at a time
NUMBER = "972555000001"
GUEST = "972501234567"

TEMPLATES = """
[[accounts.templates]]
name = "hello"
language = "en"
category = "UTILITY"
status = "APPROVED"
body = "Hello {{1}}"
[[accounts.templates]]
name = "plain"
language = "en"
category = "UTILITY"
status = "APPROVED"
body = "Good morning"
[[accounts.templates]]
name = "invite"
language = "en"
category = "UTILITY"
status = "APPROVED"
body = "Hi {{1}}, join us on {{2}}"
buttons = [ { type = "QUICK_REPLY", text = "Yes" }, { type = "QUICK_REPLY", text = "No" } ]
"""


def account_toml(more: str = "", **fields: Any) -> str:
    """The file of `tidings apply` for one account. `more` is TOML that follows its plain fields."""
    values = {"environment": "sandbox", "requestsPerMinute": 1_000_000} | fields
    if "accounts.subscription" not in more:
        values.setdefault("billingMode", "OFF")  # most tests are not about money
    name = values.pop("name", f"account-{next(_count)}")
    lines = ["[[accounts]]", f'name = "{name}"']
    lines += [f"{key} = {_toml(value)}" for key, value in values.items() if value is not None]
    numbers = "" if "accounts.numbers" in more else f'[[accounts.numbers]]\nnumber = "{NUMBER}"\n'
    templates = "" if "accounts.templates" in more else TEMPLATES
    return "\n".join(lines) + "\n" + more + "\n" + numbers + templates


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + "}"
    return f'"{value}"' if isinstance(value, str) else str(value)
