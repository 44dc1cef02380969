"""The Graph simulator's own HTTP: bodies in pieces, requests in a row, nonsense, and its speed."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from tests.simulator.test_messages import GUEST
from tests.support.clock import ManualClock
from tests.support.plain_http import NO_TLS
from tests.support.simulator import RunningSimulator
from tidings_simulator.connection import Request
from tidings_simulator.simulator import GraphSimulator

TEXT = b'{"messaging_product":"whatsapp","to":"972501234567","text":{"body":"hi"}}'


@contextmanager
def connected(simulator: RunningSimulator) -> Iterator[socket.socket]:
    port = int(simulator.url.rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port), timeout=30) as raw:
        yield raw


def request(simulator: RunningSimulator, body: bytes = TEXT, headers: str = "") -> bytes:
    head = (
        f"POST /v25.0/{simulator.number.id}/messages HTTP/1.1\r\nHost: x\r\n"
        f"Authorization: Bearer simulator-token\r\n{headers}Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def read_until(raw: socket.socket, count: int, word: bytes = b"wamid.") -> bytes:
    got = b""
    while got.count(word) < count:
        piece = raw.recv(65536)
        assert piece, got
        got += piece
    return got


def test_requests_in_a_row_are_answered_in_a_row(simulator: RunningSimulator) -> None:
    with connected(simulator) as raw:
        raw.sendall(request(simulator) * 5)
        got = read_until(raw, 5)
        assert got.count(b"HTTP/1.1 200 OK") == 5
        raw.sendall(request(simulator))
        read_until(raw, 1)


def test_a_slow_answer_holds_up_those_behind_it(simulator: RunningSimulator) -> None:
    simulator.fault(answer="slow", seconds=0.2)
    with connected(simulator) as raw:
        started = time.monotonic()
        raw.sendall(request(simulator) * 2)
        read_until(raw, 2)
        assert time.monotonic() - started >= 0.15


def test_a_request_byte_by_byte(simulator: RunningSimulator) -> None:
    with connected(simulator) as raw:
        for byte in request(simulator):
            raw.send(bytes([byte]))
        assert b"200 OK" in read_until(raw, 1)


def test_a_body_in_chunks(simulator: RunningSimulator) -> None:
    def pieces() -> Iterator[bytes]:
        yield TEXT[:10]
        yield TEXT[10:]

    answer = simulator.graph("POST", f"{simulator.number.id}/messages", content=pieces())
    assert answer.status_code == 200


def test_whoever_asks_may_go_on(simulator: RunningSimulator) -> None:
    with connected(simulator) as raw:
        whole = request(simulator, headers="Expect: 100-continue\r\n")
        head, body = whole[: -len(TEXT)], whole[-len(TEXT) :]
        raw.sendall(head)
        assert raw.recv(100).startswith(b"HTTP/1.1 100 Continue")
        raw.sendall(body)
        read_until(raw, 1)


def test_connection_close_is_obeyed(simulator: RunningSimulator) -> None:
    with connected(simulator) as raw:
        raw.sendall(request(simulator, headers="Connection: close\r\n"))
        got = read_until(raw, 1)
        assert b"Connection: close" in got
        assert raw.recv(10) == b""


@pytest.mark.parametrize(
    "nonsense", [b"hello\r\n\r\n", b"\x16\x03\x01\x00", b"GET / HTTP/9.9\r\n\r\n"]
)
def test_nonsense_is_a_bad_request(simulator: RunningSimulator, nonsense: bytes) -> None:
    with connected(simulator) as raw:
        raw.sendall(nonsense)
        assert raw.recv(1000).startswith(b"HTTP/1.1 400")
    assert simulator.template(GUEST, "plain").status_code == 200


def test_a_form_says_the_same_as_json(simulator: RunningSimulator) -> None:
    path = f"{simulator.waba_id}/flows"
    categories = '["SURVEY"]'
    urlencoded = simulator.graph("POST", path, data={"name": "a", "categories": categories})
    parts = {"name": (None, "b"), "categories": (None, categories)}
    multipart = simulator.graph("POST", path, files=parts)
    plain = simulator.graph("POST", path, json={"name": "c", "categories": ["SURVEY"]})
    assert [each.status_code for each in (urlencoded, multipart, plain)] == [200] * 3
    broken = {"content-type": "multipart/form-data"}
    assert simulator.graph("POST", path, content=b"x", headers=broken).status_code == 400


def test_it_stops_while_connections_are_open() -> None:
    with RunningSimulator() as simulator:
        simulator.fault(answer="hang", times=None)
        with pytest.raises(httpx.ReadTimeout):
            httpx.get(
                f"{simulator.url}/v25.0/1", timeout=httpx.Timeout(30, read=0.1), verify=NO_TLS
            )


def test_a_clock_of_ones_own() -> None:
    clock = ManualClock()
    with RunningSimulator(clock=clock) as simulator:
        clock.advance(hours=1)
        assert simulator.control("GET", "/clock")["now"] == "2026-01-01T13:00:00.000Z"
        simulator.advance(90)
        assert simulator.control("GET", "/clock")["now"] == "2026-01-01T13:01:30.000Z"


async def test_a_message_costs_little() -> None:
    """A thousand a second would do for the tests; the benchmark needs some thousand."""

    async def measure() -> float:
        async with GraphSimulator(windows_open=True) as simulator:
            path = f"/v25.0/{simulator.state.world.numbers()[0].id}/messages"
            headers = {b"authorization": b"Bearer simulator-token"}
            started = time.process_time()
            for _ in range(1000):
                simulator.handle(Request("POST", path, "", headers, TEXT))
            return time.process_time() - started

    assert await measure() < 5, "that is on a slow machine"
