"""Which of several hosts to connect to: the one that takes writes.

A URL may name the hosts of a highly available PostgreSQL:
`postgresql://a,b,c/tidings?target_session_attrs=read-write`. asyncpg asks them one after another
within one time limit, so a first host whose network is dead would use it up and the primary would
never be asked. Here the next host is asked as soon as one refuses, or after a moment of silence.
"""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import asyncpg

Connection = Any  # asyncpg.Connection
Connect = Callable[[Mapping[str, Any]], Awaitable[Connection]]

SILENCE_SECONDS = 0.3  # until the next host is asked as well
# A server that vanished without a word is noticed within nine seconds: sooner than a failover
# takes, so that no dead connection is left when the new primary is there.
KEEPALIVE_IDLE_SECONDS, KEEPALIVE_SECONDS, KEEPALIVES_MAX = 3, 2, 3
UNANSWERED_SECONDS_MAX = KEEPALIVE_IDLE_SECONDS + KEEPALIVE_SECONDS * KEEPALIVES_MAX
_SOCKET_OPTIONS = {  # not every system has all of them
    "TCP_KEEPIDLE": KEEPALIVE_IDLE_SECONDS,
    "TCP_KEEPINTVL": KEEPALIVE_SECONDS,
    "TCP_KEEPCNT": KEEPALIVES_MAX,
    "TCP_USER_TIMEOUT": UNANSWERED_SECONDS_MAX * 1000,
}
_URL = re.compile(r"(postgres(?:ql)?://(?:[^/?#]*@)?)([^/?#@]*)(.*)", re.S)
# What a host says that is there but not the one, from the least to the most telling.
_REFUSALS = (
    OSError,
    asyncpg.TargetServerAttributeNotMatched,
    asyncpg.CannotConnectNowError,
    asyncpg.PostgresError,
)


def each_host(dsn: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The same for every host that it names. Of several, only one that takes writes will do."""
    found = _URL.fullmatch(dsn.get("dsn") or "")
    if found is None or "," not in found[2]:
        return [dsn]
    head, hosts, rest = found.groups()
    wish = {} if "target_session_attrs=" in rest else {"target_session_attrs": "read-write"}
    return [{**dsn, **wish, "dsn": f"{head}{host}{rest}"} for host in hosts.split(",")]


async def connect_to_one(hosts: Sequence[Mapping[str, Any]], connect: Connect) -> Connection:
    """The first connection that is made; the others are given up."""
    if len(hosts) == 1:
        return await connect(hosts[0])
    asked: list[asyncio.Task[Connection]] = []
    chosen: asyncio.Task[Connection] | None = None
    try:
        for host in hosts:
            asked.append(asyncio.ensure_future(connect(host)))
            chosen = await _first_made(asked, SILENCE_SECONDS)
            if chosen is not None:
                return chosen.result()
        chosen = await _first_made(asked, None)
        if chosen is not None:
            return chosen.result()
    finally:
        await _give_up([task for task in asked if task is not chosen])
    raise _most_telling([error for task in asked if (error := task.exception())])


async def _first_made(
    asked: Sequence[asyncio.Task[Connection]], seconds: float | None
) -> asyncio.Task[Connection] | None:
    """One that has succeeded. None: all have failed, or the last was silent for so long."""
    while True:
        for task in asked:
            if task.done() and not task.cancelled() and task.exception() is None:
                return task
        open_ = [task for task in asked if not task.done()]
        if not open_ or (seconds is not None and asked[-1].done()):
            return None
        done, _ = await asyncio.wait(open_, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if not done:
            return None


async def _give_up(tasks: Sequence[asyncio.Task[Connection]]) -> None:
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if not isinstance(result, BaseException):
            result.terminate()


def _most_telling(errors: Sequence[BaseException]) -> BaseException:
    def rank(error: BaseException) -> int:
        return max((n for n, kind in enumerate(_REFUSALS) if isinstance(error, kind)), default=9)

    return max(errors, key=rank)


def notice_silence(connection: Connection) -> None:
    """Have the kernel end the connection when the other side has vanished: without it a dead
    network goes unnoticed for minutes, or for ever where we only listen."""
    # asyncpg has no public way to the socket.
    plug = connection._transport.get_extra_info("socket")
    if plug is None or plug.family == socket.AF_UNIX:
        return
    with suppress(OSError):
        plug.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _SOCKET_OPTIONS.items():
            if hasattr(socket, name):
                plug.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
