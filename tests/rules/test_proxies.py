"""Whom a request comes from, behind proxies of our own. Pure rules."""

from ipaddress import ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.engine.http.client_address import Proxies

OURS = Proxies((ip_network("10.0.0.0/8"), ip_network("192.0.2.7/32"), ip_network("fd00::/8")))


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("203.0.113.9", "", "203.0.113.9"),
        ("203.0.113.9", "198.51.100.1", "203.0.113.9"),  # anybody can write a header
        ("10.1.2.3", "198.51.100.1", "198.51.100.1"),
        ("10.1.2.3", "1.2.3.4, 198.51.100.1", "198.51.100.1"),  # the client wrote the first one
        ("10.1.2.3", "1.2.3.4,198.51.100.1,10.9.9.9, 192.0.2.7", "198.51.100.1"),
        ("10.1.2.3", "10.0.0.5, 10.0.0.6", "10.0.0.5"),  # one of our own machines asks
        ("10.1.2.3", "", "10.1.2.3"),
        ("10.1.2.3", "unknown", "10.1.2.3"),
        ("10.1.2.3", "1.2.3.4, junk, 10.0.0.6", "10.0.0.6"),  # nothing before junk is believed
        ("10.1.2.3", "198.51.100.1,", "10.1.2.3"),
        ("10.1.2.3", "198.51.100.1:5123", "198.51.100.1"),
        ("10.1.2.3", "[2001:db8::1]:443", "2001:db8::1"),
        ("10.1.2.3", "2001:db8::1", "2001:db8::1"),
        ("10.1.2.3", "::ffff:198.51.100.1", "198.51.100.1"),
        ("::ffff:10.1.2.3", "198.51.100.1", "198.51.100.1"),
        ("fd00::1%eth0", "198.51.100.1", "198.51.100.1"),
        ("11.1.2.3", "198.51.100.1", "11.1.2.3"),
        ("192.0.2.8", "198.51.100.1", "192.0.2.8"),
        ("", "198.51.100.1", ""),
    ],
)
def test_the_last_address_that_is_not_ours_is_the_clients(
    peer: str, forwarded: str, client: str
) -> None:
    assert OURS.client(peer, forwarded.encode()) == client


def test_without_proxies_nobody_is_believed() -> None:
    assert Proxies().client("127.0.0.1", b"198.51.100.1") == "127.0.0.1"
    assert "127.0.0.1" not in Proxies()


@given(forged=st.binary(max_size=60))
def test_whatever_a_client_writes_it_is_whom_our_proxy_saw(forged: bytes) -> None:
    assert OURS.client("10.1.2.3", forged + b", 198.51.100.1") == "198.51.100.1"
    assert OURS.client("203.0.113.9", forged) == "203.0.113.9"
