"""Which addresses a post to a customer may connect to (docs/decisions/0006-egress-guard.md). Pure.

`is_public` itself is vocabulary, since URLs are judged by it too; here it meets the ports and the
listeners of this very service.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Self

from tidings.urls import POST_PORTS, Address, is_public

__all__ = ["Guard", "is_public"]


@dataclass(frozen=True, slots=True)
class Guard:
    """The rule every connect is held to."""

    allow_private: bool = False
    own: frozenset[tuple[Address, int]] = frozenset()
    own_everywhere: frozenset[int] = frozenset()  # ports we listen on at every address of ours

    @classmethod
    def of(cls, *, allow_private: bool, own: Iterable[tuple[str, int]]) -> Self:
        """`own` are the addresses and ports this service listens on: it must not post to itself."""
        listeners = [(_plain(ip_address(host)), port) for host, port in own]
        return cls(
            allow_private=allow_private,
            own=frozenset(listeners),
            own_everywhere=frozenset(port for host, port in listeners if host.is_unspecified),
        )

    def may_connect(self, host: str, port: int) -> bool:
        """`host` must be an address in its plain spelling; anything else is refused."""
        try:
            address = _plain(ip_address(host))
        except ValueError:
            return False
        if (address, port) in self.own:
            return False
        return self.allow_private or (port in POST_PORTS and is_public(address))

    def may_stay(self, local: str, peer: str, port: int) -> bool:
        """Of a connection that was made: its other end must not be this very service.

        Which addresses are ours is not known beforehand; but who connects to one of its own comes
        from that same address.
        """
        if _plain(ip_address(local)) == _plain(ip_address(peer)):
            return port not in self.own_everywhere
        return self.may_connect(peer, port)


def _plain(address: Address) -> Address:
    """IPv4 written as IPv6 is the same listener."""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
