"""`tidings serve --processes N`: one page for the operator, whatever becomes of a process."""

import os
import re
import resource
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.database import fresh_database
from tests.support.plain_http import NO_TLS
from tests.support.service import account_toml
from tests.support.serving import AUTH, KEY, QUICK, Serving, phone, serving_of
from tests.support.waiting import eventually

PROCESSES = 2
MESSAGES = 12


@pytest.fixture
def several(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Serving]:
    serving = Serving(tmp_path, fresh_database())
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        serving.env["TIDINGS_OPERATOR_ADDRESS"] = f"127.0.0.1:{free.getsockname()[1]}"
    serving.env["TIDINGS_HUNG_SECONDS"] = getattr(request, "param", "600")
    toml = account_toml(QUICK, name="acme", apiKey=KEY)
    with serving_of(toml, serving, "--processes", str(PROCESSES)) as running:
        yield running


def ask(serving: Serving, path: str) -> httpx.Response:
    return httpx.get(
        f"http://{serving.env['TIDINGS_OPERATOR_ADDRESS']}{path}", timeout=30, verify=NO_TLS
    )


def total(serving: Serving, name: str) -> float:
    """The samples of this name, added up over their labels."""
    found = re.findall(rf"^{name}(?:{{.*}})? (\S+)$", ask(serving, "/metrics").text, re.MULTILINE)
    return sum(map(float, found))


def gauges_of(process: int) -> Path:
    """The file in which it keeps gauges that are added up."""
    environment = Path(f"/proc/{process}/environ").read_bytes().decode().split("\0")
    env = dict(one.split("=", 1) for one in environment if one)
    slot = env["TIDINGS_SLOT"].partition(":")[0]
    return Path(env["PROMETHEUS_MULTIPROC_DIR"]) / f"gauge_livesum_{slot}.db"


def send(serving: Serving, first: int) -> None:
    for n in range(first, first + MESSAGES):
        body = {"clientMessageId": f"order-{n:04}", "to": phone(n), "templateName": "plain"}
        answer = serving.http.post("/api/v1/messages/text", json=body, headers=AUTH)
        assert answer.status_code == 200, answer.text


def test_the_parent_answers_for_all_its_processes(several: Serving) -> None:
    eventually(lambda: ask(several, "/readyz").status_code == 200, 60)
    eventually(lambda: ask(several, "/livez").text == "ok\n")
    answered = 'tidings_http_requests_total{route="/api/v1/messages/text",status="200"}'
    send(several, 0)
    assert total(several, "tidings_messages_total") >= MESSAGES
    assert total(several, re.escape(answered)) == MESSAGES
    assert total(several, "tidings_http_request_seconds_count") >= MESSAGES
    assert ask(several, "/metrics").text.count("# TYPE tidings_http_requests_total") == 1
    assert re.search(
        r'tidings_jobs_oldest_due_seconds{pool="timers"} ', ask(several, "/metrics").text
    )

    # One hangs, and dies: the page says so, and nothing it counted is lost.
    [killed, *_] = before = several.children()
    assert len(before) == PROCESSES
    os.kill(killed, signal.SIGSTOP)
    for path, what in (("/livez", "does not answer"), ("/readyz", "is not ready")):
        answer = ask(several, path)
        assert answer.status_code == 503 and what in answer.text
    eventually(lambda: total(several, "tidings_process_up") == PROCESSES)  # with the parent
    gauges = gauges_of(killed)
    kept = gauges.with_name("kept")
    os.link(gauges, kept)
    os.kill(killed, signal.SIGKILL)
    eventually(lambda: killed not in several.children())
    assert total(several, re.escape(answered)) == MESSAGES
    eventually(lambda: ask(several, "/readyz").status_code == 200, 60)
    assert not gauges.samefile(kept), "its gauges have ended with it"
    assert total(several, "tidings_process_restarts_total") == 1
    eventually(lambda: total(several, "tidings_process_up") == PROCESSES + 1)
    send(several, MESSAGES)
    assert total(several, re.escape(answered)) == 2 * MESSAGES
    assert several.end(signal.SIGTERM) == 0


@pytest.mark.parametrize("several", ["15"], indirect=True)
def test_a_process_that_hangs_is_ended_and_replaced(several: Serving) -> None:
    eventually(lambda: ask(several, "/readyz").status_code == 200, 60)
    hung, other = several.children()
    os.kill(hung, signal.SIGSTOP)
    eventually(lambda: "process.hung" in several.log, 60)
    eventually(lambda: hung not in several.children())
    eventually(lambda: ask(several, "/readyz").status_code == 200, 60)
    assert other in several.children()
    os.kill(other, signal.SIGABRT)  # it can say where it hangs, unless it is stopped as above
    eventually(lambda: "most recent call first" in several.log)
    assert several.end(signal.SIGTERM) == 0


def test_a_process_that_cannot_be_started_ends_nothing_else(several: Serving) -> None:
    eventually(lambda: ask(several, "/readyz").status_code == 200, 60)
    assert several.process is not None
    supervisor = several.process.pid
    bounds = resource.prlimit(supervisor, resource.RLIMIT_NOFILE)
    resource.prlimit(supervisor, resource.RLIMIT_NOFILE, (3, bounds[1]))
    os.kill(several.children()[0], signal.SIGKILL)
    eventually(lambda: "process.not_started" in several.log, 60)
    resource.prlimit(supervisor, resource.RLIMIT_NOFILE, bounds)
    eventually(lambda: ask(several, "/readyz").status_code == 200, 60)
    assert several.process.pid == supervisor
    assert several.end(signal.SIGTERM) == 0
