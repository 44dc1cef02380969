"""`tidings serve` beside others on its machine, and how it ends."""

import json
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.support.commands import run
from tests.support.database import fresh_database
from tests.support.plain_http import NO_TLS
from tests.support.receiver import Receiver, hang
from tests.support.service import GUEST, account_toml
from tests.support.serving import AUTH, KEY, Serving, serving_of
from tests.support.waiting import eventually
from tidings import __version__, limits

DEFAULT = 9464
HOOKED = "td_sandbox_" + "H" * 43


def taken(port: int = 0) -> socket.socket:
    listening = socket.socket()
    with suppress(OSError):  # then somebody else has it already
        listening.bind(("127.0.0.1", port))
        listening.listen()
    return listening


def logged(serving: Serving, event: str) -> list[dict[str, str]]:
    lines = [line for line in serving.log.splitlines() if line.startswith("{")]
    return [entry for entry in map(json.loads, lines) if entry["event"] == event]


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    with Receiver() as listening:
        yield listening


@pytest.fixture(scope="module")
def second(receiver: Receiver, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """The operator's address is not configured, and another server has the default one."""
    serving = Serving(tmp_path_factory.mktemp("data"), fresh_database())
    del serving.env["TIDINGS_OPERATOR_ADDRESS"]
    hooked = account_toml(name="hooked", apiKey=HOOKED, webhookUrl=receiver.url)
    with taken(DEFAULT), serving_of(account_toml(name="acme", apiKey=KEY) + hooked, serving):
        yield serving


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with taken() as other:
        port = other.getsockname()[1]
        ended = run("serve", "--port", str(port), env=Serving(tmp_path).env)
    ended.refused(f"Cannot listen on 127.0.0.1:{port}")


@pytest.mark.parametrize("more", [[], ["--processes", "2"]], ids=["alone", "several"])
def test_so_is_the_operators_before_anything_is_served(tmp_path: Path, more: list[str]) -> None:
    serving = Serving(tmp_path)
    with taken() as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        serving.env["TIDINGS_OPERATOR_ADDRESS"] = address
        ended = run("serve", "--port", str(serving.port), *more, env=serving.env)
    ended.refused(f"Cannot listen on {address}")
    assert "TIDINGS_OPERATOR_ADDRESS" in ended.err
    assert "listener.opened" not in ended.out + ended.err
    assert list(tmp_path.iterdir()) == [], "nothing was created"


def test_a_second_server_takes_a_free_address_for_its_operator(second: Serving) -> None:
    [moved] = logged(second, "operator.address_taken")
    assert moved["configured"] == f"127.0.0.1:{DEFAULT}"
    assert httpx.get(f"http://{moved['using']}/readyz", verify=NO_TLS).text == "ok\n"
    opened = {line["listener"]: line["address"] for line in logged(second, "listener.opened")}
    assert opened == {"public": second.url, "operator": f"http://{moved['using']}"}


def test_every_line_names_its_process(second: Serving) -> None:
    [started] = logged(second, "process.started")
    assert (started["roles"], started["version"]) == ("api,portal,worker", __version__)
    assert {line["pid"] for line in logged(second, "listener.opened")} == {started["pid"]}


def test_the_demo_does_not_fail_for_the_operators_address(tmp_path: Path) -> None:
    serving = Serving(tmp_path, fresh_database())
    with taken() as other:
        serving.env["TIDINGS_OPERATOR_ADDRESS"] = f"127.0.0.1:{other.getsockname()[1]}"
        serving.start("--demo")
    assert len(logged(serving, "operator.address_taken")) == 1
    assert serving.end(signal.SIGTERM) == 0


def test_it_stops_without_waiting_for_those_who_wait(second: Serving, receiver: Receiver) -> None:
    """A long poll is answered at once; a webhook whose receiver hangs is posted again later.

    The last test here, because it ends the server that others ask.
    """
    polled: list[httpx.Response] = []

    def poll() -> None:
        url = f"{second.url}/api/v1/webhooks/events?wait={limits.WEBHOOK_FEED_WAIT_SECONDS.high}"
        polled.append(httpx.get(url, headers=AUTH, timeout=60, verify=NO_TLS))

    [moved] = logged(second, "operator.address_taken")
    page = f"http://{moved['using']}/metrics"
    receiver.answer(hang())
    body = {"clientMessageId": "order-0001", "to": GUEST, "templateName": "plain"}
    sent = second.http.post("/api/v1/messages/text", json=body, headers={"x-api-key": HOOKED})
    assert sent.status_code == 200, sent.text
    polling = threading.Thread(target=poll)
    polling.start()
    eventually(lambda: "tidings_http_requests_in_flight 2.0" in httpx.get(page, verify=NO_TLS).text)
    receiver.wait_for(1)
    began = time.monotonic()
    assert second.end(signal.SIGTERM) == 0
    assert time.monotonic() - began < limits.WEBHOOK_RESPONSE_TIMEOUT.total_seconds()
    polling.join(60)
    assert polled[0].status_code == 200 and polled[0].json()["data"] == []
