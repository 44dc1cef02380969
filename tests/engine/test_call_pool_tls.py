"""Calls over TLS: a failed handshake has written nothing, and a broken connection may have."""

import socket

import pytest
import trustme

from tests.support.call_pool import OK, REQUEST, RESPONSES, SHORT, call_once, pool_to
from tests.support.receiver import Answer, Receiver, presenting, raw, reset, trusting
from tidings.engine.http.outbound.call_connection import NotAnswered
from tidings.engine.http.outbound.call_pool import NotWritten


async def test_a_handshake_that_never_ends(receiver: Receiver) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        receiver.port = silent.getsockname()[1]
        with pytest.raises(NotWritten, match="TimeoutError"):
            await call_once(receiver, is_tls=True, connect_timeout=SHORT)


async def test_a_certificate_that_nobody_vouches_for() -> None:
    authority, other = trustme.CA(), trustme.CA()
    with Receiver(tls=presenting(authority, "127.0.0.1")) as server:
        with pytest.raises(NotWritten, match="SSLCertVerificationError"):
            await call_once(server, is_tls=True, tls=trusting(other))
        assert server.requests == []


@pytest.mark.parametrize("name", ["with a length", "in chunks", "until the connection ends"])
async def test_over_tls_a_response_is_read_whole(name: str) -> None:
    authority = trustme.CA()
    with Receiver(tls=presenting(authority, "127.0.0.1")) as server:
        server.answer(RESPONSES[name])
        async with pool_to(server, is_tls=True, tls=trusting(authority)) as pool:
            bodies = {(await pool.call(REQUEST)).body for _ in range(3)}
        assert bodies == {b"done"} and len(server.requests) == 3


@pytest.mark.parametrize(
    "answer", [reset(), raw(b""), raw(OK + b"Content-Length: 4\r\n\r\ndo")],
    ids=["reset", "close", "close in the body"],
)  # fmt: skip
async def test_over_tls_a_connection_that_breaks_may_have_been_acted_on(answer: Answer) -> None:
    authority = trustme.CA()
    with Receiver(tls=presenting(authority, "127.0.0.1")) as server:
        server.answer(answer)
        with pytest.raises(NotAnswered):
            await call_once(server, is_tls=True, tls=trusting(authority))
        assert len(server.requests) == 1
