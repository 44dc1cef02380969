"""When a webhook is tried again, and what its signature is (6.1). Pure."""

import hmac
from dataclasses import dataclass
from datetime import datetime

from tidings import limits


@dataclass(frozen=True, slots=True)
class Delivered:
    pass


@dataclass(frozen=True, slots=True)
class RetryAt:
    moment: datetime


@dataclass(frozen=True, slots=True)
class GivenUp:
    """All six attempts are spent: the webhook is listed by GET /webhooks/failed."""


Verdict = Delivered | RetryAt | GivenUp


def after_attempt(attempt: int, *, succeeded: bool, now: datetime) -> Verdict:
    """What follows attempt number `attempt` (1 to 6). Waits count from the failure."""
    if succeeded:
        return Delivered()
    if attempt >= limits.WEBHOOK_ATTEMPTS_MAX:
        return GivenUp()
    return RetryAt(now + limits.WEBHOOK_ATTEMPT_WAITS[attempt])


def is_success(status: int | None) -> bool:
    return status is not None and 200 <= status < 300


def signature(secret: str, timestamp: int, raw_body: bytes) -> str:
    """HMAC-SHA256 with the whole secret, prefix included, over `<timestamp>.<rawBody>`."""
    signed = b"%d." % timestamp + raw_body
    return "sha256=" + hmac.digest(secret.encode(), signed, "sha256").hex()


def signed_headers(
    webhook_id: str, body: bytes, *, attempt: int, timestamp: int, secret: str, previous: str | None
) -> dict[str, str]:
    """Fresh for every attempt; the previous secret signs too while it is being rotated out."""
    headers = {
        "Content-Type": "application/json",
        "X-Timestamp": str(timestamp),
        "X-Signature": signature(secret, timestamp, body),
        "X-Webhook-Id": webhook_id,
        "X-Delivery-Attempt": str(attempt),
    }
    if previous is not None:
        headers["X-Signature-Previous"] = signature(previous, timestamp, body)
    return headers
