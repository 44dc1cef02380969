"""Posts to addresses that customers chose, guarded at every connect (6.1, reliability 2.10, 2.11).

A URL's form was judged when it was given; what counts is the address it leads to now. So the guard
sits where the connection is made: the resolver refuses a name with one bad answer, and the socket
factory judges the very address the socket is then connected to, also where no name was looked up.
Nothing the network does is an exception here; it comes back as one of five words (`Fault`), which
tell a customer no more about our side of the wire than a status code would.
docs/decisions/0006-egress-guard.md
"""

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from functools import lru_cache, partial
from types import TracebackType
from typing import Self
from weakref import WeakValueDictionary

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.connector import AddrInfoType
from yarl import URL

from tidings import __version__, limits
from tidings.clock import Clock
from tidings.engine.http.addresses import Guard
from tidings.urls import find_postable

CONNECTIONS_MAX = 256
LOOK_UPS_MAX = 64  # threads: a name server that hangs must not hold up everybody else's names
# Shorter than the five seconds after which common servers hang up on an idle connection: a post
# that meets a connection just being closed would be a failed attempt through no fault of theirs.
KEEP_ALIVE = timedelta(seconds=4)
DRAIN_MAX = timedelta(seconds=1)  # waiting for the rest of a small answer, to keep the connection

LookUp = Callable[[str], Awaitable[Sequence[str]]]


class Fault(StrEnum):
    """Why a post had no answer: the whole vocabulary customers see."""

    TIMEOUT = "timeout"
    CONNECTION_FAILED = "connection failed"
    TLS_FAILED = "tls failed"
    BLOCKED = "blocked"
    BAD_RESPONSE = "bad response"


@dataclass(frozen=True, slots=True)
class Posted:
    """What came of one post: a status code or a fault, never both."""

    status: int | None
    error: Fault | None
    ms: int


class Outbound:
    """One pool of kept-alive connections to customers' servers. Make it inside the running loop."""

    def __init__(
        self,
        clock: Clock,
        *,
        per_host: int = limits.WEBHOOK_SLOTS_PER_DESTINATION,
        allow_private: bool = False,
        own: Iterable[tuple[str, int]] = (),
        look_up: LookUp | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """`own` are the addresses this service listens on; it never posts to those."""
        self._clock = clock
        self._allow_private = allow_private
        self._per_host = per_host
        # A semaphore lives as long as a post that holds or awaits it: hosts leave by themselves.
        self._hosts: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._total = asyncio.Semaphore(CONNECTIONS_MAX)
        self._threads = ThreadPoolExecutor(LOOK_UPS_MAX, thread_name_prefix="look-up")
        guard = Guard.of(allow_private=allow_private, own=own)
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                resolver=_GuardedResolver(guard, look_up or partial(_look_up, self._threads)),
                socket_factory=partial(_guarded_socket, guard),
                ssl=tls or True,
                limit=CONNECTIONS_MAX,
                keepalive_timeout=KEEP_ALIVE.total_seconds(),
            ),
            headers={
                "User-Agent": f"Tidings/{__version__}",
                "Accept": "*/*",
                "Accept-Encoding": "identity",
            },
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            read_bufsize=limits.WEBHOOK_ANSWER_BYTES_MAX,
            trust_env=False,
        )

    async def post(
        self, url: str, body: bytes, headers: Mapping[str, str], *, timeout: timedelta
    ) -> Posted:
        """Post once; no redirect is followed and nothing is tried again.

        `timeout` bounds connecting, writing and waiting for the status line and headers, together.
        It starts when the post's turn has come: waiting behind others is not the receiver's fault.
        """
        target = _parse(url, self._allow_private)
        if target is None:
            return Posted(None, Fault.BLOCKED, 0)
        async with self._turns(target.raw_authority), self._total:
            began = self._clock.monotonic()
            try:
                response = await self._session.post(
                    target,
                    data=body,
                    headers=headers,
                    timeout=_client_timeout(timeout),
                    allow_redirects=False,
                )
            except (aiohttp.ClientError, OSError) as error:
                return Posted(None, _fault(error), self._ms_since(began))
            posted = Posted(response.status, None, self._ms_since(began))
            if not response.closed:  # closed: the whole answer came at once, as most do
                await _let_go(response)
            return posted

    async def close(self) -> None:
        await self._session.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    def _turns(self, host: str) -> asyncio.Semaphore:
        turns = self._hosts.get(host)
        if turns is None:
            turns = self._hosts[host] = asyncio.Semaphore(self._per_host)
        return turns

    def _ms_since(self, began: float) -> int:
        return round((self._clock.monotonic() - began) * 1000)


class _Blocked(OSError):
    """The guard's refusal. One text for all, so that several of them are raised as one."""

    def __init__(self) -> None:
        super().__init__("blocked")


class _GuardedResolver(AbstractResolver):
    def __init__(self, guard: Guard, look_up: LookUp) -> None:
        self._guard = guard
        self._look_up = look_up

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        async with asyncio.timeout(limits.DNS_TIMEOUT.total_seconds()):
            answers = await self._look_up(host)
        if not answers:
            raise OSError("the name has no address")
        if not all(self._guard.may_connect(answer, port) for answer in answers):
            raise _Blocked
        return [_resolved(host, answer, port) for answer in answers]

    async def close(self) -> None:
        """Nothing is held."""


def _resolved(host: str, address: str, port: int) -> ResolveResult:
    return ResolveResult(
        hostname=host,
        host=address,
        port=port,
        family=socket.AF_INET6 if ":" in address else socket.AF_INET,
        proto=socket.IPPROTO_TCP,
        flags=socket.AI_NUMERICHOST,
    )


def _guarded_socket(guard: Guard, info: AddrInfoType) -> socket.socket:
    """The last word: aiohttp connects this socket to `info`'s address and to no other."""
    family, kind, protocol, _, address = info
    if not guard.may_connect(address[0], address[1]):
        raise _Blocked
    return socket.socket(family, kind, protocol)


async def _look_up(threads: ThreadPoolExecutor, host: str) -> Sequence[str]:
    # Threads of our own: the loop's are shared with everything else, and uvloop has but four.
    found = await asyncio.get_running_loop().run_in_executor(
        threads,
        partial(
            socket.getaddrinfo,
            host.encode("ascii"),
            None,
            type=socket.SOCK_STREAM,
            flags=socket.AI_ADDRCONFIG,
        ),
    )
    return [str(address[0]) for *_, address in found]


@lru_cache(maxsize=4096)
def _parse(url: str, allow_private: bool) -> URL | None:
    # The form is judged again at use: a URL may have been stored under older rules.
    return find_postable(url, allow_private=allow_private)


@lru_cache(maxsize=16)
def _client_timeout(timeout: timedelta) -> aiohttp.ClientTimeout:
    # Left alone, aiohttp rounds a limit of five seconds or more up to a whole second.
    return aiohttp.ClientTimeout(total=timeout.total_seconds(), ceil_threshold=float("inf"))


def _fault(error: Exception) -> Fault:
    if isinstance(error, aiohttp.ClientConnectorError) and isinstance(error.os_error, _Blocked):
        return Fault.BLOCKED
    if isinstance(error, aiohttp.ClientSSLError | ssl.SSLError):
        return Fault.TLS_FAILED
    if isinstance(error, TimeoutError):
        return Fault.TIMEOUT
    if isinstance(error, aiohttp.ClientResponseError | aiohttp.ClientPayloadError):
        return Fault.BAD_RESPONSE
    return Fault.CONNECTION_FAILED


async def _let_go(response: aiohttp.ClientResponse) -> None:
    """Keep the connection where the answer soon ends and is small, else drop both."""
    left = limits.WEBHOOK_ANSWER_BYTES_MAX
    try:
        async with asyncio.timeout(DRAIN_MAX.total_seconds()):
            while left > 0 and not response.content.at_eof():
                left -= len(await response.content.readany())
    except (aiohttp.ClientError, OSError):  # also the time-outs, this one and the post's own
        pass
    finally:
        response.release()  # which closes the connection where the answer has not ended
