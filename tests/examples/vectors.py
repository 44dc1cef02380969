"""Posts that every receiver must take, and posts that none may take.

Signed here by the page docs/webhooks.md, not by the code of the service, so that both are checked.
"""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from dataclasses import dataclass

SECRET = "whsec_" + base64.b64encode(b"the secret that receivers know..").decode()
OTHER = "whsec_" + base64.b64encode(b"a secret that they do not know..").decode()
THIRD = "whsec_" + base64.b64encode(b"another one they do not know....").decode()
TOO_OLD_SECONDS = 400


@dataclass(frozen=True, slots=True)
class Post:
    headers: dict[str, str]
    body: bytes


def event(number: int) -> tuple[str, bytes]:
    """An event, encoded as the service does: no spaces, letters as they are."""
    webhook_id = f"whk_{number:032x}"
    whole = {
        "id": webhook_id,
        "type": "guest.confirmed",
        "createdAt": "2026-01-31T09:30:00.000Z",
        "environment": "sandbox",
        "accountId": "acc_019f2c5e8a7b7c3d9e1f2a3b4c5d6e7f",
        "data": {
            "clientMessageId": "invite-dana",
            "messageId": "wamid.HBgMOTcyNTAxMjM0NTY3FQIAERgSEXAMPLE",
            "to": "972501234567",
            "meta": {"table": 7, "שולחן": "ליד החלון 🎉"},
            "eventId": "wedding",
            "from": "972501234567",
            "replyId": "wamid.HBgMOTcyNTAxMjM0NTY3FQIAEhgUEXAMPLE",
            "answer": "yes",
            "guests": 4,
            "matchConfidence": 1.0,
            "slotMatch": "button",
            "text": "כן, נהיה 4",
            "type": "text",
            "receivedAt": "2026-01-31T09:30:00.000Z",
        },
    }
    return webhook_id, json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()


def signed(
    number: int, *secrets: str, age: int = 0, stamped: int | None = None, body: bytes | None = None
) -> Post:
    """A post as the service makes it, by the newest secret and the one before if there are two.

    `stamped`: it claims this age instead; `body`: it carries this one instead.
    """
    webhook_id, original = event(number)
    timestamp = str(int(time.time()) - age)
    own = [_own(secret, timestamp, original) for secret in secrets]
    standard = [_standard(secret, webhook_id, timestamp, original) for secret in secrets]
    shown = timestamp if stamped is None else str(int(time.time()) - stamped)
    headers = {
        "Content-Type": "application/json",
        "X-Timestamp": shown,
        "X-Signature": own[0],
        "X-Webhook-Id": webhook_id,
        "X-Delivery-Attempt": "1",
        "webhook-id": webhook_id,
        "webhook-timestamp": shown,
        "webhook-signature": " ".join(standard),
    }
    if len(own) > 1:
        headers["X-Signature-Previous"] = own[1]
    return Post(headers, original if body is None else body)


def _own(secret: str, timestamp: str, body: bytes) -> str:
    whole = f"{timestamp}.".encode() + body
    return "sha256=" + hmac.new(secret.encode(), whole, hashlib.sha256).hexdigest()


def _standard(secret: str, webhook_id: str, timestamp: str, body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    whole = f"{webhook_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, whole, hashlib.sha256).digest()).decode()


def _reserialised(number: int) -> Post:
    return signed(number, SECRET, body=json.dumps(json.loads(event(number)[1])).encode())


def _tampered(number: int) -> Post:
    body = event(number)[1]
    changed = body.replace(b'"guests":4', b'"guests":9')
    assert changed != body
    return signed(number, SECRET, body=changed)


def _unsigned(number: int) -> Post:
    return Post({"Content-Type": "application/json"}, event(number)[1])


def _no_number(number: int) -> Post:
    post = signed(number, SECRET)
    odd = {"X-Timestamp": "yesterday", "webhook-timestamp": "yesterday"}
    return Post(post.headers | odd, post.body)


Vector = Callable[[int], Post]  # with a number, so that no two posts are the same event
GOOD: dict[str, Vector] = {
    "good": lambda number: signed(number, SECRET),
    "a little old": lambda number: signed(number, SECRET, age=200),
    "rotation, this secret is the new one": lambda number: signed(number, SECRET, OTHER),
    "rotation, this secret is the old one": lambda number: signed(number, OTHER, SECRET),
}
BAD: dict[str, Vector] = {
    "wrong secret": lambda number: signed(number, OTHER),
    "too old": lambda number: signed(number, SECRET, age=TOO_OLD_SECONDS),
    "from the future": lambda number: signed(number, SECRET, age=-TOO_OLD_SECONDS),
    "an old post with a new time": lambda number: signed(
        number, SECRET, age=TOO_OLD_SECONDS, stamped=0
    ),
    "tampered": _tampered,
    "re-serialised": _reserialised,
    "unsigned": _unsigned,
    "a time that is no number": _no_number,
    "empty": lambda number: signed(number, SECRET, body=b""),
    "rotation, both secrets unknown": lambda number: signed(number, OTHER, THIRD),
}
