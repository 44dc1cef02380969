"""Posting callbacks, signed, and the handshake that proves an address is wanted."""

import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

import aiohttp

from tidings.clock import Clock
from tidings_simulator.callbacks.bodies import SIGNATURE, sign
from tidings_simulator.callbacks.queue import Letter
from tidings_simulator.model import Waba

TIMEOUT = aiohttp.ClientTimeout(total=20)
REMEMBERED = 2_000
CHALLENGE_BYTES_MAX = 1024


@dataclass(slots=True)
class Posted:
    """One attempt. `status` is None where no answer came, and `problem` says why."""

    at: datetime
    url: str
    body: bytes
    signature: str
    events: int
    attempt: int
    status: int | None = None
    problem: str = ""
    ms: float = 0.0

    @property
    def taken(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


class Postman:
    """Where callbacks go, under which secret. Made inside a running loop."""

    def __init__(
        self, clock: Clock, url: str, secret: str, told: Callable[[Posted], None] | None = None
    ) -> None:
        self.url = url
        self.secret = secret
        self.posted: deque[Posted] = deque(maxlen=REMEMBERED)
        self._clock = clock
        self._told = told
        self._session = aiohttp.ClientSession(timeout=TIMEOUT)

    def address(self, waba: Waba) -> str:
        """Where the account's callbacks go; "" where nobody asked to be told."""
        return (waba.callback_url or self.url) if waba.subscribed else ""

    async def post(self, letter: Letter) -> bool:
        signature = sign(letter.body, self.secret)
        entry = Posted(
            self._clock.now(), letter.url, letter.body, signature, letter.events, letter.attempt
        )
        started = self._clock.monotonic()
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "facebookexternalua",
            SIGNATURE: signature,
        }
        try:
            async with self._session.post(
                letter.url, data=letter.body, headers=headers, allow_redirects=False
            ) as answer:
                entry.status = answer.status
                await answer.release()
        except (aiohttp.ClientError, TimeoutError, OSError) as reason:
            entry.problem = type(reason).__name__
        entry.ms = (self._clock.monotonic() - started) * 1000
        self.posted.append(entry)
        if self._told is not None:
            self._told(entry)
        return entry.taken

    async def verify(self, url: str, token: str) -> str:
        """Whether the address answers the challenge; "" if so, else what went wrong."""
        challenge = str(secrets.randbelow(10**10))
        asked = {"hub.mode": "subscribe", "hub.challenge": challenge, "hub.verify_token": token}
        address = f"{url}{'&' if '?' in url else '?'}{urlencode(asked)}"
        try:
            async with self._session.get(address, allow_redirects=False) as answer:
                said = await answer.content.read(CHALLENGE_BYTES_MAX)
                status = answer.status
        except (aiohttp.ClientError, TimeoutError, OSError) as reason:
            return f"no answer ({type(reason).__name__})"
        if status != 200:
            return f"HTTP {status} in place of 200"
        return "" if said.decode("utf-8", "replace") == challenge else "another challenge came back"

    async def close(self) -> None:
        await self._session.close()
