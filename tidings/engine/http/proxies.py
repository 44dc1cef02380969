"""Whom a request comes from, behind proxies of our own (docs/decisions/0005-http-shell.md). Pure.

Each proxy adds to X-Forwarded-For whom it heard. What a client wrote there itself stands before
that, so the list is read from its end: the last address that is no proxy of ours is the client's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class Proxies:
    """The networks in which only our own proxies are."""

    networks: tuple[Network, ...] = ()

    def __contains__(self, address: str) -> bool:
        return bool(self.networks) and _is_in(self.networks, address)

    def client(self, peer: str, forwarded: bytes) -> str:
        """The address that asks. From a peer that is not ours nothing is believed."""
        if peer not in self:
            return peer
        heard = peer
        for entry in reversed(forwarded.split(b",")):
            found = _parsed(entry.strip().decode("latin-1"))
            if found is None:
                break
            heard = str(found)
            if heard not in self:
                break
        return heard


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
