"""`/stream`: who leaves a page gives its place back at once."""

import socket
import time

from tests.support.portal import signed_in
from tests.support.service import TestAccount, TestService
from tidings.portal.stream.hub import PERSON_STREAMS_MAX
from tidings.portal.tokens import SESSION


def test_a_stream_that_its_browser_closed_takes_no_place(
    service: TestService, account: TestAccount
) -> None:
    """A browser that opens one page after another closes a stream each time."""
    cookie = f"{SESSION}={signed_in(account).http.cookies.get(SESSION)}"
    answers = [_listen_and_leave(service, cookie) for _ in range(PERSON_STREAMS_MAX + 2)]
    assert answers == [b"HTTP/1.1 200 OK"] * len(answers)


def _listen_and_leave(service: TestService, cookie: str) -> bytes:
    host, _, port = service.url.removeprefix("http://").partition(":")
    head = f"GET /portal/stream HTTP/1.1\r\nhost: {host}\r\ncookie: {cookie}\r\n\r\n"
    with socket.create_connection((host, int(port)), timeout=5) as connection:
        connection.sendall(head.encode())
        answer = connection.recv(4096)
    time.sleep(0.03)
    return answer.partition(b"\r\n")[0]
