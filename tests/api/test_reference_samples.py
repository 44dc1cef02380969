"""Every curl sample of the reference is run as printed, in the order of the page, by a shell."""

import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.support.invitations import get_event, invite, register
from tests.support.receiver import Receiver
from tests.support.service import TestAccount, TestService
from tests.support.waiting import eventually
from tidings.cli.running import demo

# Differ at each run: ids, cursors, sentences with figures in them, which event failed last.
VOLATILE = {
    "accountId", "batchId", "code", "id", "jobId", "mediaId", "message", "messageId", "nextCursor",
    "sendId", "shortUrl", "url", "webhookId", "from", "to", "period", "number", "payload",
}  # fmt: skip
ON_THE_WAY = {"queued", "sending", "sent", "delivered", "read"}  # which of them is a matter of time
TIME = re.compile(r"20\d\d-\d\d-\d\dT[\d:.]+Z")


@pytest.fixture(scope="module")
def document(service: TestService) -> dict[str, Any]:
    found: dict[str, Any] = service.http.get("/api/v1/openapi.json").json()
    return found


def operations(document: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    found = [
        (f"{method.upper()} {path}", operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    order = [tag["name"] for tag in document["tags"]]
    return sorted(found, key=lambda it: order.index(it[1]["tags"][0]))


def test_every_endpoint_but_the_platforms_has_a_sample(document: dict[str, Any]) -> None:
    bare = [name for name, operation in operations(document) if "x-codeSamples" not in operation]
    assert bare == ["GET /platform/whatsapp/webhook", "POST /platform/whatsapp/webhook"]


def test_the_reference_begins_with_sending(document: dict[str, Any]) -> None:
    name, operation = operations(document)[0]
    assert name == "POST /api/v1/messages/text" and document["tags"][0]["name"] == "Messages"
    assert next(iter(document["paths"])) == "/api/v1/messages/text"
    assert "hello" in operation["x-codeSamples"][0]["source"]


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_every_sample_works_as_printed(
    service: TestService, receiver: Receiver, document: dict[str, Any], tmp_path: Path
) -> None:
    reader = Reader(service, receiver, document["servers"][0]["url"], tmp_path)
    for name, operation in operations(document):
        if "x-codeSamples" not in operation:
            continue
        status, answer = reader.run(name, operation["x-codeSamples"][0]["source"])
        printed = operation["responses"].get(str(status))
        assert printed is not None, (name, status, answer)
        assert status < 400, (name, answer)
        example = printed.get("content", {}).get("application/json", {}).get("example")
        if example is not None:
            require_alike(name, example, json.loads(answer))


class Reader:
    """Somebody who pastes one sample after another, filling in what stands in angle brackets."""

    def __init__(
        self, service: TestService, receiver: Receiver, printed_url: str, folder: Path
    ) -> None:
        receiver.answer(500)  # so that there are failed webhooks to retry
        file = demo.read_or_make(folder).replace(
            'replies = "guest"\n', f'replies = "guest"\nwebhookUrl = "{receiver.url}"\n', 1
        )
        made = service.apply(file.replace('name = "demo', 'name = "samples'))
        self.account = TestAccount(service, made[-1])
        self._folder = folder
        self._service = service
        self._receiver_url = receiver.url
        self._printed_url = printed_url
        keys = [account["apiKey"] for account in tomllib.loads(file)["accounts"]]
        self._known = {"<PARTNER_API_KEY>": keys[0], "<API_KEY>": keys[1]}

    def run(self, name: str, sample: str) -> tuple[int, str]:
        self._prepare(name)
        command = sample.replace(self._printed_url, self._service.url)
        for placeholder, value in self._known.items():
            command = command.replace(placeholder, value)
        assert not re.search(r"<[A-Z_]+>", command), command
        command = command.replace("curl ", "curl -s -w '\\n%{http_code}' ", 1)
        done = subprocess.run(
            ["bash", "-c", command],
            capture_output=True,
            text=True,
            errors="replace",
            check=True,
            cwd=self._folder,
        )
        answer, _, status = done.stdout.rpartition("\n")
        self._remember(name, answer)
        return int(status), answer

    def _prepare(self, name: str) -> None:
        if "/media/inbound/" in name:
            photo = {"from": "972501234567", "media": {"type": "image"}}
            assert self.account.post("/sandbox/v1/replies", photo).status_code == 200
            self.account.advance(seconds=5)
            address, _, signature = self._media_url().partition("?")
            self._known["<PLATFORM_MESSAGE_ID>"] = address.rpartition("/")[2]
            self._known["<SIGNATURE>"] = signature
        elif name.endswith("/cancel"):
            eventually(self._batch_has_left)  # as printed; the clock stands still for the others
        elif name == "GET /api/v1/events/{eventId}/guests":
            self._invite_to("gala-2036")
        elif name == "GET /api/v1/optouts":
            stop = {"from": "972501234598", "stop": True}
            assert self.account.post("/sandbox/v1/replies", stop).status_code == 200
        elif name == "GET /api/v1/webhooks/failed":
            self.account.advance(hours=4)
            failed = self.account.get("/webhooks/failed").json()["data"]
            self._known["<WEBHOOK_ID>"] = failed[0]["webhookId"]

    def _batch_has_left(self) -> bool:
        batch = self.account.get(f"/batches/{self._known['<BATCH_ID>']}").json()["data"]
        return bool(batch["state"] == "completed")

    def _invite_to(self, event_id: str) -> None:
        """To an event whose webhooks go to the receiver: nobody answers at the printed address."""
        event = get_event(self.account, event_id)
        expires_at = {"expiresAt": event["defaults"]["expiresAt"]}
        date, url = event["eventDate"], self._receiver_url
        register(self.account, event_id, eventDate=date, defaults=expires_at, callbackUrl=url)
        invite(self.account, "gala-0001", eventId=event_id)

    def _media_url(self) -> str:
        urls: list[str] = [
            body["data"]["mediaUrl"]
            for body in self.account.events()
            if body["data"].get("mediaUrl")
        ]
        return urls[-1]

    def _remember(self, name: str, answer: str) -> None:
        if name == "POST /api/v1/messages/bulk":
            self._known["<BATCH_ID>"] = json.loads(answer)["data"]["batchId"]
        elif name == "POST /api/v1/links":
            self._known["<LINK_CODE>"] = json.loads(answer)["data"]["code"]


def require_alike(where: str, printed: Any, answered: Any) -> None:
    """The same fields with the same values, but for what differs at each run, and counts."""
    if isinstance(printed, dict) and isinstance(answered, dict):
        assert printed.keys() == answered.keys(), where
        for key, value in printed.items():
            if key in VOLATILE and isinstance(value, str | dict):
                assert type(answered[key]) is type(value), f"{where} {key}: {answered[key]!r}"
            else:
                require_alike(f"{where} {key}", value, answered[key])
    elif isinstance(printed, list) and isinstance(answered, list):
        assert bool(printed) == bool(answered), f"{where}: {answered!r}"
        for one, other in zip(printed, answered, strict=False):
            require_alike(f"{where}[]", one, other)
    elif isinstance(printed, str) and TIME.fullmatch(printed):
        assert TIME.fullmatch(answered), f"{where}: {answered!r}"
    elif printed in ON_THE_WAY:
        assert answered in ON_THE_WAY, where
    elif isinstance(printed, int | float) and not isinstance(printed, bool):
        assert isinstance(answered, int | float), f"{where}: {answered!r}"
    else:
        assert printed == answered, where
