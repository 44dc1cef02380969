"""Verifies what Tidings posts to a webhook, by either of its signatures: our own X-Signature, or
that of Standard Webhooks. A post that must not be trusted raises an error that says why.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

from .failures import WebhookVerificationError
from .generated.events import EVENTS, KnownEvent
from .generated.models import Environment
from .signatures import OURS, PREFIX, STANDARD, Post, Scheme, explain_mismatch
from .values import decode

__all__ = ["Event", "KnownEvent", "UnknownEvent", "WebhookVerificationError", "parse", "verify"]

TOLERANCE_SECONDS = 300.0


class HasItems(Protocol):
    """Headers of most frameworks, and of http.server."""

    def items(self) -> Iterable[tuple[Any, Any]]: ...


Headers = HasItems | Iterable[tuple[Any, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownEvent:
    """An event that this version of the client does not know: `kind` is what the service says."""

    id: str
    created_at: datetime
    environment: Environment
    account_id: str
    kind: str
    data: dict[str, Any]
    type: Literal["unknown"] = "unknown"


Event = KnownEvent | UnknownEvent


def verify(
    body: bytes | str,
    headers: Headers,
    secret: str | Sequence[str],
    *,
    tolerance: float = TOLERANCE_SECONDS,
    now: float | None = None,
) -> Event:
    """The event, or a `WebhookVerificationError` whose `reason` says why not.

    `body` is the raw body of the request, as it came. `secret` is the account's signing secret, or
    several while you change it. `tolerance` is how many seconds the post may be old.

    Reasons: `missing_header`, `bad_timestamp`, `bad_signature`, `too_old`, `too_new`, `bad_secret`
    (an API key, incomplete, spaces around it), `body_changed` (parsed and written anew),
    `wrong_secret` (another one made the signature, or the body was changed), `bad_body`.
    """
    raw, secrets, given = _raw(body), _secrets(secret), _by_name(headers)
    at = time.time() if now is None else now
    refusals: list[WebhookVerificationError] = []
    for scheme in _presented(given):
        try:
            _require_signed(scheme, given, raw, secrets)
            _require_fresh(scheme, given, at, tolerance)
        except WebhookVerificationError as refused:
            refusals.append(refused)
        else:
            return _event(raw)
    raise refusals[0]


def parse(payload: Mapping[str, Any]) -> Event:
    """The typed event of a payload that you trust, such as one of the catch-up feed."""
    if payload["type"] in EVENTS:
        known: KnownEvent = decode(EVENTS[payload["type"]], payload)
        return known
    fields = {**payload, "kind": payload["type"], "type": "unknown"}
    unknown: UnknownEvent = decode(UnknownEvent, fields)
    return unknown


def _raw(body: bytes | str) -> bytes:
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    raise WebhookVerificationError(
        "body_changed",
        "The body was parsed already. Give the raw body as it came, bytes or a string:"
        " request.get_data() in Flask, request.body in Django, await request.body() in FastAPI.",
    )


def _secrets(secret: str | Sequence[str]) -> list[str]:
    secrets = [secret] if isinstance(secret, str) else list(secret or ())
    if not secrets or not all(_is_secret(one) for one in secrets):
        problem = "There is no signing secret: it is empty, not set, or no text."
        raise WebhookVerificationError("bad_secret", problem)
    return secrets


def _is_secret(text: object) -> bool:
    """Of spaces or the bare prefix, anybody could guess it."""
    return isinstance(text, str) and text.strip() not in ("", PREFIX)


def _by_name(headers: Headers) -> dict[str, str]:
    """By lower-case name; frameworks have values as text, bytes or lists.

    One that came twice is both with a comma, as in HTTP: which of them counts is not ours to guess.
    """
    pairs = headers.items() if hasattr(headers, "items") else headers
    found: dict[str, list[str]] = {}
    for name, value in pairs:
        several = value if isinstance(value, (list, tuple)) else [value]
        found.setdefault(_text(name).lower(), []).extend(map(_text, several))
    return {name: ", ".join(texts) for name, texts in found.items()}


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _presented(headers: Mapping[str, str]) -> list[Scheme]:
    """Those whose headers are there; our own where none is, so that its headers are missed."""
    return [one for one in (OURS, STANDARD) if headers.get(one.signature.lower())] or [OURS]


def _require_signed(
    scheme: Scheme, headers: Mapping[str, str], body: bytes, secrets: list[str]
) -> None:
    missing = [name for name in scheme.required if not headers.get(name.lower())]
    if missing:
        raise WebhookVerificationError(
            "missing_header",
            f"{' and '.join(missing)} {'are' if missing[1:] else 'is'} missing. Does a proxy or"
            " framework in front of your code drop or rename it? Or is this not a post of Tidings?",
        )
    timestamp = headers[scheme.timestamp.lower()]
    if not re.fullmatch("[0-9]{1,11}", timestamp):
        raise WebhookVerificationError(
            "bad_timestamp",
            f"{scheme.timestamp} must be Unix time in seconds, in digits and no more:"
            f" {timestamp[:20]}",
        )
    if not scheme.is_well_formed(headers):
        raise WebhookVerificationError("bad_signature", scheme.form)
    post = Post(headers, timestamp, body)
    if not any(scheme.matches(post, secret) for secret in secrets):
        raise WebhookVerificationError(*explain_mismatch(scheme, post, secrets))


def _require_fresh(
    scheme: Scheme, headers: Mapping[str, str], now: float, tolerance: float
) -> None:
    """After the signature: the age of a post that is not ours says nothing."""
    age = now - int(headers[scheme.timestamp.lower()])
    if abs(age) <= tolerance:
        return
    where = f"{age:.0f} seconds ago" if age > 0 else f"{-age:.0f} seconds in the future"
    raise WebhookVerificationError(
        "too_old" if age > 0 else "too_new",
        f"{scheme.timestamp} is {where}, more than {tolerance:.0f}. That is right for an old post;"
        " for a fresh one, set your clock.",
    )


def _event(body: bytes) -> Event:
    try:
        return parse(json.loads(body))
    except (ValueError, KeyError, TypeError, RecursionError) as fault:
        problem = "The signature is right, but the body is no event."
        raise WebhookVerificationError("bad_body", problem) from fault
