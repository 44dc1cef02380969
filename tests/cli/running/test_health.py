"""`tidings health`: the health check of containers."""

import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from tests.support.commands import run

ANSWERS = {"/readyz": (503, b"process 2 is not ready\n"), "/livez": (200, b"ok\n")}


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        status, text = ANSWERS[self.path]
        self.send_response(status)
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def operator() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_it_says_what_the_operators_page_says(operator: int, host: str) -> None:
    env = {"TIDINGS_OPERATOR_ADDRESS": f"{host}:{operator}"}
    assert run("health", "--live", env=env).good() == "ok\n"
    run("health", env=env).refused("process 2 is not ready")


def test_nobody_who_answers_is_not_healthy() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
        env = {"TIDINGS_OPERATOR_ADDRESS": address}
        run("health", env=env).refused(f"Nobody answers at {address}")
    run("health", env={"TIDINGS_OPERATOR_ADDRESS": "off"}).refused("there is no page to ask")
