"""`tidings serve` beside others on its machine, and how it ends."""

import json
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.support.database import reachable_folder
from tests.support.live import eventually
from tests.support.service import account_toml
from tests.support.serving import AUTH, KEY, Serving, serving_of

DEFAULT = 9464
LONGEST_WAIT = 20


def taken(port: int = 0) -> socket.socket:
    listening = socket.socket()
    with suppress(OSError):  # then somebody else has it already
        listening.bind(("127.0.0.1", port))
        listening.listen()
    return listening


def logged(serving: Serving, event: str) -> list[dict[str, str]]:
    lines = [line for line in serving.log.splitlines() if line.startswith("{")]
    return [entry for entry in map(json.loads, lines) if entry["event"] == event]


@pytest.fixture
def second() -> Iterator[Serving]:
    """It was told nothing about the operator's address, and another server has the usual one."""
    serving = Serving(reachable_folder())
    del serving.env["TIDINGS_OPERATOR_ADDRESS"]
    with taken(DEFAULT), serving_of(account_toml(name="acme", apiKey=KEY), serving) as running:
        yield running


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with taken() as other:
        port = other.getsockname()[1]
        ended = Serving(tmp_path).command("serve", "--port", str(port))
    assert ended.returncode != 0 and f"Cannot listen on 127.0.0.1:{port}" in ended.stderr


@pytest.mark.parametrize("more", [[], ["--processes", "2"]], ids=["alone", "several"])
def test_so_is_the_operators_before_anything_is_served(tmp_path: Path, more: list[str]) -> None:
    serving = Serving(tmp_path)
    with taken() as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        serving.env["TIDINGS_OPERATOR_ADDRESS"] = address
        ended = serving.command("serve", "--port", str(serving.port), *more)
    assert ended.returncode == 1 and f"Cannot listen on {address}" in ended.stderr
    assert "TIDINGS_OPERATOR_ADDRESS" in ended.stderr
    assert "serving" not in ended.stdout + ended.stderr
    assert list(tmp_path.iterdir()) == [], "nothing was begun"


def test_a_second_server_takes_a_free_address_for_its_operator(second: Serving) -> None:
    [moved] = logged(second, "operator.address_taken")
    assert moved["wanted"] == f"127.0.0.1:{DEFAULT}"
    assert httpx.get(f"http://{moved['instead']}/readyz").text == "ok\n"
    [serving] = logged(second, "serving.operator")
    assert serving["address"] == f"http://{moved['instead']}"

    # And it does not wait for those who wait for news: a long poll ends at once.
    polled: list[httpx.Response] = []

    def poll() -> None:
        url = f"{second.url}/api/v1/webhooks/events?wait={LONGEST_WAIT}"
        polled.append(httpx.get(url, headers=AUTH, timeout=60))

    polling = threading.Thread(target=poll)
    polling.start()
    page = f"http://{moved['instead']}/metrics"
    eventually(lambda: "tidings_http_requests_in_flight 2.0" in httpx.get(page).text, 30)
    assert second.end(signal.SIGTERM) == 0
    polling.join(60)
    assert polled[0].status_code == 200 and polled[0].json()["data"] == []
    assert polled[0].elapsed.total_seconds() < LONGEST_WAIT, "it was let go before its time"


def test_the_demo_does_not_fail_for_the_operators_address() -> None:
    serving = Serving(reachable_folder())
    with taken() as other:
        serving.env["TIDINGS_OPERATOR_ADDRESS"] = f"127.0.0.1:{other.getsockname()[1]}"
        serving.start("--demo")
    assert len(logged(serving, "operator.address_taken")) == 1
    assert serving.end(signal.SIGTERM) == 0
