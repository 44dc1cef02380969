"""A reader of the API reference: has the demo accounts, pastes samples, fills in placeholders."""

import base64
import re
import tomllib
from pathlib import Path
from typing import Any

from tests.support.invitations import get_event, invite, register
from tests.support.receiver import Receiver
from tests.support.service import TestAccount, TestService
from tests.support.waiting import eventually
from tidings.cli.running import demo

Json = dict[str, Any]


def operations(document: Json) -> list[tuple[str, Json]]:
    """(`POST /api/v1/links`, operation) in the order of the page."""
    found = [
        (f"{method.upper()} {path}", operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    order = [tag["name"] for tag in document["tags"]]
    return sorted(found, key=lambda it: order.index(it[1]["tags"][0]))


def sample_of(operation: Json, label: str) -> str | None:
    found = [it["source"] for it in operation.get("x-codeSamples", ()) if it["label"] == label]
    return found[0] if found else None


class Reader:
    """Somebody who pastes one sample after another, filling in what stands in angle brackets."""

    def __init__(
        self,
        service: TestService,
        receiver: Receiver,
        printed_url: str,
        folder: Path,
        account: str = "samples",
    ) -> None:
        receiver.answer(500)  # so that there are failed webhooks to retry
        file = demo.read_or_make(folder).replace(
            'replies = "guest"\n', f'replies = "guest"\nwebhookUrl = "{receiver.url}"\n', 1
        )
        made = service.apply(file.replace('name = "demo', f'name = "{account}'))
        self.account = TestAccount(service, made[-1])
        self.folder = folder
        self._service = service
        self._receiver_url = receiver.url
        self._printed_url = printed_url
        keys = [account["apiKey"] for account in tomllib.loads(file)["accounts"]]
        self._known = {"<PARTNER_API_KEY>": keys[0], "<API_KEY>": keys[1]}

    def fill(self, name: str, sample: str) -> str:
        """The sample as the reader runs it, once the world is as it needs it."""
        self._prepare(name)
        filled = sample.replace(self._printed_url, self._service.url)
        for placeholder, value in self._known.items():
            filled = filled.replace(placeholder, value)
        assert not re.search(r"<[A-Z_]+>", filled), filled
        return filled

    def keep_file(self, operation: Json) -> None:
        """The file that the sample of an upload reads."""
        body = operation["requestBody"]["content"]["application/json"]["example"]
        (self.folder / body["filename"]).write_bytes(base64.b64decode(body["mediaBase64"]))

    def _prepare(self, name: str) -> None:
        if "/media/inbound/" in name:
            photo = {"from": "972501234567", "media": {"type": "image"}}
            assert self.account.post("/sandbox/v1/replies", photo).status_code == 200
            self.account.advance(seconds=5)
            address, _, signature = self._media_url().partition("?")
            self._known["<PLATFORM_MESSAGE_ID>"] = address.rpartition("/")[2]
            self._known["<SIGNATURE>"] = signature
        elif "/batches" in name and "<BATCH_ID>" in self._known:
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

    def remember(self, name: str) -> None:
        """What later samples need of this one."""
        if name == "POST /api/v1/messages/bulk":
            batch = self.account.get("/batches?limit=1").json()["data"][0]
            self._known["<BATCH_ID>"] = batch["batchId"]
        elif name == "POST /api/v1/links":
            link = self.account.get("/links?limit=1").json()["data"][0]
            self._known["<LINK_CODE>"] = link["code"]
