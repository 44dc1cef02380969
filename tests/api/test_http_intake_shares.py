"""What one client takes of a process leaves others theirs (reliability.md 2.14; issue 13, 1)."""

import contextlib
import socket
import threading
import time
from datetime import timedelta

import pytest

from tests.support.shell import FLOOD_BYTES, Client, blob, call, new_shell, request, running
from tests.support.waiting import eventually
from tidings.engine.http.intake import IntakeLimits
from tidings.limits import MIB, REQUEST_BYTES_MAX

OTHER = "td_live_one"
LARGE = 2 * MIB
SENT = LARGE - 100_000  # of a body that never comes to its end


@pytest.fixture
def port():
    with running(new_shell()) as port:
        yield port


@contextlib.contextmanager
def unfinished(port, path, key, count, sent):
    """Connections with a large body under way, each known to be waited for by the shell."""
    headers = [f"Content-Length: {LARGE}", "Content-Type: application/json", "Expect: 100-continue"]
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            client = stack.enter_context(Client(port))
            client.send(request("POST", path, key=key, headers=headers))
            assert client.file.readline() == b"HTTP/1.1 100 Continue\r\n"
            client.send(blob(LARGE)[:sent])
        yield


# Large bodies


@pytest.mark.parametrize("path", ["/raw", "/blobs"])
def test_bodies_that_are_only_announced_take_no_room(port, path):
    key = None if path == "/raw" else OTHER
    with unfinished(port, path, key, 20, sent=1000):
        assert call(port, "POST", "/blobs", blob(LARGE)).status == 200
        assert call(port, "POST", "/raw", b"c" * LARGE, key=None).status == 200


def test_callbacks_have_a_room_that_no_account_takes_of_nor_they_of_the_accounts(port):
    with unfinished(port, "/raw", None, 8, sent=SENT):
        assert call(port, "POST", "/blobs", blob(LARGE)).status == 200
    with unfinished(port, "/blobs", OTHER, 30, sent=SENT):
        assert call(port, "POST", "/raw", b"c" * LARGE, key=None).status == 200


def test_an_account_with_many_large_bodies_under_way_leaves_another_its_share(port):
    with unfinished(port, "/blobs", OTHER, 30, sent=SENT):
        assert [call(port, "POST", "/blobs", blob(LARGE)).status for _ in range(3)] == [200] * 3


def test_large_bodies_beyond_the_room_wait_for_one_another_and_all_are_taken():
    """Six megabytes beside what the oldest may take: two of one account at once, never three."""
    ctx = {"running": 0, "most": 0}
    with running(new_shell(ctx, large_bytes_max=REQUEST_BYTES_MAX + 6 * MIB)) as port:
        answers = []
        threads = [
            threading.Thread(
                target=lambda: answers.append(call(port, "POST", "/blobs", blob(LARGE)))
            )
            for _ in range(12)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [answer.status for answer in answers] == [200] * 12
    assert ctx["most"] <= 2


def test_what_a_broken_off_body_took_is_given_back():
    size = REQUEST_BYTES_MAX + 2 * LARGE
    with running(new_shell(large_bytes_max=size)) as port:
        for _ in range(5):
            with unfinished(port, "/blobs", OTHER, 2, sent=SENT):
                pass
        eventually(lambda: call(port, "POST", "/blobs", blob(LARGE), key=OTHER).status == 200)


def test_a_body_that_cannot_be_whole_in_time_is_refused_early():
    """Twenty megabytes in a minute are 340 KB a second: a fifth of that will not do."""
    intake = IntakeLimits(body_timeout=timedelta(minutes=1), body_slow_start=timedelta(seconds=0.3))
    with running(new_shell(), intake) as port, Client(port) as client:
        headers = [f"Content-Length: {REQUEST_BYTES_MAX}"]
        client.send(request("POST", "/raw", key=None, headers=headers))
        client.socket.settimeout(0.05)
        answer = b""
        while not answer:
            client.send(b"x" * 3000)
            with contextlib.suppress(TimeoutError):
                answer = client.socket.recv(1000)
        assert answer.startswith(b"HTTP/1.1 400 ") and b"too long to arrive" in answer


# Answers


def slow_socket(port):
    reader = socket.socket()
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
    reader.settimeout(30)
    reader.connect(("127.0.0.1", port))
    return reader


def test_a_reader_below_the_least_speed_is_cut_off_and_its_stream_ended():
    ctx = {"running": 0, "most": 0}
    intake = IntakeLimits(reading_window=timedelta(seconds=0.5), read_bytes_per_second_min=4 * MIB)
    with running(new_shell(ctx), intake) as port, slow_socket(port) as reader:
        reader.sendall(request("GET", "/flood", key=None))
        received = 0
        with contextlib.suppress(ConnectionError):
            while data := reader.recv(2048):
                received += len(data)
                time.sleep(0.01)
        assert 0 < received < FLOOD_BYTES
        eventually(lambda: ctx["running"] == 0)


def test_a_reader_above_the_least_speed_gets_everything():
    intake = IntakeLimits(reading_window=timedelta(seconds=0.2), read_bytes_per_second_min=1)
    with running(new_shell(), intake) as port, slow_socket(port) as reader:
        reader.sendall(request("GET", "/flood", key=None))
        received = 0
        while received < FLOOD_BYTES:
            data = reader.recv(1 << 20)
            assert data, "it was cut off"
            received += len(data)


# Requests sent ahead


def test_bodies_sent_ahead_are_each_their_own_requests(port):
    bodies = [blob(size) for size in (12, 70_000, 500, 300_000, 12)]
    chunked = b"c\r\n" + blob(12) + b"\r\n0\r\n\r\n"
    headers = ["Transfer-Encoding: chunked", "Content-Type: application/json"]
    data = b"".join(request("POST", "/blobs", body) for body in bodies)
    with Client(port) as client:
        sending = threading.Thread(
            target=client.send,
            args=(data + request("POST", "/blobs", chunked, headers=headers) + data,),
        )
        sending.start()
        chars = [client.read().json["data"]["chars"] for _ in range(11)]
        sending.join()
    sizes = [len(body) - 11 for body in bodies]
    assert chars == [*sizes, 1, *sizes]


def test_a_client_that_sends_all_ahead_and_closes_its_half_gets_all_answers(port):
    with Client(port) as client:
        client.send(b"".join(request("POST", "/notes", {"to": "972501234567"}) for _ in range(20)))
        client.socket.shutdown(socket.SHUT_WR)
        assert [client.read().status for _ in range(20)] == [201] * 20
        assert client.is_closed()


def test_what_follows_a_request_that_is_not_http_ends_the_connection(port):
    with Client(port) as client:
        client.send(
            request("GET", "/value") * 3 + b"\x00garbage\r\n\r\n" + request("GET", "/value")
        )
        assert [client.read().status for _ in range(3)] == [200] * 3
        assert client.is_closed()
