"""Which addresses are of the open internet, and which of those a post may connect to (2.11)."""

from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.engine.http.outbound.connector import Guard
from tidings.urls import is_public


def table(text: str) -> list[str]:
    return text.split()


# Each range by its first, some inner and its last address.
REFUSED_IPV4 = table("""
0.0.0.0 0.0.0.1 0.1.2.3 0.255.255.255
10.0.0.0 10.0.0.1 10.1.2.3 10.128.0.1 10.255.255.255
100.64.0.0 100.64.0.1 100.100.100.200 100.127.255.255
127.0.0.0 127.0.0.1 127.0.0.53 127.0.1.1 127.1.2.3 127.255.255.255
169.254.0.0 169.254.0.1 169.254.169.254 169.254.170.2 169.254.255.255
172.16.0.0 172.16.0.1 172.17.0.1 172.20.10.1 172.31.255.255
192.0.0.0 192.0.0.8 192.0.0.9 192.0.0.10 192.0.0.170 192.0.0.192 192.0.0.255
192.0.2.0 192.0.2.1 192.0.2.255
192.88.99.0 192.88.99.1 192.88.99.255
192.168.0.0 192.168.0.1 192.168.1.1 192.168.178.1 192.168.255.255
198.18.0.0 198.18.0.1 198.19.0.1 198.19.255.255
198.51.100.0 198.51.100.7 198.51.100.255
203.0.113.0 203.0.113.5 203.0.113.255
224.0.0.0 224.0.0.1 224.0.0.251 224.0.1.1 232.0.0.1 233.252.0.1 239.1.1.1 239.255.255.250
239.255.255.255 240.0.0.0 240.0.0.1 250.1.2.3 255.255.255.254 255.255.255.255
""")

# Each range's neighbours, and some well-known addresses.
PUBLIC_IPV4 = table("""
1.0.0.0 1.1.1.1 8.8.8.8 9.9.9.9 9.255.255.255 11.0.0.0 34.117.59.81 52.95.110.1
100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 142.250.74.46
169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 185.60.216.35
191.255.255.255 192.0.1.0 192.0.1.255 192.0.3.0 192.31.196.1 192.52.193.1
192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 192.175.48.1
198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0
208.67.222.222 223.255.255.255
""")

REFUSED_IPV6 = table("""
:: ::1 ::2 ::7f00:1 ::127.0.0.1 ::8.8.8.8 ::a00:1 ::fffe:7f00:1
::ffff:0:7f00:1 ::ffff:0:8.8.8.8 ::1:0:0:0 1::1
64:ff9b:: 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b::10.0.0.1 64:ff9b::8.8.8.8
64:ff9b:1:: 64:ff9b:1::1 64:ff9b:1:ffff::1
100:: 100::1 100:0:0:1::1 200::1 400::1 800::1 1000::1 1fff:ffff::1
1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
2001:: 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:0:7f00:1::1 2001:1::1 2001:1::2 2001:1::3
2001:2::1 2001:3::1 2001:4:112::1 2001:10::1 2001:1f::1 2001:20::1 2001:30::1 2001:100::1
2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff
2001:db8:: 2001:db8::1 2001:db8:1234::5678 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff
2002:: 2002:7f00:1:: 2002:7f00:0001::1 2002:a00:1:: 2002:a9fe:a9fe:: 2002:c0a8:101::1
2002:808:808::1 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff
3fff:: 3fff::1 3fff:fff::1 3fff:0fff:ffff:ffff:ffff:ffff:ffff:ffff
4000:: 4000::1 5f00:: 5f00::1 6000::1 8000::1 a000::1 c000::1 e000::1 f000::1 f800::1 fb00::1
fc00:: fc00::1 fd00::1 fd00:ec2::254 fd12:3456:789a::1 fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
fe00::1 fe80:: fe80::1 fe80::a00:27ff:fe00:1 febf:ffff::1
fec0:: fec0::1 feff::1 ff00::1 ff01::1 ff02::1 ff02::fb ff05::2 ff0e::1 ff3e::1
ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
::ffff:0.0.0.0 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:100.64.0.1
::ffff:169.254.169.254 ::ffff:172.16.0.1 ::ffff:192.168.1.1 ::ffff:198.18.0.1 ::ffff:224.0.0.1
::ffff:255.255.255.255 fe80::1%eth0 2606:4700::1111%eth0 ::1%lo 2a00:1450::1%1
""")

PUBLIC_IPV6 = table("""
2000:: 2000::1 2001:200:: 2001:200::1 2001:4860:4860::8888 2001:db7:ffff::1 2001:db9::
2001:500:88:200::8 2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2003:: 2003::1 2400:cb00::1 2600::
2606:4700::1111 2606:4700:4700::1001 2620:fe::fe 2800:3f0::1 2a00:1450:4001:82a::200e
2a03:2880:f10c::1 2c0f:fb50::1 3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff 3fff:1000:: 3fff:1000::1
3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ::ffff:8.8.8.8 ::ffff:1.1.1.1 ::ffff:808:808
""")

REFUSED = REFUSED_IPV4 + REFUSED_IPV6
PUBLIC = PUBLIC_IPV4 + PUBLIC_IPV6


def test_the_table_is_as_long_as_promised() -> None:
    assert len(set(REFUSED) | set(PUBLIC)) >= 200
    assert not set(REFUSED) & set(PUBLIC)


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_of_the_open_internet_is_refused(text: str) -> None:
    assert not is_public(ip_address(text))
    assert not Guard().may_connect(text, 443)


@pytest.mark.parametrize("text", PUBLIC)
def test_addresses_of_the_open_internet_pass(text: str) -> None:
    assert is_public(ip_address(text))
    assert Guard().may_connect(text, 443)


@given(st.ip_addresses(v=6))
def test_ipv6_outside_2000_3_is_never_public_unless_it_is_mapped_ipv4(address) -> None:
    if address.ipv4_mapped is None and int(address) >> 125 != 0b001:
        assert not is_public(address)


@given(st.ip_addresses(v=4))
def test_ipv4_written_as_ipv6_is_judged_as_itself(address) -> None:
    assert is_public(ip_address(f"::ffff:{address}")) == is_public(address)
    for embedding in (f"64:ff9b::{address}", f"::{address}", f"::ffff:0:{address}"):
        assert not is_public(ip_address(embedding))


@pytest.mark.parametrize("port", [443, 8443])
def test_the_two_ports_of_webhooks_pass(port: int) -> None:
    assert Guard().may_connect("8.8.8.8", port)


@pytest.mark.parametrize("port", [0, 22, 25, 80, 444, 5432, 6379, 8080, 9443, 65535])
def test_other_ports_are_refused(port: int) -> None:
    assert not Guard().may_connect("8.8.8.8", port)


@pytest.mark.parametrize(
    "spelling",
    table("""
    2130706433 0x7f000001 0x7f.1 0177.0.0.1 127.1 127.0.1 0 8 134744072 8.8.8 08.8.8.8 8.8.8.8.
    8.8.8.8:443 256.1.1.1 1.2.3.4.5 [2606:4700::1111] 2606:4700:::1 ①②⑦.⓪.⓪.① １２７.0.0.1 localhost
    example.com
    """),
)
def test_what_is_no_plain_address_is_refused_not_guessed(spelling: str) -> None:
    assert not Guard().may_connect(spelling, 443)
    assert not Guard(allow_private=True).may_connect(spelling, 443)


def test_allow_private_opens_private_addresses_and_all_ports() -> None:
    guard = Guard.of(allow_private=True, own=[])
    assert all(guard.may_connect(host, 9000) for host in ("127.0.0.1", "::1", "10.1.2.3"))


@pytest.mark.parametrize("spelling", ["203.8.8.8", "::ffff:203.8.8.8", "::ffff:cb08:808"])
def test_the_service_never_posts_to_itself(spelling: str) -> None:
    guard = Guard.of(allow_private=False, own=[("203.8.8.8", 443), ("2606:4700::99", 443)])
    assert not guard.may_connect(spelling, 443)
    assert guard.may_connect(spelling, 8443), "another service of the same machine"
    assert not guard.may_connect("2606:4700:0::99", 443)


def test_nor_in_development() -> None:
    guard = Guard.of(allow_private=True, own=[("127.0.0.1", 8080)])
    assert not guard.may_connect("127.0.0.1", 8080)
    assert guard.may_connect("127.0.0.1", 8081)


def test_a_listener_on_every_address_is_known_by_who_connects_to_it() -> None:
    guard = Guard.of(allow_private=False, own=[("0.0.0.0", 443), ("::", 8443)])
    ours, theirs = "203.8.8.8", "198.8.8.8"
    assert guard.may_connect(ours, 443), "which addresses are ours is not known beforehand"
    assert not guard.may_stay(ours, ours, 443)
    assert not guard.may_stay("2606:4700::9", "2606:4700:0::9", 8443)
    assert not guard.may_stay(f"::ffff:{ours}", ours, 443)
    assert guard.may_stay(ours, theirs, 443)
    assert not Guard.of(allow_private=False, own=[]).may_stay(theirs, "10.0.0.1", 443)


def test_a_listener_on_one_address_leaves_the_port_of_the_others_free() -> None:
    guard = Guard.of(allow_private=True, own=[("203.8.8.8", 443)])
    assert guard.may_stay("198.8.8.8", "198.8.8.8", 443), "nothing of ours listens there"
