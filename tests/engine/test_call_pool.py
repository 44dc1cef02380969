"""Calls to a server we trust, over real sockets: what was written, what was answered, what is kept.

A failure is `NotWritten` or `NotAnswered`, and every test of one says which. TLS:
`test_call_pool_tls.py`.
"""

import asyncio
import socket
import threading
from datetime import timedelta

import pytest

from tests.support.call_pool import (
    CHUNKED,
    CONTINUE,
    DONE,
    OK,
    REQUEST,
    RESPONSES,
    SHORT,
    call_once,
    going_on,
    pool_to,
)
from tests.support.receiver import Answer, Receiver, endless, hang, raw, reply, reset
from tests.support.waiting import until
from tidings.engine.http.outbound.call_connection import HEAD_BYTES_MAX, NotAnswered
from tidings.engine.http.outbound.call_pool import NotWritten

FIN_ACKNOWLEDGED = 5  # the state FIN_WAIT2 of tcp(7)


# A response


@pytest.mark.parametrize("answer", RESPONSES.values(), ids=list(RESPONSES))
async def test_a_response_is_read_whole(receiver: Receiver, answer: Answer) -> None:
    receiver.answer(answer)
    response = await call_once(receiver)
    assert (response.status, response.body) == (200, b"done")


@pytest.mark.parametrize("status", [204, 304])
async def test_a_response_without_a_body_needs_no_length(receiver: Receiver, status: int) -> None:
    receiver.answer(going_on(b"HTTP/1.1 %d Odd\r\n\r\n" % status))
    assert (await call_once(receiver))[:2] == (status, b"")


async def test_headers_are_those_of_the_final_response(receiver: Receiver) -> None:
    early = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    receiver.answer(going_on(early + CHUNKED.replace(b"\r\n", b"\r\nRetry-After: 7\r\n", 1)))
    headers = (await call_once(receiver)).headers()
    assert headers == {"retry-after": "7", "transfer-encoding": "chunked"}


async def test_headers_are_found_though_garbage_follows(receiver: Receiver) -> None:
    receiver.answer(raw(OK + b"Retry-After: 7\r\nContent-Length: 2\r\n\r\n{}garbage"))
    response = await call_once(receiver)
    assert (response.body, response.headers()["retry-after"]) == (b"{}", "7")


async def test_a_large_response_is_read_within_its_limit(receiver: Receiver) -> None:
    body = bytes(range(256)) * 3_000
    receiver.answer(reply(200, body=body))
    assert (await call_once(receiver)).body == body


# Nothing was written


async def test_nobody_listens(receiver: Receiver) -> None:
    receiver.close()
    with pytest.raises(NotWritten, match="ConnectionRefusedError"):
        await call_once(receiver)


async def test_no_connection_becomes_free(receiver: Receiver) -> None:
    receiver.answer(hang())
    async with pool_to(receiver, connections=1, connect_timeout=SHORT) as pool:
        first = asyncio.create_task(pool.call(REQUEST))
        await asyncio.to_thread(receiver.wait_for, 1)
        with pytest.raises(NotWritten, match="in use"):
            await pool.call(REQUEST)
        first.cancel()
    assert len(receiver.requests) == 1


async def test_a_closed_pool_calls_nobody(receiver: Receiver) -> None:
    async with pool_to(receiver) as pool:
        await pool.call(REQUEST)
    with pytest.raises(NotWritten):
        await pool.call(REQUEST)
    assert len(receiver.requests) == 1


# Written, and not answered

UNANSWERED = {
    "a reset": (reset(), "Connection"),
    "a close": (raw(b""), "closed"),
    "a close in the head": (raw(b"HTTP/1.1 200 OK\r\nContent-Le"), "closed"),
    "a close after the head": (raw(OK + b"Content-Length: 4\r\n\r\n"), "closed"),
    "a close in the body": (raw(OK + b"Content-Length: 4\r\n\r\ndo"), "closed"),
    "a close in a chunk": (raw(OK + b"Transfer-Encoding: chunked\r\n\r\n4\r\ndo"), "closed"),
    "a close before the last chunk": (
        raw(OK + b"Transfer-Encoding: chunked\r\n\r\n4\r\ndone\r\n"), "closed",
    ),
    "a close after an interim response": (raw(CONTINUE), "closed"),
    "another protocol": (raw(b"SSH-2.0-OpenSSH_9.6\r\n\r\n"), "valid"),
    "bytes without sense": (raw(bytes(range(256))), "valid"),
    "a length that is no number": (raw(OK + b"Content-Length: x\r\n\r\n"), "valid"),
    "two lengths": (raw(OK + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n"), "valid"),
    "a chunk that is none": (raw(OK + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n"), "valid"),
    "another protocol from here on": (
        raw(b"HTTP/1.1 101 Odd\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"), "valid",
    ),
    "a body without end": (endless(), "too long"),
    "a body that is too long": (endless(claims=1 << 30), "too long"),
    "a head without end": (raw(OK + b"X-A: a\r\n" * HEAD_BYTES_MAX), "too long"),
    "interim responses without end": (raw(CONTINUE * HEAD_BYTES_MAX), "too long"),
}  # fmt: skip


@pytest.mark.parametrize(("answer", "reason"), UNANSWERED.values(), ids=list(UNANSWERED))
async def test_what_is_no_whole_response_may_have_been_acted_on(
    receiver: Receiver, answer: Answer, reason: str
) -> None:
    receiver.answer(answer)
    with pytest.raises(NotAnswered, match=reason):
        await call_once(receiver)
    assert len(receiver.requests) == 1, "never a second time"


STALLS = {
    "at once": b"",
    "in the head": OK + b"Content-Le",
    "in the body": OK + b"Content-Length: 4\r\n\r\ndo",
    "before the end of the connection": OK + b"\r\ndone",
}


@pytest.mark.parametrize("begin", STALLS.values(), ids=list(STALLS))
async def test_a_response_that_stalls_times_out(receiver: Receiver, begin: bytes) -> None:
    receiver.answer(hang(begin))
    async with pool_to(receiver, timeout=SHORT) as pool:
        for _ in range(2):  # the timer is set again
            with pytest.raises(NotAnswered, match="TimeoutError"):
                await pool.call(REQUEST)
    assert (len(receiver.requests), receiver.connections) == (2, 2)


async def test_later_calls_do_not_put_off_a_timeout(receiver: Receiver) -> None:
    receiver.answers([hang()])
    async with pool_to(receiver, timeout=timedelta(seconds=1)) as pool:
        stalled = asyncio.create_task(pool.call(REQUEST))
        await asyncio.to_thread(receiver.wait_for, 1)

        async def call_on() -> bool:
            await pool.call(REQUEST)
            return stalled.done()

        await until(call_on)
        with pytest.raises(NotAnswered, match="TimeoutError"):
            await stalled


async def test_closing_ends_the_calls_in_flight(receiver: Receiver) -> None:
    receiver.answer(hang())
    async with pool_to(receiver) as pool:
        call = asyncio.create_task(pool.call(REQUEST))
        await asyncio.to_thread(receiver.wait_for, 1)
    with pytest.raises(NotAnswered):
        await call


# Connections that are kept


@pytest.mark.parametrize(
    "answer", [going_on(DONE), going_on(CHUNKED), going_on(CONTINUE + DONE)],
    ids=["length", "chunks", "interim"],
)  # fmt: skip
async def test_one_connection_serves_many_calls(receiver: Receiver, answer: Answer) -> None:
    receiver.answer(answer)
    async with pool_to(receiver) as pool:
        assert {(await pool.call(REQUEST)).body for _ in range(20)} == {b"done"}
    assert (len(receiver.requests), receiver.connections) == (20, 1)


async def test_a_response_is_that_of_its_own_call(receiver: Receiver) -> None:
    receiver.answers([reply(200, body=b"one"), reply(500), reply(404, body=b"three")])
    async with pool_to(receiver) as pool:
        responses = [(await pool.call(REQUEST))[:2] for _ in range(3)]
    assert responses == [(200, b"one"), (500, b""), (404, b"three")]


async def test_calls_at_once_have_connections_of_their_own_up_to_the_limit(
    receiver: Receiver,
) -> None:
    receiver.answer(200, delay=0.01)
    async with pool_to(receiver, connections=3) as pool:
        await asyncio.gather(*(pool.call(REQUEST) for _ in range(20)))
    assert (len(receiver.requests), receiver.connections) == (20, 3)


LAST = {
    "close": going_on(OK + b"Connection: close\r\nContent-Length: 0\r\n\r\n"),
    "HTTP/1.0": going_on(b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"),
    "more than was asked for": going_on(DONE + DONE),
    "more than was announced": going_on(DONE + b"?"),
}


@pytest.mark.parametrize("answer", LAST.values(), ids=list(LAST))
async def test_a_connection_at_its_end_is_not_used_again(
    receiver: Receiver, answer: Answer
) -> None:
    receiver.answer(answer)
    async with pool_to(receiver) as pool:
        for _ in range(3):
            assert (await pool.call(REQUEST)).status == 200
    assert receiver.connections == 3


async def test_an_idle_connection_is_closed_in_the_end(receiver: Receiver) -> None:
    async with pool_to(receiver, keep_alive=SHORT) as pool:
        await pool.call(REQUEST)
        await until(lambda: not pool._open and not pool._idle)
        await pool.call(REQUEST)
    assert receiver.connections == 2


async def test_what_the_server_closes_while_it_is_idle_is_not_used_again(
    receiver: Receiver,
) -> None:
    receiver.answer(raw(DONE))
    async with pool_to(receiver) as pool:
        for _ in range(3):
            assert (await pool.call(REQUEST)).body == b"done"
            await until(lambda: not pool._open and not pool._idle)
    assert receiver.connections == 3


class Sequel:
    """What the server does after a response, while the loop of the client is busy."""

    def __init__(self, more: bytes, *, closes: bool) -> None:
        self._more, self._closes = more, closes
        self._go, self._done = threading.Event(), threading.Event()

    async def answer(self, writer: asyncio.StreamWriter) -> bool:
        writer.write(DONE)
        await asyncio.to_thread(self._go.wait, 30)
        connection = writer.get_extra_info("socket")
        writer.write(self._more)
        if self._closes:
            writer.write_eof()
            await until(lambda: _state(connection) == FIN_ACKNOWLEDGED)
        else:
            await until(lambda: _unacknowledged(connection) == 0)
        self._done.set()
        return not self._closes

    def happen(self) -> None:
        """Blocks until the client's kernel has received it."""
        self._go.set()
        assert self._done.wait(30)


def _state(connection: socket.socket) -> int:
    return connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]


def _unacknowledged(connection: socket.socket) -> int:
    info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 28)
    return int.from_bytes(info[24:28], "little")


SEQUELS = {"closes": (b"", True), "says more": (DONE.replace(b"done", b"else"), False)}


@pytest.mark.parametrize(("more", "closes"), SEQUELS.values(), ids=list(SEQUELS))
async def test_what_the_loop_has_not_seen_yet_counts(
    receiver: Receiver, more: bytes, closes: bool
) -> None:
    sequel = Sequel(more, closes=closes)
    receiver.answers([sequel.answer, going_on(DONE)])
    async with pool_to(receiver) as pool:
        await pool.call(REQUEST)
        sequel.happen()
        assert (await pool.call(REQUEST)).body == b"done"
    assert (len(receiver.requests), receiver.connections) == (2, 2)


async def test_cancelling_ends_the_connection_and_frees_its_slot(receiver: Receiver) -> None:
    receiver.answers([hang(), going_on(DONE)])
    async with pool_to(receiver, connections=1) as pool:
        call = asyncio.create_task(pool.call(REQUEST))
        await asyncio.to_thread(receiver.wait_for, 1)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert (await pool.call(REQUEST)).body == b"done"
    assert receiver.connections == 2
