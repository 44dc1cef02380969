"""However the network cuts a response into pieces, the same comes of it."""

import asyncio
import socket
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tidings.engine.http.outbound.call_connection import CallConnection, HttpResponse, NotAnswered

CLOSING = st.sampled_from([b"", b"Connection: close\r\n"])
INTERIM = st.sampled_from(
    [b"", b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 103 Hints\r\nA: 1\r\n\r\n"]
)
STATUS = st.sampled_from([200, 201, 299, 400, 404, 429, 500, 503])
CUTS = st.lists(st.integers(0, 2_000), max_size=40)


class Transport(asyncio.Transport):
    """Takes what is written, and has an idle socket."""

    def __init__(self) -> None:
        super().__init__()
        self.socket, self._other = socket.socketpair()
        self.is_aborted = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"socket": self.socket}.get(name, default)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert not self.is_aborted, "nothing is written to a closed connection"

    def abort(self) -> None:
        self.is_aborted = True

    def is_closing(self) -> bool:
        return self.is_aborted

    def end(self) -> None:
        self.socket.close()
        self._other.close()


@st.composite
def bodies(draw: st.DrawFn) -> tuple[bytes, bytes, bool]:
    """Headers and body as they are sent; whether the end of the connection ends the body."""
    parts = draw(st.lists(st.binary(min_size=1, max_size=50), max_size=8))
    framing = draw(st.sampled_from(["length", "chunks", "end"]))
    body = b"".join(parts)
    if framing == "length":
        return body, b"Content-Length: %d\r\n\r\n%b" % (len(body), body), False
    if framing == "end":
        return body, b"\r\n" + body, True
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts)
    trailer = draw(st.sampled_from([b"", b"X-Sum: 1\r\n"]))
    return (
        body,
        b"Transfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\n" + trailer + b"\r\n",
        False,
    )


def pieces(whole: bytes, cuts: list[int]) -> Iterator[bytes]:
    at = sorted({0, len(whole), *(cut % (len(whole) + 1) for cut in cuts)})
    return (whole[begin:end] for begin, end in pairwise(at))


def receive(whole: bytes, cuts: list[int]) -> tuple[HttpResponse | NotAnswered, bool]:
    """What a call is answered when these bytes come and the server then closes; and whether the
    connection could have been used again before that."""

    async def run() -> tuple[HttpResponse | NotAnswered, bool]:
        connection, transport = CallConnection(lambda _: None, read_max=100_000), Transport()
        connection.connection_made(transport)
        pending = connection.send(b"GET / HTTP/1.1\r\n\r\n")
        for piece in pieces(whole, cuts):
            if not transport.is_aborted:
                connection.data_received(piece)
        reusable = connection.is_at_rest and connection.is_reusable()
        if not transport.is_aborted:
            connection.eof_received()
        connection.connection_lost(None)
        transport.end()
        return await pending, reusable

    return asyncio.run(run())


@given(INTERIM, STATUS, CLOSING, bodies(), CUTS)
def test_a_response_is_the_same_in_any_pieces(
    interim: bytes,
    status: int,
    closing: bytes,
    sent: tuple[bytes, bytes, bool],
    cuts: list[int],
) -> None:
    body, framed, until_end = sent
    head = b"HTTP/1.1 %d Odd\r\nRetry-After: 7\r\n%b" % (status, closing)
    response, reusable = receive(interim + head + framed, cuts)
    assert isinstance(response, HttpResponse)
    assert (response.status, response.body) == (status, body)
    assert response.headers()["retry-after"] == "7"
    assert reusable == (not closing and not until_end)


@given(STATUS, bodies(), CUTS, st.integers(1, 400))
def test_a_response_cut_short_is_none_in_any_pieces(
    status: int, sent: tuple[bytes, bytes, bool], cuts: list[int], missing: int
) -> None:
    body, framed, until_end = sent
    whole = b"HTTP/1.1 %d Odd\r\n%b" % (status, framed)
    cut = whole[: max(len(whole) - missing, 0)]
    response, reusable = receive(cut, cuts)
    if until_end and b"\r\n\r\n" in cut:  # nobody can tell
        assert isinstance(response, HttpResponse) and body.startswith(response.body)
    else:
        assert isinstance(response, NotAnswered)
    assert not reusable


@given(st.binary(max_size=200) | st.text("HTP/1. 20OK\r\n:", max_size=60).map(str.encode), CUTS)
def test_any_bytes_end_the_call_the_same_way_in_any_pieces(whole: bytes, cuts: list[int]) -> None:
    at_once, _ = receive(whole, [])
    in_pieces, _ = receive(whole, cuts)
    assert type(at_once) is type(in_pieces)
    if isinstance(at_once, HttpResponse) and isinstance(in_pieces, HttpResponse):
        assert at_once[:2] == in_pieces[:2]


# Empty lines between two responses are skipped.
MORE = st.binary(min_size=1, max_size=50).filter(lambda more: bool(more.strip(b"\r\n")))


@given(bodies(), MORE, CUTS)
def test_what_follows_a_response_ends_the_connection(
    sent: tuple[bytes, bytes, bool], more: bytes, cuts: list[int]
) -> None:
    body, framed, until_end = sent
    response, reusable = receive(b"HTTP/1.1 200 OK\r\n" + framed + more, cuts)
    assert isinstance(response, HttpResponse) and not reusable
    assert response.body == (body + more if until_end else body)
