"""Posts to customers over real sockets: every ending has its word, no private address is met."""

import asyncio
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest
import trustme
import uvloop
from dnslib import RR, DNSRecord
from dnslib.server import DNSLogger, DNSServer

from tests.support.receiver import Receiver, drip, endless, hang, raw, redirect, reply, reset
from tidings import __version__
from tidings.clock import SystemClock
from tidings.engine.http.outbound import Fault, Outbound, Posted

SOON = timedelta(seconds=5)
SHORT = timedelta(milliseconds=300)
BODY = b'{"id": "whk_1"}'
OK = b"HTTP/1.1 200 OK\r\n"

Run = Callable[[Awaitable[Any]], Any]


@pytest.fixture(params=[asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Run:
    return request.param


@pytest.fixture
def receiver():
    with Receiver() as receiver:
        yield receiver


def client(**options: Any) -> Outbound:
    return Outbound(SystemClock(), **{"allow_private": True, **options})


async def post(url: str, *, timeout: timedelta = SOON, **options: Any) -> Posted:
    async with client(**options) as outbound:
        return await outbound.post(url, BODY, {"X-Webhook-Id": "whk_1"}, timeout=timeout)


async def post_many(url: str, count: int, *, timeout: timedelta = SOON, **options) -> list[Posted]:
    async with client(**options) as outbound:
        posting = (outbound.post(url, BODY, {}, timeout=timeout) for _ in range(count))
        return await asyncio.gather(*posting)


def answering(*addresses: str):
    """A look-up that gives these addresses for every name, and remembers what it was asked."""

    async def look_up(host: str) -> list[str]:
        look_up.asked.append(host)
        return list(addresses)

    look_up.asked = []
    return look_up


# What is sent


def test_the_body_goes_out_byte_for_byte_under_our_name(run: Run, receiver: Receiver) -> None:
    assert run(post(receiver.url_at("127.0.0.1", "/a%2Fb/../c?d=%20+e"))).status == 200
    [heard] = receiver.wait_for(1)
    assert (heard.method, heard.path) == ("POST", "/a%2Fb/../c?d=%20+e")
    assert heard.body == BODY
    assert heard["X-Webhook-Id"] == "whk_1"
    assert heard["User-Agent"] == f"Tidings/{__version__}"
    assert heard["Accept-Encoding"] == "identity"


def test_no_cookie_comes_back(run: Run, receiver: Receiver) -> None:
    receiver.answer(200, headers={"Set-Cookie": "a=b; Path=/"})
    run(post_many(receiver.url_at("localhost"), 2, per_host=1))
    assert all("cookie" not in heard.headers for heard in receiver.wait_for(2))


def test_the_proxy_of_the_environment_is_not_used(
    run: Run, receiver: Receiver, monkeypatch
) -> None:
    with Receiver() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        assert run(post(receiver.url)).status == 200
        assert not proxy.connections


# How it may end


@pytest.mark.parametrize("status", [200, 201, 204, 299, 304, 400, 404, 410, 429, 500, 503, 999])
def test_a_status_is_told_as_it_is(run: Run, receiver: Receiver, status: int) -> None:
    receiver.answer(status)
    posted = run(post(receiver.url))
    assert (posted.status, posted.error) == (status, None)
    assert 0 <= posted.ms < 2000


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(run: Run, receiver: Receiver, status: int) -> None:
    with Receiver() as elsewhere:
        receiver.answer(redirect(elsewhere.url, status))
        assert run(post(receiver.url)).status == status
        assert not elsewhere.connections


@pytest.mark.parametrize(
    "answer",
    [hang(), hang(OK + b"X-A: "), reply(200, delay=1), drip(200, pause=0.05)]
    + [hang(b"HTTP/1.1 100 Continue\r\n\r\n" * 100)],
    ids=["silence", "half a head", "late", "byte by byte", "continue"],
)  # fmt: skip
def test_headers_not_all_there_in_time_are_a_timeout(run: Run, receiver: Receiver, answer) -> None:
    receiver.answer(answer)
    began = time.monotonic()
    posted = run(post(receiver.url, timeout=SHORT))
    assert time.monotonic() - began < 1
    assert (posted.status, posted.error) == (None, Fault.TIMEOUT)
    assert 290 <= posted.ms < 600


def test_an_answer_just_inside_the_time_counts(run: Run, receiver: Receiver) -> None:
    receiver.answer(200, delay=0.2)
    posted = run(post(receiver.url, timeout=SHORT))
    assert posted.status == 200
    assert 200 <= posted.ms < 300


@pytest.mark.parametrize("answer", [reset(), raw(b""), raw(b"HTTP/1.1 200"), raw(OK + b"X-A: ")])
def test_a_broken_connection_is_a_failed_one(run: Run, receiver: Receiver, answer) -> None:
    receiver.answer(answer)
    posted = run(post(receiver.url))
    assert (posted.status, posted.error) == (None, Fault.CONNECTION_FAILED)


def test_a_closed_port_is_a_failed_connection(run: Run) -> None:
    with socket.socket() as unheard:
        unheard.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unheard.getsockname()[1]}/"
        assert run(post(url)).error is Fault.CONNECTION_FAILED


@pytest.mark.parametrize(
    "answer",
    [
        b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
        b"220 mail.example.com ESMTP\r\n\r\n",
        b"\x16\x03\x01\x00\x05hello\r\n\r\n",
        b"HTTP/1.1 OK\r\n\r\n",
        b"HTTP/1.1 99999 Odd\r\n\r\n",
        b"HTTP/9.9 200 OK\r\n\r\n",
        OK + b"Content-Length: x\r\n\r\n",
        OK + b"Content-Length: -1\r\n\r\n",
        OK + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\nnonsense\r\n",
        OK + b"no colon here\r\n\r\n",
        OK + b"X-A: \x00\r\n\r\n",
        OK + b"X-A: " + b"a" * 20_000 + b"\r\n\r\n",
        OK + b"X-A: a\r\n" * 1000 + b"\r\n",
    ],
)
def test_what_is_not_http_is_a_bad_response(run: Run, receiver: Receiver, answer: bytes) -> None:
    receiver.answer(raw(answer))
    posted = run(post(receiver.url))
    assert (posted.status, posted.error) == (None, Fault.BAD_RESPONSE)


def test_the_words_are_a_closed_list() -> None:
    words = ["timeout", "connection failed", "tls failed", "blocked", "bad response"]
    assert [str(fault) for fault in Fault] == words


# What comes back


@pytest.mark.parametrize("answer", [endless(), endless(claims=1 << 30), endless(500)])
def test_an_endless_body_is_cut_off_and_not_kept(run: Run, receiver: Receiver, answer) -> None:
    receiver.answer(answer)
    began = time.monotonic()
    posted = run(post(receiver.url))
    assert time.monotonic() - began < 1
    assert posted.status in (200, 500)
    assert "secret" not in repr(posted)


def test_a_body_that_stalls_does_not_undo_the_status(run: Run, receiver: Receiver) -> None:
    receiver.answer(hang(OK + b"Content-Length: 10\r\n\r\nhalf"))
    began = time.monotonic()
    assert run(post(receiver.url, timeout=SHORT)).status == 200
    assert time.monotonic() - began < 0.6, "and does not hold us beyond the time given"


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (OK + b"Content-Length: 10\r\n\r\nhalf", 200),
        (OK + b"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nhalf", 200),
        (b"HTTP/1.0 200 OK\r\n\r\nuntil the end", 200),
        (b"HTTP/1.1 101 Odd\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nx", 101),
    ],
)
def test_nor_does_a_broken_one(run: Run, receiver: Receiver, answer: bytes, status: int) -> None:
    receiver.answer(raw(answer))
    assert run(post(receiver.url)).status == status


# Connections


@pytest.mark.parametrize(
    "answer",
    [reply(200), reply(200, body=b"a" * 1000), drip(200, pause=0)]
    + [raw(OK + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n")],
    ids=["empty", "small", "byte by byte", "chunked"],
)  # fmt: skip
def test_one_connection_serves_many_posts(run: Run, receiver: Receiver, answer) -> None:
    async def and_goes_on(writer: asyncio.StreamWriter) -> bool:
        await answer(writer)
        return True

    receiver.answer(and_goes_on)
    assert {posted.status for posted in run(post_many(receiver.url, 20, per_host=1))} == {200}
    assert (len(receiver.heard), receiver.connections) == (20, 1)


def test_a_large_answer_costs_its_connection(run: Run, receiver: Receiver) -> None:
    receiver.answer(200, body=b"a" * 10_000_000)
    assert {posted.status for posted in run(post_many(receiver.url, 3, per_host=1))} == {200}
    assert receiver.connections == 3


def test_posts_to_one_host_take_turns(run: Run, receiver: Receiver) -> None:
    receiver.answer(200, delay=0.01)
    run(post_many(receiver.url, 20, per_host=4))
    assert (len(receiver.heard), receiver.connections) == (20, 4)


def test_waiting_for_a_turn_is_not_the_receivers_time(run: Run, receiver: Receiver) -> None:
    receiver.answer(200, delay=0.2)
    posted = run(post_many(receiver.url, 3, per_host=1, timeout=SHORT))
    assert all(each.status == 200 and each.ms < 300 for each in posted)


def test_a_slow_host_does_not_hold_up_another(run: Run, receiver: Receiver) -> None:
    receiver.answer(hang())

    async def beside(other: Receiver) -> Posted:
        async with client(per_host=1) as outbound:
            posting = (outbound.post(receiver.url, BODY, {}, timeout=SOON) for _ in range(300))
            slow = asyncio.gather(*posting)
            await asyncio.to_thread(receiver.wait_for, 1)
            posted = await outbound.post(other.url, BODY, {}, timeout=SHORT)
            slow.cancel()
            return posted

    with Receiver() as other:
        assert run(beside(other)).status == 200


def test_cancelling_goes_through_and_frees_the_turn(run: Run, receiver: Receiver) -> None:
    receiver.answers([hang()])

    async def cancelled() -> Posted:
        async with client(per_host=1) as outbound:
            task = asyncio.create_task(outbound.post(receiver.url, BODY, {}, timeout=SOON))
            await asyncio.to_thread(receiver.wait_for, 1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return await outbound.post(receiver.url, BODY, {}, timeout=SOON)

    assert run(cancelled()).status == 200


# The guard


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1"])
def test_private_hosts_are_blocked_before_anything_is_looked_up(run: Run, host: str) -> None:
    look_up = answering("8.8.8.8")
    with Receiver() as canary:
        for url in (canary.url_at(host), f"https://{host}/", f"https://{host}:8443/"):
            posted = run(post(url, allow_private=False, look_up=look_up))
            assert posted == Posted(None, Fault.BLOCKED, 0)
        assert not canary.connections
    assert not look_up.asked


@pytest.mark.parametrize(
    "addresses",
    ["127.0.0.1", "::1", "::ffff:127.0.0.1", "169.254.169.254", "64:ff9b::7f00:1", "0x7f.1"]
    + ["localhost", "8.8.8.8 127.0.0.1", "10.0.0.1 8.8.8.8", "2606:4700::1111 fe80::1%lo"],
)  # fmt: skip
def test_a_name_with_one_private_answer_is_blocked(run: Run, addresses: str) -> None:
    look_up = answering(*addresses.split())
    posted = run(post("https://hooks.example.com/x", allow_private=False, look_up=look_up))
    assert (posted.status, posted.error) == (None, Fault.BLOCKED)
    assert look_up.asked == ["hooks.example.com"]


@pytest.mark.parametrize(
    "url", ["http://example.com/", "https://example.com:9443/", "ftp://a.com/"]
)
def test_only_https_on_two_ports_is_posted_to(run: Run, url: str) -> None:
    look_up = answering("8.8.8.8")
    assert run(post(url, allow_private=False, look_up=look_up)).error is Fault.BLOCKED
    assert not look_up.asked


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"], ids=["at the socket", "at the name"])
def test_the_service_does_not_post_to_itself(run: Run, receiver: Receiver, host: str) -> None:
    own = [("127.0.0.1", receiver.port), ("::1", receiver.port)]
    posted = run(post(receiver.url_at(host), own=own))
    assert (posted.status, posted.error) == (None, Fault.BLOCKED)
    assert not receiver.connections


def test_a_name_nobody_knows_is_a_failed_connection(run: Run) -> None:
    async def unknown(host: str) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    for look_up in (unknown, answering()):
        posted = run(post("https://example.com/", allow_private=False, look_up=look_up))
        assert posted.error is Fault.CONNECTION_FAILED


def test_a_name_server_that_hangs_is_a_timeout(run: Run) -> None:
    async def hanging(host: str) -> list[str]:
        return await asyncio.sleep(60, [])

    posted = run(post("https://a.com/", allow_private=False, look_up=hanging, timeout=SHORT))
    assert posted.error is Fault.TIMEOUT


def test_names_are_looked_up_by_the_system(run: Run, receiver: Receiver) -> None:
    assert run(post(receiver.url_at("localhost"))).status == 200


# TLS


def server_tls(authority: trustme.CA, name: str) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert(name).configure_cert(context)
    return context


def client_tls(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


@pytest.mark.parametrize(
    ("name", "trusted", "status", "error"),
    [
        ("localhost", True, 200, None),
        ("localhost", False, None, Fault.TLS_FAILED),
        ("other.example.com", True, None, Fault.TLS_FAILED),
    ],
)
def test_certificates_are_checked(run: Run, name: str, trusted: bool, status, error) -> None:
    authority = trustme.CA()
    trust = client_tls(authority) if trusted else None
    with Receiver(tls=server_tls(authority, name)) as receiver:
        posted = run(post(receiver.url_at("localhost"), tls=trust))
        assert (posted.status, posted.error) == (status, error)
        assert len(receiver.heard) == (1 if trusted and status else 0)


def test_a_server_without_tls_is_refused(run: Run) -> None:
    async def on_plain_http() -> Posted:
        async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            writer.close()

        async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
            return await post(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/")

    assert run(on_plain_http()).error is Fault.TLS_FAILED


# Rebinding, with an address of the open internet in a network of our own

NETWORK = ["unshare", "--user", "--map-root-user", "--net", "sh", "-ec"]
NETWORK += ['ip link set lo up; ip addr add 8.8.8.8/32 dev lo; exec "$@"', "sh"]


def may_make_networks() -> bool:
    try:
        return subprocess.run([*NETWORK, "true"], capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not may_make_networks(), reason="needs unshare and ip")
def test_a_name_that_turns_private_is_met_only_while_it_is_public() -> None:
    inside = [*NETWORK, sys.executable, "-c", f"import {__name__} as here; here.rebind()"]
    done = subprocess.run(inside, capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr


def rebind() -> None:
    """Run in that network: its name server says 8.8.8.8 once, and 127.0.0.1 ever after."""
    authority = trustme.CA()
    tls, trust = server_tls(authority, "hooks.example.com"), client_tls(authority)
    silent = DNSLogger(logf=lambda _: None)
    DNSServer(Turncoat(), address="127.0.0.1", port=5353, logger=silent).start_thread()

    async def ask(host: str) -> list[str]:
        packet = await asyncio.to_thread(DNSRecord.question(host).send, "127.0.0.1", 5353)
        return [str(answer.rdata) for answer in DNSRecord.parse(packet).rr]

    def tried() -> Posted:
        url = "https://hooks.example.com/x"
        return uvloop.run(post(url, allow_private=False, look_up=ask, tls=trust))

    with Receiver(host="8.8.8.8", port=443, tls=tls) as public:
        with Receiver(host="127.0.0.1", port=443, tls=tls) as canary:
            assert tried().status == 200
            assert [tried().error, tried().error] == [Fault.BLOCKED, Fault.BLOCKED]
            assert (len(public.heard), public.connections, canary.connections) == (1, 1, 0)


class Turncoat:
    asked = 0

    def resolve(self, request: DNSRecord, handler: object) -> DNSRecord:
        self.asked += 1
        address = "8.8.8.8" if self.asked == 1 else "127.0.0.1"
        reply = request.reply()
        reply.add_answer(*RR.fromZone(f"{request.q.qname} 0 A {address}"))
        return reply
