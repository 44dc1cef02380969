"""A real `tidings serve --processes 2` with a live account at the simulator, to be scraped, and
Prometheus' own tools to look at it."""

import json
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.support.database import fresh_database, reachable_folder
from tests.support.plain_http import NO_TLS
from tests.support.receiver import Receiver
from tests.support.service import account_toml
from tests.support.serving import Serving, serving_of
from tests.support.simulator import RunningSimulator
from tests.support.waiting import eventually
from tidings_simulator.plan import DEFAULT, NumberSpec, Plan

ROOT = Path(__file__).parent.parent.parent
DEPLOY = ROOT / "deploy"
KEY = "td_live_" + "K" * 43
AUTH = {"x-api-key": KEY}
UNDELIVERABLE = "972509999999"
MESSAGES = 6  # in a wave
needs_prometheus = pytest.mark.skipif(
    not (shutil.which("promtool") and shutil.which("prometheus")), reason="needs prometheus"
)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def promtool(*arguments: str | Path, text: str = "") -> str:
    """What it prints; it must find nothing wrong."""
    ended = subprocess.run(
        ["promtool", *map(str, arguments)],
        input=text, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@dataclass(slots=True)
class Observed:
    serving: Serving
    simulator: RunningSimulator
    receiver: Receiver
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    @property
    def address(self) -> str:
        return self.serving.env["TIDINGS_OPERATOR_ADDRESS"]

    def scrape(self) -> str:
        answer = httpx.get(f"http://{self.address}/metrics", timeout=30, verify=NO_TLS)
        assert answer.status_code == 200
        return answer.text

    def make_traffic(self) -> None:
        """Messages that are read, one that the platform refuses, webhooks that fail at first."""
        self.receiver.answers([500])
        posted = len(self.receiver.requests)
        for _ in range(MESSAGES):
            self._send(f"97250100{next(self._numbers):04}")
        self.simulator.fault(answer="error", code=131026, to=UNDELIVERABLE, times=1)
        self._send(UNDELIVERABLE)
        self.simulator.flush()
        # sent, delivered and read of each, and the one that failed
        eventually(lambda: len(self.receiver.requests) >= posted + 3 * MESSAGES + 1, 60)

    def _send(self, to: str) -> None:
        body = {
            "clientMessageId": f"order-{next(self._numbers):06}",
            "to": to,
            "templateName": "plain",
        }
        answer = self.serving.http.post("/api/v1/messages/text", json=body, headers=AUTH)
        assert answer.status_code == 200, answer.text


@contextmanager
def observed_service() -> Iterator[Observed]:
    number = NumberSpec(number="972555000001", throughput="HIGH")
    plan = Plan(numbers=[number], templates=DEFAULT.templates)
    serving = Serving(reachable_folder(), fresh_database())
    serving.env["TIDINGS_OPERATOR_ADDRESS"] = f"127.0.0.1:{free_port()}"
    with RunningSimulator(plan=plan) as simulator, Receiver() as receiver:
        serving.env |= simulator.settings
        simulator.call_back(f"{serving.url}/platform/whatsapp/webhook")
        toml = account_toml(
            simulator.numbers_toml + "perSecond = 1000\n# accounts.templates\n",
            name="acme",
            environment="live",
            apiKey=KEY,
            webhookUrl=receiver.url,
        )
        with serving_of(toml, serving, "--processes", "2"):
            found = Observed(serving, simulator, receiver)
            templates = "/api/v1/templates"
            eventually(lambda: serving.reads.get(templates, headers=AUTH).json()["data"], 60)
            yield found


def samples(text: str) -> Iterator[tuple[str, dict[str, str], float]]:
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            yield sample.name, sample.labels, sample.value


def total(text: str, name: str, **labels: str) -> float:
    """Of a page: the samples of this name that have these labels, added up."""
    return sum(
        value
        for found, of, value in samples(text)
        if found == name and labels.items() <= of.items()
    )


def names(text: str) -> set[str]:
    """Of the metrics on a page, as they are declared there."""
    return set(re.findall(r"^# TYPE (\S+)", text, re.MULTILINE))


@dataclass(slots=True)
class Prometheus:
    """The real one, with our files, on a free port."""

    url: str

    def query(self, expression: str) -> list[dict[str, Any]]:
        answer = self._get("query", query=expression)
        result: list[dict[str, Any]] = answer["result"]
        return result

    def rules(self) -> list[dict[str, Any]]:
        return [rule for group in self._get("rules")["groups"] for rule in group["rules"]]

    def _get(self, path: str, **query: str) -> dict[str, Any]:
        answer = httpx.get(
            f"{self.url}/api/v1/{path}", params=query, timeout=30, verify=NO_TLS
        ).json()
        assert answer["status"] == "success", (query, answer)
        data: dict[str, Any] = answer["data"]
        return data


@contextmanager
def running_prometheus(target: str, folder: Path) -> Iterator[Prometheus]:
    """It scrapes `target` every second."""
    config = (DEPLOY / "prometheus" / "prometheus.yml").read_text()
    (folder / "prometheus.yml").write_text(
        config.replace("15s", "1s").replace("127.0.0.1:9464", target)
    )
    shutil.copy(DEPLOY / "prometheus" / "alerts.yml", folder)
    address = f"127.0.0.1:{free_port()}"
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            ["prometheus", "--config.file=prometheus.yml", f"--storage.tsdb.path={folder}/data",
             f"--web.listen-address={address}"],
            cwd=folder, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        eventually(lambda: _is_ready(address), 60)
        yield Prometheus(f"http://{address}")
    finally:
        process.terminate()
        process.wait(60)


def _is_ready(address: str) -> bool:
    try:
        return httpx.get(f"http://{address}/-/ready", verify=NO_TLS).is_success
    except httpx.TransportError:
        return False


# What the files ask


@dataclass(frozen=True, slots=True)
class Query:
    """An expression of an alert or a panel."""

    where: str
    text: str


def panels() -> list[dict[str, Any]]:
    dashboard = json.loads((DEPLOY / "grafana" / "tidings.json").read_text())
    found: list[dict[str, Any]] = dashboard["panels"]
    return found


def panel_queries() -> list[Query]:
    """With Grafana's variables filled in."""
    return [
        Query(panel["title"], _filled(target["expr"]))
        for panel in panels()
        for target in panel.get("targets", [])
    ]


def _filled(expression: str) -> str:
    return expression.replace("$__rate_interval", "5m").replace("$instance", ".*")
