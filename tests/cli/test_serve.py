"""`tidings serve` where somebody else listens already: it says who is in whose way."""

import socket
from pathlib import Path

from tests.support.serving import Serving


def taken() -> socket.socket:
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    return listening


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with taken() as other:
        port = other.getsockname()[1]
        ended = Serving(tmp_path).command("serve", "--port", str(port))
    assert ended.returncode != 0 and f"Cannot listen on 127.0.0.1:{port}" in ended.stderr


def test_so_is_the_operators_and_the_setting_that_moves_it(tmp_path: Path) -> None:
    serving = Serving(tmp_path)
    with taken() as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        serving.env["TIDINGS_OPERATOR_ADDRESS"] = address
        ended = serving.command("serve", "--port", str(serving.port))
    assert ended.returncode != 0 and f"Cannot listen on {address}" in ended.stderr
    assert "TIDINGS_OPERATOR_ADDRESS" in ended.stderr
