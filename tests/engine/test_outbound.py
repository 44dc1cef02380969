"""Posts to customers over real sockets: every ending has its word, no private address is met."""

import asyncio
import time
from datetime import timedelta
from typing import Any

import pytest

from tests.support.receiver import (
    Receiver,
    drip,
    endless,
    hang,
    raw,
    redirect,
    reply,
    reset,
)
from tests.support.waiting import until
from tidings import __version__, limits
from tidings.clock import SystemClock
from tidings.engine.http.outbound.client import Fault, Outbound, Posted

SOON = timedelta(seconds=30)
SHORT = timedelta(milliseconds=300)
BODY = b'{"id": "whk_1"}'
OK = b"HTTP/1.1 200 OK\r\n"
EMPTY = OK + b"Content-Length: 0\r\n\r\n"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"


def client(**options: Any) -> Outbound:
    return Outbound(SystemClock(), **{"allow_private": True, **options})


async def post(url: str, *, timeout: timedelta = SOON, **options: Any) -> Posted:
    async with client(**options) as outbound:
        return await outbound.post(url, BODY, {"X-Webhook-Id": "whk_1"}, timeout=timeout)


async def post_many(url: str, count: int, *, timeout: timedelta = SOON, **options) -> list[Posted]:
    async with client(**options) as outbound:
        posting = (outbound.post(url, BODY, {}, timeout=timeout) for _ in range(count))
        return await asyncio.gather(*posting)


def passed_ms(began: float) -> float:
    """Since then, rounded up: nothing within that time can have taken longer."""
    return (time.monotonic() - began) * 1000 + 1


# What is sent


async def test_the_body_goes_out_byte_for_byte_under_our_name(receiver: Receiver) -> None:
    assert (await post(receiver.url_at("127.0.0.1", "/a%2Fb/../c?d=%20+e"))).status == 200
    [request] = receiver.wait_for(1)
    assert (request.method, request.path) == ("POST", "/a%2Fb/../c?d=%20+e")
    assert request.body == BODY
    assert request["X-Webhook-Id"] == "whk_1"
    assert request["User-Agent"] == f"Tidings/{__version__}"
    assert request["Accept-Encoding"] == "identity"


async def test_no_cookie_comes_back(receiver: Receiver) -> None:
    receiver.answer(200, headers={"Set-Cookie": "a=b; Path=/"})
    await post_many(receiver.url_at("localhost"), 2, connections=1)
    assert all("cookie" not in request.headers for request in receiver.wait_for(2))


async def test_the_proxy_of_the_environment_is_not_used(receiver: Receiver, monkeypatch) -> None:
    with Receiver() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        assert (await post(receiver.url)).status == 200
        assert not proxy.connections


# How it may end


@pytest.mark.parametrize("status", [200, 201, 204, 299, 304, 400, 404, 410, 429, 500, 503, 999])
async def test_a_status_is_published_as_it_is(receiver: Receiver, status: int) -> None:
    receiver.answer(status)
    posted = await post(receiver.url)
    assert (posted.status, posted.error) == (status, None)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_not_followed(receiver: Receiver, status: int) -> None:
    with Receiver() as elsewhere:
        receiver.answer(redirect(elsewhere.url, status))
        assert (await post(receiver.url)).status == status
        assert not elsewhere.connections


@pytest.mark.parametrize(
    "answer",
    [hang(), hang(OK), hang(CONTINUE * 100), reply(200, delay=60), drip(200, pause=0.1)],
    ids=["silence", "half a head", "continue", "late", "byte by byte"],
)
async def test_headers_not_all_there_in_time_are_a_timeout(receiver: Receiver, answer) -> None:
    receiver.answer(answer)
    began = time.monotonic()
    posted = await post(receiver.url, timeout=SHORT)
    assert (posted.status, posted.error) == (None, Fault.TIMEOUT)
    assert 290 <= posted.ms <= passed_ms(began)


async def test_an_answer_inside_the_time_counts(receiver: Receiver) -> None:
    receiver.answer(200, delay=0.15)
    began = time.monotonic()
    posted = await post(receiver.url)
    assert posted.status == 200
    assert 149 <= posted.ms <= passed_ms(began)


@pytest.mark.parametrize("answer", [reset(), raw(b""), raw(b"HTTP/1.1 200"), raw(OK + b"X-A: ")])
async def test_a_broken_connection_is_a_failed_one(receiver: Receiver, answer) -> None:
    receiver.answer(answer)
    posted = await post(receiver.url)
    assert (posted.status, posted.error) == (None, Fault.CONNECTION_FAILED)


async def test_so_is_one_that_is_refused(receiver: Receiver) -> None:
    receiver.close()
    assert (await post(receiver.url)).error is Fault.CONNECTION_FAILED


@pytest.mark.parametrize(
    "answer",
    [
        b"SSH-2.0-OpenSSH_9.6\r\n\r\n", b"220 mail.example.com ESMTP\r\n\r\n",
        b"\x16\x03\x01\x00\x05hello\r\n\r\n", b"HTTP/1.1 OK\r\n\r\n",
        b"HTTP/1.1 99999 Odd\r\n\r\n", b"HTTP/9.9 200 OK\r\n\r\n",
        OK + b"Content-Length: x\r\n\r\n", OK + b"Content-Length: -1\r\n\r\n",
        OK + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
        OK + b"no colon here\r\n\r\n", OK + b"X-A: \x00\r\n\r\n",
        OK + b"X-A: " + b"a" * 200_000, OK + b"X-A: a\r\n" * 30_000,
    ],
)  # fmt: skip
async def test_what_is_not_http_is_a_bad_response(receiver: Receiver, answer: bytes) -> None:
    receiver.answer(raw(answer))
    posted = await post(receiver.url)
    assert (posted.status, posted.error) == (None, Fault.BAD_RESPONSE)


def test_the_words_are_a_closed_list() -> None:
    words = ["timeout", "connection failed", "tls failed", "blocked", "bad response"]
    assert [str(fault) for fault in Fault] == words


@pytest.mark.parametrize("answer", [endless(), endless(claims=1 << 30), endless(500)])
async def test_an_endless_body_is_cut_off_and_its_beginning_kept(
    receiver: Receiver, answer
) -> None:
    receiver.answer(answer)
    began = time.monotonic()
    posted = await post(receiver.url)
    assert time.monotonic() - began < SOON.total_seconds() / 2
    assert posted.status in (200, 500)
    assert len(posted.body) == limits.WEBHOOK_ANSWER_KEPT_BYTES


async def test_a_body_is_that_of_its_own_response(receiver: Receiver) -> None:
    receiver.answers([reply(200, body=b"one"), reply(500), reply(200, body=b"three")])
    async with Outbound(SystemClock(), allow_private=True) as outbound:
        bodies = [
            (await outbound.post(receiver.url, b"{}", {}, timeout=SOON)).body for _ in range(3)
        ]
    assert bodies == [b"one", b"", b"three"]
    assert receiver.connections == 1


async def test_a_body_that_stalls_does_not_undo_the_status(receiver: Receiver) -> None:
    receiver.answer(hang(OK + b"Content-Length: 10\r\n\r\nhalf"))
    began = time.monotonic()
    assert (await post(receiver.url)).status == 200
    held = time.monotonic() - began
    assert held < SOON.total_seconds() / 2, "nor does it hold us for the time that a status has"


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (OK + b"Content-Length: 10\r\n\r\nhalf", 200),
        (OK + b"Transfer-Encoding: chunked\r\n\r\nnonsense\r\n", 200),
        (OK + b"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nhalf", 200),
        (b"HTTP/1.0 200 OK\r\n\r\nuntil the end", 200),
        (b"HTTP/1.1 101 Odd\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nx", 101),
    ],
)
async def test_nor_does_a_broken_one(receiver: Receiver, answer: bytes, status: int) -> None:
    receiver.answer(raw(answer))
    assert (await post(receiver.url)).status == status


# Connections


@pytest.mark.parametrize(
    "answer",
    [reply(200), reply(200, body=b"a" * 1000), drip(200, pause=0), raw(OK + CHUNKED)],
    ids=["empty", "small", "byte by byte", "chunked"],
)
async def test_one_connection_serves_many_posts(receiver: Receiver, answer) -> None:
    async def and_goes_on(writer: asyncio.StreamWriter) -> bool:
        await answer(writer)
        return True

    receiver.answer(and_goes_on)
    assert {posted.status for posted in await post_many(receiver.url, 20, connections=1)} == {200}
    assert (len(receiver.requests), receiver.connections) == (20, 1)


async def test_a_large_answer_costs_its_connection(receiver: Receiver) -> None:
    receiver.answer(200, body=b"a" * 10_000_000)
    assert {posted.status for posted in await post_many(receiver.url, 3, connections=1)} == {200}
    assert receiver.connections == 3


async def test_an_answer_nobody_asked_for_is_not_taken_for_the_next_ones(
    receiver: Receiver,
) -> None:
    async def twice(writer: asyncio.StreamWriter) -> bool:
        writer.write(EMPTY + b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
        return True

    receiver.answers([twice])
    posted = await post_many(receiver.url, 2, connections=1)
    assert [each.status for each in posted] == [200, 200]
    assert receiver.connections == 2


async def test_a_connection_that_the_other_side_closed_is_not_used_again(
    receiver: Receiver,
) -> None:
    receiver.answer(raw(EMPTY))
    async with client() as outbound:
        for _ in range(3):
            posted = await outbound.post(receiver.url, BODY, {}, timeout=SOON)
            assert posted.status == 200
            await until(lambda: not outbound._idle)
    assert receiver.connections == 3


async def test_concurrent_posts_to_one_host_are_limited(receiver: Receiver) -> None:
    receiver.answer(200, delay=0.01)
    await post_many(receiver.url, 20, connections=4)
    assert (len(receiver.requests), receiver.connections) == (20, 4)


async def test_waiting_for_a_slot_does_not_count_as_the_receivers_time(receiver: Receiver) -> None:
    """They take longer together than each may take alone."""
    receiver.answer(200, delay=0.1)
    posted = await post_many(receiver.url, 15, connections=1, timeout=timedelta(seconds=1))
    assert {each.status for each in posted} == {200}


async def test_cancelling_goes_through_and_frees_the_slot(receiver: Receiver) -> None:
    receiver.answers([hang()])

    async with client(connections=1) as outbound:
        task = asyncio.create_task(outbound.post(receiver.url, BODY, {}, timeout=SOON))
        await asyncio.to_thread(receiver.wait_for, 1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await outbound.post(receiver.url, BODY, {}, timeout=SOON)).status == 200
