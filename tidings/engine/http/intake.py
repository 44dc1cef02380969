"""Limits of connections (reliability.md 2.14), and the limiter that counts them."""

import asyncio
import socket
import struct
from dataclasses import dataclass
from datetime import timedelta

from tidings import limits
from tidings.engine.http.client_address import NO_PROXIES, Proxies, network_of

_UNSENT_BYTES_MAX = 64 * limits.KIB
_RESET_ON_CLOSE = struct.pack("ii", 1, 0)  # SO_LINGER: on, 0 seconds


@dataclass(frozen=True, slots=True)
class IntakeLimits:
    """What a client may use: bytes, headers, seconds and connections."""

    header_bytes_max: int = limits.HEADER_BYTES_MAX
    headers_max: int = limits.HEADERS_MAX
    body_bytes_max: int = limits.REQUEST_BYTES_MAX
    headers_timeout: timedelta = limits.HEADERS_TIMEOUT
    body_timeout: timedelta = limits.BODY_TIMEOUT
    body_slow_start: timedelta = limits.BODY_SLOW_START
    body_bytes_per_second_min: int = limits.BODY_BYTES_PER_SECOND_MIN
    reading_window: timedelta = limits.READING_WINDOW
    read_bytes_per_second_min: int = limits.READ_BYTES_PER_SECOND_MIN
    keep_alive: timedelta = limits.KEEP_ALIVE
    drain: timedelta = limits.SHUTDOWN_DRAIN  # of requests under way, when the server is stopped
    connections_max: int = limits.CONNECTIONS_MAX
    connections_per_address_max: int = limits.CONNECTIONS_PER_ADDRESS_MAX
    proxies: Proxies = NO_PROXIES  # our own: many clients share their addresses
    docs_url: str = "/guide/errors"

    @property
    def header_fault(self) -> str:
        return (
            f"the headers must be at most {self.header_bytes_max} bytes "
            f"and {self.headers_max} in number"
        )

    @property
    def tick_seconds(self) -> float:
        """The timer interval of a connection: a fifth of its shortest time-out, at most 1 s."""
        shortest = min(
            self.headers_timeout,
            self.body_timeout,
            self.body_slow_start,
            self.reading_window,
            self.keep_alive,
        )
        return min(1.0, shortest.total_seconds() / 5)

    def is_body_late(self, seconds: float, *, received: int, length: int | None) -> bool:
        """Whether a body is over time, or arrives too slowly. A long one must be faster to arrive
        within the time-out; half of that speed is required."""
        longest = self.body_timeout.total_seconds()
        speed_min = max(self.body_bytes_per_second_min, (length or 0) / longest / 2)
        fast_for = seconds - self.body_slow_start.total_seconds()
        return seconds > longest or received < fast_for * speed_min


class ConnectionLimiter:
    """Counts connections, in all and by peer address."""

    __slots__ = ("_by_address", "_intake", "total")

    def __init__(self, intake: IntakeLimits) -> None:
        self._intake = intake
        self._by_address: dict[str, int] = {}
        self.total = 0

    def counted_as(self, peer: str) -> str:
        """The address a connection counts for; "" for our own proxies and local sockets, which only
        the total limits."""
        return "" if peer in self._intake.proxies else network_of(peer)

    def join(self, address: str) -> bool:
        """Count a connection; False if it exceeds a limit. Every join needs a leave."""
        self.total += 1
        here = self._by_address.get(address, 0) + 1
        self._by_address[address] = here
        if self.total > self._intake.connections_max:
            return False
        return here <= self._intake.connections_per_address_max or not address

    def leave(self, address: str) -> None:
        self.total -= 1
        here = self._by_address[address] - 1
        if here:
            self._by_address[address] = here
        else:
            del self._by_address[address]

    @property
    def overloaded(self) -> bool:
        """Whether there are so many connections that even refusing one is too expensive."""
        return self.total > 2 * self._intake.connections_max


def limit_kernel_buffer(transport: asyncio.Transport) -> None:
    """Keep few unsent bytes in the kernel, so that our buffer shows how fast a client reads.

    Otherwise megabytes are queued there, and a client that reads nothing looks like one that does.
    """
    peer = _tcp_socket(transport)
    if peer is not None:
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _UNSENT_BYTES_MAX)


def reset(transport: asyncio.Transport) -> None:
    """Close and discard what is unsent. A plain close would leave it queued in the kernel, and the
    client would not notice before it reads."""
    peer = _tcp_socket(transport)
    if peer is not None:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
    transport.abort()


def _tcp_socket(transport: asyncio.Transport) -> socket.socket | None:
    peer: socket.socket | None = transport.get_extra_info("socket")
    is_tcp = peer is not None and peer.family in (socket.AF_INET, socket.AF_INET6)
    return peer if is_tcp else None
