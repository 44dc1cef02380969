"""`tidings listen`, `trigger` and `webhooks`: for those who receive events."""

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.support.database import url_of
from tests.support.receiver import Receiver
from tests.support.service import TestAccount, TestService
from tests.support.webhooks import publish_events, require_sound
from tidings.cli.main import app
from tidings.cli.output import Refused
from tidings.features.webhooks.rules import signed_headers
from tidings.routes import EVENTS

SECRET = "whsec_" + "S" * 43
BODY = b'{"id":"whk_1","data":{}}'


def tidings(*words: str, account: TestAccount | None = None, status: int = 0) -> str:
    aimed = [] if account is None else ["--url", account.service.url, "--key", account.key]
    result = CliRunner().invoke(app, [*words, *aimed], env={"TIDINGS_API_KEY": ""})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == status, result.output
    return result.stdout


class Listening:
    """`tidings listen` as a process of its own."""

    def __init__(self, *words: str, env: dict[str, str] | None = None) -> None:
        command = [sys.executable, "-m", "tidings.cli", "listen", *words]
        self.process = subprocess.Popen(
            command, env=os.environ | (env or {}), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, bufsize=1,
        )  # fmt: skip
        self.lines: list[str] = []
        self.remarks: list[str] = []
        for stream, into in (
            (self.process.stdout, self.lines), (self.process.stderr, self.remarks),
        ):  # fmt: skip
            threading.Thread(target=self._read, args=(stream, into), daemon=True).start()

    def _read(self, stream: Any, into: list[str]) -> None:
        for line in stream:
            into.append(line.rstrip())

    def wait_for(self, count: int, into: list[str] | None = None) -> list[str]:
        found = self.lines if into is None else into
        end = time.monotonic() + 60
        while len(found) < count:
            assert time.monotonic() < end, (self.lines, self.remarks)
            assert self.process.poll() is None or len(found) >= count, self.remarks
            time.sleep(0.02)
        return found

    def ready(self) -> None:
        end = time.monotonic() + 60
        while not any("Listening" in line for line in self.remarks):
            assert time.monotonic() < end and self.process.poll() is None, self.remarks
            time.sleep(0.02)


@contextmanager
def listening(account: TestAccount, *words: str) -> Iterator[Listening]:
    aimed = ["--url", account.service.url, "--key", account.key]
    with ended(Listening(*aimed, *words)) as running:
        yield running


@contextmanager
def ended(running: Listening) -> Iterator[Listening]:
    try:
        running.ready()
        yield running
    finally:
        running.process.terminate()
        running.process.wait(60)


def test_listen_forwards_what_happens_from_now_on_signed(account: TestAccount) -> None:
    [earlier] = publish_events(account)
    with Receiver() as receiver, listening(account, "--forward-to", receiver.url) as running:
        ids = publish_events(account, 3)
        heard = receiver.wait_for(3)
        assert [h["X-Webhook-Id"] for h in heard] == ids
        assert earlier not in ids
        secret = re.search(r"whsec_\S+", "\n".join(running.remarks))
        assert secret is not None and secret[0] != account.secret
        receiver.verify(secret[0])
        assert [h.json() for h in heard] == account.events()[1:]
        lines = running.wait_for(3)
        assert all("sender.health" in line and "200" in line for line in lines[:3])


def test_listen_goes_on_when_nobody_answers_and_accepts_the_secret(
    account: TestAccount,
) -> None:
    with Receiver() as receiver:
        receiver.answers([500])
        words = ["--forward-to", receiver.url, "--secret", SECRET, "--json"]
        with listening(account, *words) as running:
            ids = publish_events(account, 2)
            lines = [json.loads(line) for line in running.wait_for(2)]
            receiver.verify(SECRET)
        assert SECRET not in "".join(running.remarks)
    assert [line["webhookId"] for line in lines] == ids
    assert [line["status"] for line in lines] == [500, 200]
    assert lines[0]["payload"] == account.events()[0]


def test_listen_may_begin_with_the_oldest_and_only_show(account: TestAccount) -> None:
    ids = publish_events(account, 2)
    with listening(account, "--all", "--json") as running:
        lines = [json.loads(line) for line in running.wait_for(2)]
    assert [line["webhookId"] for line in lines] == ids


def test_listen_refuses_a_wrong_key(account: TestAccount) -> None:
    with pytest.raises(Refused, match="INVALID_API_KEY"):
        tidings("listen", "--url", account.service.url, "--key", "td_sandbox_wrong")


def operator(service: TestService) -> dict[str, str]:
    """The environment of a command on the service's own machine."""
    url = url_of(service._dsn)
    return {"TIDINGS_DATA": str(service.settings.data), "TIDINGS_DATABASE_URL": url}


def test_on_the_services_machine_a_name_will_do(service: TestService) -> None:
    account = service.account(name="listened-to")
    env = operator(service)
    with Receiver() as receiver:
        words = ["--account", "listened-to", "--forward-to", receiver.url]
        with ended(Listening(*words, env=env)) as running:
            command = [sys.executable, "-m", "tidings.cli", "trigger", "guest.message", "--account"]
            subprocess.run([*command, "listened-to"], env=os.environ | env, check=True, timeout=60)
            [heard] = receiver.wait_for(1)
            receiver.verify(account.secret)
    assert heard.json() == account.events()[0]
    assert any("own signing secret" in line for line in running.remarks)
    assert "whsec_" not in "".join([*running.remarks, *running.lines]), "it was shown when issued"


# Trigger


def test_trigger_sends_an_example_of_each_kind(account: TestAccount) -> None:
    for kind in [*EVENTS, *EVENTS]:
        tidings("trigger", kind.name, account=account)
    events = account.events()
    assert [event["type"] for event in events] == [kind.name for kind in EVENTS] * 2
    require_sound(account.service)
    assert all(
        event["data"].get("meta", {"example": True}) == {"example": True} for event in events
    )


def test_trigger_tells_the_id(account: TestAccount) -> None:
    queued = json.loads(tidings("trigger", "sender.health", "--json", account=account))
    assert queued == {"webhookId": account.events()[0]["id"], "type": "sender.health"}


def test_trigger_knows_its_kinds(account: TestAccount) -> None:
    with pytest.raises(Refused, match=r"one of message\.status, message\.deferred"):
        tidings("trigger", "message.sent", account=account)


# Verify


@pytest.fixture
def body(tmp_path: Path) -> str:
    (tmp_path / "body").write_bytes(BODY)
    return str(tmp_path / "body")


def post_headers(secret: str = SECRET, body: bytes = BODY) -> list[str]:
    made = signed_headers(
        "whk_1", body, attempt=1, timestamp=int(time.time()), secret=secret, previous=None
    )
    return [word for name, text in made.items() for word in ("-H", f"{name}: {text}")]


def test_verify_judges_with_a_secret_alone(body: str) -> None:
    words = ["webhooks", "verify", "--body", body, "--secret", SECRET]
    assert tidings(*words, *post_headers()).startswith("valid")
    assert "not valid" in tidings(*words, *post_headers("whsec_other"), status=1)
    assert "missing_header" in tidings(*words, status=1)


def test_verify_asks_the_service_with_a_key(account: TestAccount, body: str) -> None:
    words = ["webhooks", "verify", "--body", body, "--json"]
    found = json.loads(tidings(*words, *post_headers(account.secret), account=account))
    assert found["valid"] is True
    given = ["--secret", "whsec_other"]
    found = json.loads(tidings(*words, *given, *post_headers(account.secret), account=account))
    assert [finding["code"] for finding in found["findings"]] == ["secret_unknown"]


def test_verify_says_what_it_cannot_read(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="cannot be read"):
        tidings("webhooks", "verify", "--body", str(tmp_path / "none"), "--secret", SECRET)
    (tmp_path / "body").write_bytes(BODY)
    with pytest.raises(Refused, match="A header is written as"):
        tidings(
            "webhooks", "verify", "--body", str(tmp_path / "body"), "-H", "x", "--secret", SECRET
        )


def test_the_catalogue_in_the_docs_is_the_one_that_is_printed() -> None:
    page = Path(__file__).parents[3] / "docs" / "webhooks" / "events.md"
    assert page.read_text() == tidings("webhooks", "catalogue"), (
        "run: tidings webhooks catalogue > docs/webhooks/events.md"
    )
