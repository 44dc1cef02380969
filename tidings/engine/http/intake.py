"""The bounds of a connection (reliability.md 2.14), and who is connected."""

from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

from tidings import limits
from tidings.engine.http.proxies import NO_PROXIES, Proxies


@dataclass(frozen=True, slots=True)
class IntakeLimits:
    """What a client may take of us: bytes, headers, seconds and connections."""

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
    connections_max: int = limits.CONNECTIONS_MAX
    connections_per_address_max: int = limits.CONNECTIONS_PER_ADDRESS_MAX
    proxies: Proxies = NO_PROXIES  # our own: many clients come from their one address
    docs_url: str = "/docs"

    @property
    def tick_seconds(self) -> float:
        """How often a connection looks at its clock: a fifth of its shortest time, at most 1 s."""
        shortest = min(
            self.headers_timeout,
            self.body_timeout,
            self.body_slow_start,
            self.reading_window,
            self.keep_alive,
        )
        return min(1.0, shortest.total_seconds() / 5)


@lru_cache(maxsize=10_000)
def network_of(address: str) -> str:
    """Whom an address stands for. An IPv6 customer has a whole /64 of them to choose from."""
    if ":" not in address:
        return address
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ip_network((int(parsed) >> 64 << 64, 64)))


class ConnectionLimiter:
    """Counts connections, in all and by peer address."""

    __slots__ = ("_by_address", "_intake", "total")

    def __init__(self, intake: IntakeLimits) -> None:
        self._intake = intake
        self._by_address: dict[str, int] = {}
        self.total = 0

    def counted_as(self, peer: str) -> str:
        """Whom a connection is counted for; "" for a proxy of ours and a local socket, which only
        the total bounds."""
        return "" if peer in self._intake.proxies else network_of(peer)

    def join(self, address: str) -> bool:
        """Count one more; False when it is one too many. Every join is followed by a leave."""
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
        """So many that even saying no costs too much."""
        return self.total > 2 * self._intake.connections_max
