"""The address a request comes from, also behind our own proxies. Pure.

Each proxy appends the address of its peer to X-Forwarded-For. What a client wrote there itself
comes before that, so the list is read from its end: the last address that is not one of our proxies
is the client's (docs/decisions/0005-http-application.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class Proxies:
    """The networks that contain only our own proxies."""

    networks: tuple[Network, ...] = ()

    def __contains__(self, address: str) -> bool:
        return bool(self.networks) and _is_in(self.networks, address)

    def client(self, peer: str, forwarded: bytes) -> str:
        """The client's address. The header of a peer that is not our proxy is ignored."""
        if peer not in self:
            return peer
        found = peer
        for entry in reversed(forwarded.split(b",")):
            parsed = _parsed(entry.strip().decode("latin-1"))
            if parsed is None:
                break
            found = str(parsed)
            if found not in self:
                break
        return found


NO_PROXIES = Proxies()


@lru_cache(maxsize=10_000)
def _is_in(networks: Sequence[Network], address: str) -> bool:
    found = _parsed(address)
    return found is not None and any(found in network for network in networks)


def _parsed(text: str) -> Address | None:
    """An address, perhaps with a port or a zone; IPv4 written as IPv6 is the same address."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found


@lru_cache(maxsize=10_000)
def network_of(address: str) -> str:
    """What counts as one client: an IPv4 address, or an IPv6 /64, which belongs to one customer."""
    if ":" not in address:
        return address
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ip_network((int(parsed) >> 64 << 64, 64)))
