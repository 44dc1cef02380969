"""What the accounts have before they are attacked, made by the API as customers make it."""

from typing import Any
from urllib.parse import urlsplit

import httpx

from proof.fuzz.known import Known
from proof.fuzz.world import KEYS, NUMBER

_TEXT = {"clientMessageId": "order-0001", "to": "972501234567", "templateName": "plain"}
_EVENT = {
    "eventId": "gala-2036", "eventDate": "2036-06-17T19:00:00Z",
    "callbackUrl": "https://hooks.invalid/e",
    "texts": {"invalidReply": "?", "nudge": "?", "expired": "?"},
}  # fmt: skip
_FIXED = {
    "cid": "order-0001", "eventId": "gala-2036", "formId": "visit", "number": "INV-0001",
    "phoneNumber": "972501234567", "to": "972501234567", "template": "hello", "language": "en",
    "phone": NUMBER, "platform_message_id": "none",
}  # fmt: skip


def make_something_of_everything(url: str, known: Known) -> None:
    """And note the ids."""
    with httpx.Client(base_url=url, headers={"x-api-key": KEYS["acme"]}, timeout=60) as http:

        def post(path: str, body: dict[str, Any]) -> Any:
            answer = http.post(path, json=body)
            assert answer.is_success, answer.text
            return answer.json()["data"]

        post("/api/v1/messages/text", _TEXT)
        items = [_TEXT | {"clientMessageId": "order-0002"}]
        batch = post("/api/v1/messages/bulk", {"messages": items})
        link = post("/api/v1/links", {"url": "https://hooks.invalid/a"})
        post("/api/v1/events", _EVENT)
        post("/sandbox/v1/replies", {"from": "972501234567", "media": {"type": "image"}})
        known.ids |= _FIXED | {"batchId": batch["batchId"], "code": link["code"]}
        for event in http.get("/api/v1/webhooks/events?limit=200").json()["data"]:
            known.ids["webhookId"] = str(event["id"])
            _note_media(known, str(event["data"].get("mediaUrl") or ""))


def _note_media(known: Known, url: str) -> None:
    if url:
        parts = urlsplit(url)
        known.ids["platform_message_id"] = parts.path.rpartition("/")[2]
        known.media_query = parts.query
