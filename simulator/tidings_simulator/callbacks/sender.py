"""Posts signed callbacks, and verifies callback URLs by the platform's handshake."""

import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

import aiohttp

from tidings.clock import Clock
from tidings_simulator.callbacks.bodies import SIGNATURE, sign
from tidings_simulator.callbacks.queue import CallbackRequest
from tidings_simulator.model import Waba

TIMEOUT = aiohttp.ClientTimeout(total=20)
HISTORY_MAX = 2_000
CHALLENGE_BYTES_MAX = 1024


@dataclass(slots=True)
class PostAttempt:
    """One request. `status` is None if no response came; `problem` is the reason."""

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
    def accepted(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


class CallbackSender:
    """Holds the app's callback URL and secret. Create it inside a running loop."""

    def __init__(
        self,
        clock: Clock,
        url: str,
        secret: str,
        on_post: Callable[[PostAttempt], None] | None = None,
    ) -> None:
        self.url = url
        self.secret = secret
        self.posted: deque[PostAttempt] = deque(maxlen=HISTORY_MAX)
        self._clock = clock
        self._on_post = on_post
        self._session = aiohttp.ClientSession(timeout=TIMEOUT)

    def address(self, waba: Waba) -> str:
        """The account's callback URL; "" if it is not subscribed."""
        return (waba.callback_url or self.url) if waba.subscribed else ""

    async def post(self, request: CallbackRequest) -> bool:
        signature = sign(request.body, self.secret)
        entry = PostAttempt(
            self._clock.now(), request.url, request.body, signature, request.events, request.attempt
        )
        started = self._clock.monotonic()
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "facebookexternalua",
            SIGNATURE: signature,
        }
        try:
            async with self._session.post(
                request.url, data=request.body, headers=headers, allow_redirects=False
            ) as answer:
                entry.status = answer.status
                await answer.release()
        except (aiohttp.ClientError, TimeoutError, OSError) as reason:
            entry.problem = type(reason).__name__
        entry.ms = (self._clock.monotonic() - started) * 1000
        self.posted.append(entry)
        if self._on_post is not None:
            self._on_post(entry)
        return entry.accepted

    async def verify(self, url: str, token: str) -> str:
        """Checks that the URL returns the challenge; "" if so, else the reason."""
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
