"""The retry schedule and the signatures of webhooks (6.1, contract2 C). Pure."""

import base64
import binascii
import hmac
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from tidings import limits


@dataclass(frozen=True, slots=True)
class Delivered:
    pass


@dataclass(frozen=True, slots=True)
class RetryAt:
    timestamp: datetime


@dataclass(frozen=True, slots=True)
class GivenUp:
    """All six attempts are spent: the webhook is listed by GET /webhooks/failed."""


Verdict = Delivered | RetryAt | GivenUp


def after_attempt(attempt: int, *, succeeded: bool, now: datetime) -> Verdict:
    """What follows attempt number `attempt` (1 to 6). Waits count from the failure."""
    if succeeded:
        return Delivered()
    if is_last(attempt):
        return GivenUp()
    return RetryAt(now + limits.WEBHOOK_ATTEMPT_WAITS[attempt])


def is_last(attempt: int) -> bool:
    return attempt >= limits.WEBHOOK_ATTEMPTS_MAX


def is_success(status: int | None) -> bool:
    return status is not None and 200 <= status < 300


def signature(secret: str, timestamp: int, raw_body: bytes) -> str:
    """HMAC-SHA256 with the whole secret, prefix included, over `<timestamp>.<rawBody>`."""
    signed = b"%d." % timestamp + raw_body
    return "sha256=" + hmac.digest(secret.encode(), signed, "sha256").hex()


@lru_cache(maxsize=1024)
def standard_key(secret: str) -> bytes:
    """The HMAC key of Standard Webhooks: the base64-decoded part after whsec_, padding optional. A
    secret that is not base64 is used as it is, prefix included.
    """
    part = secret.removeprefix("whsec_").rstrip("=")
    try:
        key = base64.b64decode(part + "=" * (-len(part) % 4), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    return key or secret.encode()


def standard_signature(secret: str, webhook_id: str, timestamp: int, raw_body: bytes) -> str:
    """`v1,` and the base64 of HMAC-SHA256 over `<id>.<timestamp>.<rawBody>`."""
    signed = b"%b.%d.%b" % (webhook_id.encode(), timestamp, raw_body)
    digest = hmac.digest(standard_key(secret), signed, "sha256")
    return "v1," + binascii.b2a_base64(digest, newline=False).decode()


def signed_headers(
    webhook_id: str, body: bytes, *, attempt: int, timestamp: int, secret: str, previous: str | None
) -> dict[str, str]:
    """Computed for every attempt; during a rotation the previous secret signs too."""
    standard = standard_signature(secret, webhook_id, timestamp, body)
    if previous is not None:
        standard += " " + standard_signature(previous, webhook_id, timestamp, body)
    headers = {
        "Content-Type": "application/json",
        "X-Timestamp": str(timestamp),
        "X-Signature": signature(secret, timestamp, body),
        "X-Webhook-Id": webhook_id,
        "X-Delivery-Attempt": str(attempt),
        "webhook-id": webhook_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": standard,
    }
    if previous is not None:
        headers["X-Signature-Previous"] = signature(previous, timestamp, body)
    return headers
