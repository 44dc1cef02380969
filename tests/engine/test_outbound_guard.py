"""The egress guard over real sockets: no private address is met, whatever names and URLs say."""

import asyncio
import gc
import socket
import subprocess
import sys
import threading
import warnings

import pytest
import trustme
import uvloop

from tests.engine.test_outbound import SHORT, SOON, post
from tests.rules.test_addresses import REFUSED
from tests.support.receiver import NameServer, Receiver, presenting, trusting
from tidings.clock import SystemClock
from tidings.engine.http.outbound.client import Fault, Outbound, Posted


def answering(*addresses: str):
    """A resolver that gives these addresses for every name, and records the names asked for."""

    def resolve(host: str) -> list[str]:
        resolve.asked.append(host)
        return list(addresses)

    resolve.asked = []
    return resolve


# The guard


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/", "https://localhost/", "https://[::1]:8443/", "https://2130706433/",
        "https://0x7f.1/", "http://127.0.0.1/", "http://example.com/", "https://example.com:9443/",
    ],
)  # fmt: skip
async def test_what_is_no_public_https_is_blocked_before_any_look_up(url: str) -> None:
    resolve = answering("8.8.8.8")
    posted = await post(url, allow_private=False, resolve=resolve)
    assert posted == Posted(None, Fault.BLOCKED, 0)
    assert not resolve.asked


async def test_a_private_server_hears_nothing(receiver: Receiver) -> None:
    assert (await post(receiver.url, allow_private=False)).error is Fault.BLOCKED
    assert not receiver.connections


@pytest.mark.parametrize(
    "addresses",
    [
        "127.0.0.1", "::1", "::ffff:127.0.0.1", "169.254.169.254", "64:ff9b::7f00:1", "0x7f.1",
        "localhost", "8.8.8.8 127.0.0.1", "10.0.0.1 8.8.8.8", "2606:4700::1111 fe80::1%lo",
    ],
)  # fmt: skip
async def test_a_name_with_one_private_answer_is_blocked(addresses: str) -> None:
    resolve = answering(*addresses.split())
    posted = await post("https://hooks.example.com/x", allow_private=False, resolve=resolve)
    assert (posted.status, posted.error) == (None, Fault.BLOCKED)
    assert resolve.asked == ["hooks.example.com"]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"], ids=["at the socket", "at the name"])
async def test_the_service_does_not_post_to_itself(receiver: Receiver, host: str) -> None:
    own = [("127.0.0.1", receiver.port), ("::1", receiver.port)]
    posted = await post(receiver.url_at(host), own=own)
    assert (posted.status, posted.error) == (None, Fault.BLOCKED)
    assert not receiver.connections


@pytest.mark.parametrize("everywhere", ["0.0.0.0", "::"])
async def test_nor_where_it_listens_on_every_address(receiver: Receiver, everywhere: str) -> None:
    posted = await post(receiver.url, own=[(everywhere, receiver.port)])
    assert (posted.status, posted.error) == (None, Fault.BLOCKED)
    assert not receiver.requests
    assert (await post(receiver.url, own=[(everywhere, 1)])).status == 200


async def test_a_name_whose_first_address_is_dead_is_reached_by_another(receiver: Receiver) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.2", 0))
        resolve = answering("127.0.0.2", "127.0.0.1")
        posted = await post(receiver.url_at("hooks.example.com"), resolve=resolve)
    assert posted.status == 200


async def test_a_name_that_leads_to_us_is_blocked_whatever_else_it_leads_to(
    receiver: Receiver,
) -> None:
    resolve = answering("127.0.0.1", "127.0.0.2")
    url, own = receiver.url_at("hooks.example.com"), [("0.0.0.0", receiver.port)]
    assert (await post(url, resolve=resolve, own=own)).error is Fault.BLOCKED


async def test_an_address_is_not_looked_up(receiver: Receiver) -> None:
    resolve = answering("127.0.0.2")
    assert (await post(receiver.url_at("127.0.0.1"), resolve=resolve)).status == 200
    assert not resolve.asked


async def test_what_cannot_be_reached_leaves_no_socket_open() -> None:
    gc.collect()  # what tests before this one have left is not meant
    with socket.socket() as closed, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ResourceWarning)
        closed.bind(("127.0.0.2", 0))
        posted = await post(f"http://127.0.0.2:{closed.getsockname()[1]}/")
        gc.collect()
    assert posted.error is Fault.CONNECTION_FAILED
    left = [str(warning.message) for warning in caught]
    # One with a peer was connected: it is of a service that other tests have running.
    assert [socket for socket in left if "raddr" not in socket] == []


def test_connecting_never_blocks_the_loop(receiver: Receiver) -> None:
    """In debug mode asyncio refuses a socket that would."""
    assert asyncio.run(post(receiver.url), debug=True).status == 200


def unknown(host: str) -> list[str]:
    raise socket.gaierror(socket.EAI_NONAME, "unknown")


async def test_a_name_without_an_address_is_reported_by_its_word() -> None:
    async def error(resolve, **options) -> Fault:
        options |= {"allow_private": False, "resolve": resolve}
        return (await post("https://example.com/", **options)).error

    assert await error(unknown) is Fault.CONNECTION_FAILED
    assert await error(answering()) is Fault.CONNECTION_FAILED
    assert await error(lambda host: threading.Event().wait(), timeout=SHORT) is Fault.TIMEOUT


async def test_names_are_looked_up_by_the_system(receiver: Receiver) -> None:
    assert (await post(receiver.url_at("localhost"))).status == 200


async def test_no_address_of_the_table_is_ever_met() -> None:
    """As the answer of a name, beside a good answer, and as a literal: 500 posts, no connect."""
    names = {f"n{n}.example.com": [address] for n, address in enumerate(REFUSED)}
    names |= {f"m{n}.example.com": ["8.8.8.8", address] for n, address in enumerate(REFUSED)}
    literals = [f"[{address}]" if ":" in address else address for address in REFUSED]

    ended = {}
    async with Outbound(SystemClock(), resolve=names.__getitem__) as outbound:
        for host in [*names, *literals]:
            url = f"https://{host}/"
            ended[host] = (await outbound.post(url, b"{}", {}, timeout=SOON)).error
    assert len(ended) >= 500
    assert [host for host, error in ended.items() if error is not Fault.BLOCKED] == []


# TLS


@pytest.mark.parametrize(
    ("name", "trusted", "outcome"),
    [
        ("localhost", True, (200, None)),
        ("localhost", False, (None, Fault.TLS_FAILED)),
        ("other.example.com", True, (None, Fault.TLS_FAILED)),
    ],
)
async def test_certificates_are_checked(name: str, trusted: bool, outcome) -> None:
    authority = trustme.CA()
    with Receiver(tls=presenting(authority, name)) as receiver:
        tls = trusting(authority) if trusted else None
        posted = await post(receiver.url_at("localhost"), tls=tls)
    assert (posted.status, posted.error) == outcome
    assert bool(receiver.requests) == bool(posted.status)


async def test_a_server_without_tls_is_refused() -> None:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        posted = await post(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
    assert posted.error is Fault.TLS_FAILED


# Rebinding, with an address of the open internet in a network of our own

NETWORK = ["sh", "-c", 'exec unshare --user --map-root-user --net sh -ec "$0" sh "$@"']
NETWORK += ['ip link set lo up; ip addr add 8.8.8.8/32 dev lo; exec "$@"']
MAY_MAKE_NETWORKS = subprocess.run([*NETWORK, "true"], capture_output=True).returncode == 0


@pytest.mark.skipif(not MAY_MAKE_NETWORKS, reason="needs unshare and ip")
def test_a_name_that_turns_private_is_met_only_while_it_is_public() -> None:
    inside = [*NETWORK, sys.executable, "-c", f"import {__name__} as here; here.rebind()"]
    done = subprocess.run(inside, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def rebind() -> None:
    """Run in that network: the name server says 8.8.8.8 once, and 127.0.0.1 ever after."""
    authority = trustme.CA()
    names = NameServer(["8.8.8.8", "127.0.0.1"])
    options = {"allow_private": False, "resolve": names.resolve_name, "tls": trusting(authority)}
    at_443 = {"port": 443, "tls": presenting(authority, "hooks.example.com")}
    with Receiver(host="8.8.8.8", **at_443) as public, Receiver(**at_443) as canary:
        tried = [uvloop.run(post("https://hooks.example.com/x", **options)) for _ in range(3)]
        assert [each.status for each in tried] == [200, None, None]
        assert [each.error for each in tried] == [None, Fault.BLOCKED, Fault.BLOCKED]
        assert (len(public.requests), public.connections, canary.connections) == (1, 1, 0)
