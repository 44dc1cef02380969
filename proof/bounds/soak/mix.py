"""The load: what customers, guests and people at the portal do, each at its own rate.

Nobody waits for anybody: a flow that takes long does not lower the rate of the others. What is
answered with another status than the one expected is counted, with the first words of some.
"""

import asyncio
import itertools
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Any

import aiohttp

from proof.bounds.soak.portal import Portal
from proof.bounds.soak.world import KEYS, World
from tidings import times
from tidings.clock import SystemClock

GUESTS = 20_000  # who get texts; a guest of an event or a form is asked once
AT_ONCE = 100  # flows under way; beyond it one is left out, and counted
BATCH = 20
TIMEOUT_SECONDS = 60
REPLIES = ("Yes, 3 of us", "no, sorry", "What is the weather like?", "yes", "maybe later")
STRANGE_SHOWN = 20
OK = frozenset({200, 201, 202})


class Mix:
    """Runs until it is cancelled."""

    def __init__(self, world: World, portal: Portal) -> None:
        self._world, self._portal = world, portal
        self._run = f"{time.time_ns():x}"
        self._numbers = itertools.count(1)
        self._under_way: set[asyncio.Task[None]] = set()
        self.done: Counter[str] = Counter()
        self.left_out = 0
        self.accepted = 0  # messages
        self.strange: list[str] = []
        self.strange_count = 0
        self.waits: list[float] = []  # of GET /health, seconds
        self.sends: list[float] = []  # of a text of `live`, seconds
        self._event = 0
        # Flow: how often a second.
        self._rates: dict[Callable[[], Awaitable[None]], float] = {
            self._text_live: 8.0,
            self._text_shop: 4.0,
            self._text_dated: 4.0,
            self._batch: 0.2,
            self._passcode: 1.0,
            self._invitation: 1.0,
            self._form: 0.5,
            self._link: 0.5,
            self._reads: 1.0,
            self._bad_request: 1.0,
            self._broken_connection: 0.2,
            self._page: 0.5,
            self._stream: 1 / 30,
            self._health: 1.0,
            self._register: 1 / 300,
            self._a_day_later: 1 / 60,
        }

    async def run(self, scale: float = 1.0) -> None:
        limits = aiohttp.TCPConnector(limit=60, keepalive_timeout=5)
        timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
        async with aiohttp.ClientSession(
            self._world.url, connector=limits, timeout=timeout, cookie_jar=aiohttp.DummyCookieJar()
        ) as self._http:
            await self._register()
            async with asyncio.TaskGroup() as group:
                for flow, rate in self._rates.items():
                    group.create_task(self._repeat(flow, rate * scale))

    async def _repeat(self, flow: Callable[[], Awaitable[None]], rate: float) -> None:
        while True:
            await asyncio.sleep(random.expovariate(rate))
            if len(self._under_way) >= AT_ONCE:
                self.left_out += 1
                continue
            task = asyncio.create_task(self._once(flow))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)

    async def _once(self, flow: Callable[[], Awaitable[None]]) -> None:
        name = flow.__name__.strip("_")
        try:
            await flow()
            self.done[name] += 1
        except (aiohttp.ClientError, TimeoutError, OSError) as failure:
            self._note(f"{name}: {failure!r}")

    def _note(self, words: str) -> None:
        self.strange_count += 1
        if len(self.strange) < STRANGE_SHOWN:
            self.strange.append(words[:300])

    # One request

    async def _call(
        self, account: str, method: str, path: str, body: Any = None,
        expected: frozenset[int] = OK, **more: Any,
    ) -> Any:  # fmt: skip
        headers = {"x-api-key": KEYS[account]} | more.pop("headers", {})
        whole = path if path.startswith(("/sandbox", "/r/")) else f"/api/v1{path}"
        async with self._http.request(method, whole, json=body, headers=headers, **more) as answer:
            said = await answer.read()
            if answer.status not in expected:
                self._note(f"{method} {path}: {answer.status} {said[:200]!r}")
                return None
            is_json = answer.content_type == "application/json"
            return (await answer.json()).get("data") if is_json else None

    def _cid(self) -> str:
        return f"soak-{self._run}-{next(self._numbers)}"

    def _guest(self) -> str:
        return f"97250{random.randrange(GUESTS):07d}"

    def _new_guest(self) -> str:
        return f"97251{next(self._numbers):07d}"

    # The flows

    def _text(self, to: str) -> dict[str, Any]:
        return {
            "clientMessageId": self._cid(), "to": to, "templateName": "hello",
            "templateParams": ["Dana", str(random.randrange(10**6))], "meta": {"order": 1},
        }  # fmt: skip

    async def _send(self, account: str) -> None:
        if await self._call(account, "POST", "/messages/text", self._text(self._guest())):
            self.accepted += 1

    async def _text_live(self) -> None:
        began = time.perf_counter()
        await self._send("live")
        self.sends.append(time.perf_counter() - began)

    async def _text_shop(self) -> None:
        await self._send("shop")

    async def _text_dated(self) -> None:
        await self._send("dated")

    async def _batch(self) -> None:
        account = random.choice(("shop", "live", "dated"))
        items = [self._text(self._guest()) for _ in range(BATCH)]
        made = await self._call(account, "POST", "/messages/bulk", {"messages": items})
        if made:
            self.accepted += len(made["accepted"])
            await self._call(account, "GET", f"/batches/{made['batchId']}")

    async def _passcode(self) -> None:
        body = {"to": self._guest(), "code": str(random.randrange(10**5, 10**6))}
        account = random.choice(("shop", "dated"))
        if await self._call(account, "POST", "/messages/otp", body):
            self.accepted += 1

    async def _register(self) -> None:
        """A new event; the guests of the last one go on answering."""
        self._event += 1
        hour = timedelta(hours=1)
        body = {
            "eventId": f"event-{self._run}-{self._event}",
            "eventDate": times.to_wire(SystemClock().now() + 48 * hour),
            "callbackUrl": f"http://127.0.0.1:{self._world.sink}/event",
            "texts": {"invalidReply": "Yes or no?", "nudge": "Will you come?", "expired": "Over."},
        }
        await self._call("shop", "POST", "/events", body)

    async def _invitation(self) -> None:
        guest = self._new_guest()
        body = self._text(guest) | {
            "kind": "invitation", "templateName": "invite", "templateParams": ["Dana", "Sunday"],
            "eventId": f"event-{self._run}-{self._event}",
        }  # fmt: skip
        if await self._call("shop", "POST", "/messages/text", body):
            self.accepted += 1
            for text in random.sample(REPLIES, random.randrange(3)):
                await asyncio.sleep(random.random() * 5)
                reply = {"from": guest, "text": text}
                await self._call("shop", "POST", "/sandbox/v1/replies", reply)

    async def _form(self) -> None:
        guest = self._new_guest()
        body = {"formId": "visit", "to": guest, "clientMessageId": self._cid()}
        if await self._call("shop", "POST", "/feedback/send", body):
            self.accepted += 1
            await asyncio.sleep(random.random() * 5)
            filled = {"from": guest, "form": {"answers": {"q1": 5, "q2": "Thank you"}}}
            await self._call("shop", "POST", "/sandbox/v1/replies", filled)

    async def _link(self) -> None:
        made = await self._call("shop", "POST", "/links", {"url": "https://example.com/menu"})
        if made:
            opened = frozenset({302})
            path = f"/r/{made['code']}"
            await self._call("shop", "GET", path, expected=opened, allow_redirects=False)

    async def _reads(self) -> None:
        path = random.choice((
            "/messages?limit=50", "/messages?status=failed", "/batches", "/events", "/balance",
            "/webhooks/events?limit=50", "/webhooks/failed", "/links", "/charges", "/usage",
            "/optouts", "/forms/visit/results", "/limits", "/templates", "/sender/health",
        ))  # fmt: skip
        await self._call("shop", "GET", path)

    async def _bad_request(self) -> None:
        kind, refused = random.randrange(6), frozenset({400, 401, 404})
        text = self._text("none")
        if kind == 0:
            await self._call("shop", "POST", "/messages/text", text, refused)
        elif kind == 1:
            await self._call("shop", "GET", f"/messages/{self._cid()}", None, refused)
        elif kind == 2:
            headers = {"x-api-key": "td_sandbox_" + "X" * 43}
            refused |= {429}
            await self._call("shop", "GET", "/messages", None, refused, headers=headers)
        elif kind == 3:
            headers = {"content-type": "application/json"}
            deep = b"[" * 100_000
            await self._call("shop", "POST", "/messages/text", None, refused, data=deep,
                             headers=headers)  # fmt: skip
        elif kind == 4:
            body = {"messages": [text, {}, {"to": 1}]}
            await self._call("shop", "POST", "/messages/bulk", body, frozenset({202}))
        else:
            large = {"mediaBase64": "A" * 4_000_000, "mimetype": "image/png"}
            await self._call("shop", "POST", "/messages/upload", large, refused)

    async def _broken_connection(self) -> None:
        """A head that does not end, or a body, or bytes that are no HTTP."""
        _, writer = await asyncio.open_connection("127.0.0.1", self._world.made.port)
        half = b"POST /api/v1/messages/text HTTP/1.1\r\nHost: a\r\n"
        key = f"x-api-key: {KEYS['shop']}\r\n".encode()
        json = b"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
        writer.write(random.choice((half, half + key + json, b"\x16\x03\x01" + b"x" * 100)))
        with suppress(OSError):
            await writer.drain()
            await asyncio.sleep(random.random() * 8)
        writer.close()

    async def _page(self) -> None:
        await self._portal.look(self._http, self._note)

    async def _stream(self) -> None:
        await self._portal.listen(self._http, self._note)

    async def _health(self) -> None:
        began = time.perf_counter()
        await self._call("shop", "GET", "/health")
        self.waits.append(time.perf_counter() - began)

    async def _a_day_later(self) -> None:
        day = {"advanceSeconds": 24 * 3600}
        await self._call("dated", "POST", "/sandbox/v1/clock", day)


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0.0


def slices(values: list[float], count: int) -> Iterator[list[float]]:
    """So many parts of equal length, in order."""
    size = max(len(values) // count, 1)
    for at in range(count):
        yield values[at * size : (at + 1) * size]
