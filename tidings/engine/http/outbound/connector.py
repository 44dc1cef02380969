"""Connects to other servers: to addresses that customers chose only if public (reliability 2.11).

The name is resolved once and every address must be allowed; then the socket is connected to one of
exactly those addresses, so a name cannot change between check and use (DNS rebinding).
docs/decisions/0006-egress-guard.md
"""

import asyncio
import socket
import ssl
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from ipaddress import IPv6Address, ip_address
from typing import Generic, NamedTuple, Self, TypeVar

from tidings.engine.http.outbound.resolver import Resolver
from tidings.urls import POST_PORTS, Address, is_public

C = TypeVar("C", bound=asyncio.Protocol)

NEXT_ADDRESS_AFTER = 2.0  # seconds, if a name has several addresses and one does not answer


class Destination(NamedTuple):
    """Host and port of a URL; the key of pooled connections."""

    host: str
    port: int
    is_tls: bool


class Blocked(OSError):
    """The guard refused an address."""


@dataclass(frozen=True, slots=True)
class Guard:
    """Decides which addresses may be connected to."""

    allow_private: bool = False
    own: frozenset[tuple[Address, int]] = frozenset()
    own_everywhere: frozenset[int] = frozenset()  # ports bound to all our addresses

    @classmethod
    def of(cls, *, allow_private: bool, own: Iterable[tuple[str, int]]) -> Self:
        """`own`: the addresses and ports this service listens on; it must not post to itself."""
        listeners = [(_plain(ip_address(host)), port) for host, port in own]
        return cls(
            allow_private=allow_private,
            own=frozenset(listeners),
            own_everywhere=frozenset(port for host, port in listeners if host.is_unspecified),
        )

    def may_connect(self, host: str, port: int) -> bool:
        """`host` must be an IP address in canonical form; anything else is refused."""
        try:
            address = _plain(ip_address(host))
        except ValueError:
            return False
        if (address, port) in self.own:
            return False
        return self.allow_private or (port in POST_PORTS and is_public(address))

    def may_stay(self, local: str, peer: str, port: int) -> bool:
        """Whether an established connection may be used: its peer must not be this service.

        The addresses of this host are not known in advance, but a connection to one of them has
        that same address on both ends.
        """
        if _plain(ip_address(local)) == _plain(ip_address(peer)):
            return port not in self.own_everywhere
        return self.may_connect(peer, port)


class Connector(Generic[C]):
    """Opens connections on behalf of a tenant; tenants share the resolver fairly."""

    def __init__(
        self,
        make: Callable[[], C],
        guard: Guard,
        resolver: Resolver,
        tls: ssl.SSLContext | None = None,
        *,
        next_address_after: float = NEXT_ADDRESS_AFTER,
    ) -> None:
        """`tls`: whom to trust, by default the authorities that the system trusts."""
        self._make = make
        self._guard = guard
        self._tls = tls or _system_tls_context()
        self._resolver = resolver
        self._next_address_after = next_address_after

    async def connect(self, destination: Destination, tenant: Hashable = None) -> C:
        """Raises Blocked, ssl.SSLError, TimeoutError or another OSError."""
        connected = await self._connect_any(
            await self._addresses(destination, tenant), destination.port
        )
        # From here on the transport owns the socket: closing it here would free a file descriptor
        # that the loop still watches.
        _, connection = await asyncio.get_running_loop().create_connection(
            self._make,
            sock=connected,
            ssl=self._tls if destination.is_tls else None,
            server_hostname=destination.host if destination.is_tls else None,
        )
        return connection

    async def _addresses(self, destination: Destination, tenant: Hashable) -> Sequence[str]:
        answers: Sequence[str] = [destination.host]
        if not _is_address(destination.host):
            answers = await self._resolver.find(destination.host, tenant)
        if not answers:
            raise OSError("the name has no address")
        if not all(self._guard.may_connect(answer, destination.port) for answer in answers):
            raise Blocked
        return list(dict.fromkeys(answers))

    async def _connect_any(self, addresses: Sequence[str], port: int) -> socket.socket:
        """The first address that answers; each is given a moment before the next."""
        *others, last = addresses
        for address in others:
            try:
                async with asyncio.timeout(self._next_address_after):
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


@cache
def _system_tls_context() -> ssl.SSLContext:
    """Cached, because loading the system's certificate authorities is slow."""
    return ssl.create_default_context()


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _plain(address: Address) -> Address:
    """An IPv4-mapped IPv6 address as its IPv4 address: both reach the same listener."""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
