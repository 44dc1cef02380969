"""`/stream`: bounded for each person, and given back when a browser leaves the page."""

import socket
import time
from contextlib import ExitStack
from urllib.parse import urlsplit

from tests.support.portal import Visitor, signed_in
from tests.support.service import TestAccount
from tidings.portal.stream.hub import PERSON_STREAMS_MAX
from tidings.portal.tokens import SESSION


def open_stream(visitor: Visitor) -> tuple[socket.socket, int]:
    """The connection, with all read that came so far; and the answer's status."""
    address = urlsplit(visitor.service.url)
    connection = socket.create_connection((address.hostname, address.port), timeout=5)
    token = visitor.http.cookies[SESSION]
    head = f"GET /portal/stream HTTP/1.1\r\nhost: a\r\ncookie: {SESSION}={token}\r\n\r\n"
    connection.sendall(head.encode())
    answer = b""
    while b"begin" not in answer and b"</html>" not in answer:
        answer += connection.recv(65536)
    return connection, int(answer.split(b" ")[1])


def test_the_streams_of_a_person_are_bounded(account: TestAccount) -> None:
    visitor, other = signed_in(account), signed_in(account)
    with ExitStack() as held:
        for _ in range(PERSON_STREAMS_MAX):
            connection, status = open_stream(visitor)
            held.enter_context(connection)
            assert status == 200
        for who, expected in ((visitor, 429), (other, 200)):
            connection, status = open_stream(who)
            held.enter_context(connection)
            assert status == expected


def test_a_browser_that_leaves_gives_its_stream_back(account: TestAccount) -> None:
    """It closes without a reset, as it has read everything: half a close, seen from here."""
    visitor = signed_in(account)
    for _ in range(2 * PERSON_STREAMS_MAX):
        connection, status = open_stream(visitor)
        assert status == 200
        connection.close()
        time.sleep(0.05)
