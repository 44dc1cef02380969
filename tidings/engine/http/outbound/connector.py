"""Connections to addresses that customers chose, judged where they are made (reliability 2.11).

The name is looked up once and every answer must pass; then the socket is connected to one of those
very addresses, so a name cannot change between check and use.
"""

import asyncio
import socket
import ssl
from collections.abc import Hashable, Sequence
from ipaddress import ip_address
from typing import NamedTuple

from tidings.engine.http.addresses import Guard
from tidings.engine.http.outbound.connection import Connection
from tidings.engine.http.outbound.resolver import Resolver

NEXT_ADDRESS_AFTER = 2.0  # seconds, where a name has several and one of them does not answer


class Place(NamedTuple):
    """Where a URL leads, and the key by which connections are kept."""

    host: str
    port: int
    is_tls: bool


class Blocked(OSError):
    """The guard's refusal."""


class Connector:
    """Makes connections, for a tenant each: look-ups are shared out by tenant."""

    def __init__(self, guard: Guard, tls: ssl.SSLContext, lookups_max: Resolver) -> None:
        self._guard = guard
        self._tls = tls
        self._look_ups = lookups_max

    async def connect(self, place: Place, tenant: Hashable) -> Connection:
        """Raises Blocked, ssl.SSLError, TimeoutError or another OSError."""
        connected = await self._connect_any(await self._addresses(place, tenant), place.port)
        # From here on the socket is the transport's: to close it here would free its number under
        # a loop that still watches it.
        _, connection = await asyncio.get_running_loop().create_connection(
            Connection,
            sock=connected,
            ssl=self._tls if place.is_tls else None,
            server_hostname=place.host if place.is_tls else None,
        )
        return connection

    async def _addresses(self, place: Place, tenant: Hashable) -> Sequence[str]:
        answers: Sequence[str] = [place.host]
        if not _is_address(place.host):
            answers = await self._look_ups.find(place.host, tenant)
        if not answers:
            raise OSError("the name has no address")
        if not all(self._guard.may_connect(answer, place.port) for answer in answers):
            raise Blocked
        return list(dict.fromkeys(answers))

    async def _connect_any(self, addresses: Sequence[str], port: int) -> socket.socket:
        """The first that answers; one that does not is left after a while for the next."""
        *others, last = addresses
        for address in others:
            try:
                async with asyncio.timeout(NEXT_ADDRESS_AFTER):
                    return await self._connect_one(address, port)
            except Blocked:
                raise
            except OSError:
                continue
        return await self._connect_one(last, port)

    async def _connect_one(self, address: str, port: int) -> socket.socket:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        made = socket.socket(family, socket.SOCK_STREAM)
        try:
            made.setblocking(False)
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await asyncio.get_running_loop().sock_connect(made, (address, port))
            local, peer = made.getsockname()[0], made.getpeername()[0]
            if not self._guard.may_stay(local, peer, port):
                raise Blocked
        except BaseException:
            made.close()
            raise
        return made


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
