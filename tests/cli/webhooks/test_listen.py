"""`tidings listen`, as a process: it runs until it is stopped."""

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.support.commands import environment, run
from tests.support.receiver import Receiver
from tests.support.service import TestAccount, TestService
from tests.support.webhooks import publish_events

SECRET = "whsec_" + "S" * 43


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
        received = receiver.wait_for(3)
        assert [h["X-Webhook-Id"] for h in received] == ids
        assert earlier not in ids
        secret = re.search(r"whsec_\S+", "\n".join(running.remarks))
        assert secret is not None and secret[0] != account.secret
        receiver.verify(secret[0])
        assert [h.json() for h in received] == account.events()[1:]
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
    wrong = ("--url", account.service.url, "--key", "td_sandbox_wrong")
    run("listen", *wrong).refused("INVALID_API_KEY")


def test_on_the_services_machine_a_name_will_do(service: TestService) -> None:
    account = service.account(name="listened-to")
    env = environment(service)
    with Receiver() as receiver:
        words = ["--account", "listened-to", "--forward-to", receiver.url]
        with ended(Listening(*words, env=env)) as running:
            run("trigger", "guest.message", "--account", "listened-to", env=env).good()
            [received] = receiver.wait_for(1)
            receiver.verify(account.secret)
    assert received.json() == account.events()[0]
    assert any("own signing secret" in line for line in running.remarks)
    assert "whsec_" not in "".join([*running.remarks, *running.lines]), "it was shown when issued"
