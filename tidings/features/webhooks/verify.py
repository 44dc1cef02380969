"""The signature doctor: given a post as a receiver saw it, say exactly what is wrong (6.1). Pure.

It never tells a signature that it worked out: whoever asks may hold an API key and no secret.
"""

import hmac
from collections.abc import Iterator, Mapping
from datetime import datetime

import msgspec

from tidings import limits
from tidings.wording import counted

from . import mistakes, rules
from .shapes import Diagnosis, Finding

SIGNATURE, TIMESTAMP, WEBHOOK_ID = "x-signature", "x-timestamp", "x-webhook-id"
PREFIX = "sha256="
WHSEC = "whsec_"
HEX_DIGITS = 64
MILLISECONDS_FROM = 10**11  # in seconds that would be the year 5138
TOLERANCE = limits.WEBHOOK_TIMESTAMP_TOLERANCE.total_seconds()


class Case(msgspec.Struct, frozen=True):
    """What a receiver shows, and what we know."""

    headers: Mapping[str, str]  # lower-case names
    body: bytes
    now: datetime
    current: str
    previous: str | None = None
    sent: bytes | None = None  # the body as we posted it, where the webhook id is one of ours
    secret: str | None = None  # what the receiver uses as its secret
    computed: str | None = None  # what the receiver has worked out as the signature


def diagnose(case: Case) -> Diagnosis:
    faults = [*_headers(case), *_timestamp(case)]
    if not any(fault.code in ("missing_header", "bad_timestamp") for fault in faults):
        faults += _signature(case)
    valid = not faults
    hints = [*_secret(case), *_computed(case)]
    if valid and not hints:
        hints = [_VALID]
    return Diagnosis(valid, [*faults, *hints])


_VALID = Finding(
    "valid",
    "The signature, the timestamp and the body belong together. If your code refuses this post, it"
    " uses another secret or works the signature out in another way: give `secret` or `computed`,"
    " what your code has, and be told which.",
)


def _headers(case: Case) -> Iterator[Finding]:
    for name, shown in ((SIGNATURE, "X-Signature"), (TIMESTAMP, "X-Timestamp")):
        if not case.headers.get(name):
            yield Finding(
                "missing_header",
                f"{shown} is missing. Does a proxy or framework in front of your code drop or"
                " rename it?",
            )
    given = case.headers.get(SIGNATURE, "")
    if not given:
        return
    if not given.startswith(PREFIX):
        yield Finding("bad_prefix", "X-Signature must begin with sha256=, all in lower case.")
    digits = given.strip().rpartition("=")[2]
    if len(digits) != HEX_DIGITS or not set(digits.lower()) <= set("0123456789abcdef"):
        yield Finding(
            "bad_digits",
            f"X-Signature must have {HEX_DIGITS} hexadecimal digits after sha256=, not"
            f" {counted(len(digits), 'character')}: it was cut off, or is not hexadecimal.",
        )
    elif digits != digits.lower():
        yield Finding(
            "upper_case", "X-Signature has upper-case digits; we send, and sign with, lower case."
        )
    if given != given.strip():
        yield Finding("spaces", "X-Signature has spaces around it; remove them.")


def _timestamp(case: Case) -> Iterator[Finding]:
    text = case.headers.get(TIMESTAMP, "")
    if not text:
        return
    if not (text.isascii() and text.isdigit()) or len(text) > 15:
        yield Finding(
            "bad_timestamp", "X-Timestamp must be Unix time in seconds, in digits and no more."
        )
        return
    if int(text) >= MILLISECONDS_FROM:
        yield Finding(
            "milliseconds", "X-Timestamp is in milliseconds; it must be in seconds, as we sent it."
        )
        return
    off = case.now.timestamp() - int(text)
    if abs(off) > TOLERANCE:
        side = "ago" if off > 0 else "in the future"
        yield Finding(
            "timestamp_skew",
            f"X-Timestamp is {abs(off):.0f} seconds {side}; a receiver refuses more than"
            f" {TOLERANCE:.0f}. That is right for an old post; for a fresh one, set your clock.",
        )


def _signature(case: Case) -> Iterator[Finding]:
    if _matches(case, case.current, case.body):
        return
    if case.previous is not None and _matches(case, case.previous, case.body):
        yield Finding(
            "previous_secret",
            "X-Signature was made with your previous signing secret: the post was signed before"
            " the secret was changed. Posts since then carry the previous secret's signature in"
            " X-Signature-Previous for 24 hours.",
        )
        return
    yield _mismatch(case)


def _mismatch(case: Case) -> Finding:
    if case.sent is not None and case.sent != case.body:
        return Finding("body_changed", _difference(case.sent, case.body))
    for how, body in mistakes.restored(case.body):
        if any(_matches(case, secret, body) for secret in _known(case)):
            return Finding(
                "body_changed",
                f"The body is not the one that was posted: {how}. Sign the raw bytes of the"
                " request, before anything parses or decodes them.",
            )
    if case.sent is not None:
        return Finding(
            "wrong_signature",
            "The body is the one we posted, and the signature does not belong to it: X-Signature"
            " or X-Timestamp comes from another post, or was changed on the way, or the secret"
            " was changed more than once since.",
        )
    return Finding(
        "unknown_post",
        "No secret of this account made this signature for this timestamp and body. The body may"
        " have been changed on the way; X-Signature and X-Timestamp may come from another post;"
        " the post may be another account's, or nobody's. With its X-Webhook-Id, we compare the"
        " body with what we posted.",
    )


def _difference(sent: bytes, given: bytes) -> str:
    """Where and how a body differs from the one that was posted."""
    how = next((how for how, body in mistakes.restored(given) if body == sent), None)
    if how is None and mistakes.is_same_json(sent, given):
        how = "it is the same JSON, written anew (spaces, order of keys, escapes or numbers differ)"
    if how is None:
        same = next(
            (
                n
                for n, (ours, theirs) in enumerate(zip(sent, given, strict=False))
                if ours != theirs
            ),
            min(len(sent), len(given)),
        )
        how = f"we posted {len(sent)} bytes, this has {len(given)}; byte {same + 1} is the first to"
        how += " differ"
    return (
        f"The body is not the one that was posted: {how}. Sign the raw bytes of the request, before"
        " anything parses or decodes them."
    )


def _known(case: Case) -> list[str]:
    return [case.current] if case.previous is None else [case.current, case.previous]


def _matches(case: Case, secret: str, body: bytes) -> bool:
    """Whatever its case and spaces, which are findings of their own."""
    given = case.headers[SIGNATURE].strip().lower().removeprefix(PREFIX)
    expected = rules.signature(secret, int(case.headers[TIMESTAMP]), body).removeprefix(PREFIX)
    return hmac.compare_digest(given.encode(), expected.encode())


def _secret(case: Case) -> Iterator[Finding]:
    given = case.secret
    if given is None:
        return
    if _same(given, case.current):
        yield Finding("secret_current", "The secret is your present signing secret.")
    elif case.previous is not None and _same(given, case.previous):
        yield Finding(
            "secret_previous",
            "The secret is your previous one: it signs X-Signature-Previous until 24 hours after"
            " the change. Take the new one.",
        )
    elif _same(WHSEC + given, case.current):
        yield Finding(
            "secret_without_prefix",
            "The secret lacks its beginning, whsec_: the key of the HMAC is the whole secret.",
        )
    elif _same(given.strip().strip("\"'"), case.current):
        yield Finding("secret_spaces", "The secret has spaces, line ends or quotes around it.")
    elif given.startswith("td_"):
        yield Finding("secret_is_api_key", "That is an API key; posts are signed with whsec_….")
    else:
        yield Finding(
            "secret_unknown",
            "The secret is not one of this account. Is it of another account or environment?",
        )


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def _computed(case: Case) -> Iterator[Finding]:
    timestamp = case.headers.get(TIMESTAMP, "")
    if case.computed is None or not timestamp:
        return
    bodies = [case.body] if case.sent is None else [case.body, case.sent]
    webhook_id = case.headers.get(WEBHOOK_ID, "")
    how = mistakes.explain(case.computed, _known(case), timestamp, webhook_id, bodies)
    if how is None:
        yield Finding(
            "computed_unknown",
            "What your code worked out comes from none of the usual mistakes with this account's"
            " secret: most likely it uses another secret, or another body than the one given here.",
        )
    elif how:
        yield Finding("computed_wrong", f"What your code worked out is {how}.")
    else:
        yield Finding("computed_right", "What your code worked out is right for this body.")
