"""The signature doctor: given a request as a receiver saw it, say what is wrong (6.1). Pure.

It never returns a signature that it computed: the caller may hold an API key but no signing secret.
"""

import hmac
from collections.abc import Iterator, Mapping
from datetime import datetime

import msgspec

from tidings import limits

from ..responses import Diagnosis, Finding
from . import schemes, signature_diagnosis
from .schemes import Scheme

WHSEC = "whsec_"
MILLISECONDS_FROM = 10**11  # in seconds that would be the year 5138
TOLERANCE = limits.WEBHOOK_TIMESTAMP_TOLERANCE.total_seconds()


class Case(msgspec.Struct, frozen=True):
    """What a receiver submits, and what we know."""

    headers: Mapping[str, str]  # lower-case names
    body: bytes
    now: datetime
    current: str
    previous: str | None = None
    sent: bytes | None = None  # the body as we posted it, if the webhook id is known
    secret: str | None = None  # what the receiver uses as its secret
    computed: str | None = None  # the signature that the receiver computed


def diagnose(case: Case) -> Diagnosis:
    faults: list[Finding] = []
    for scheme in schemes.presented(case.headers):
        known = {fault.code for fault in faults}
        faults += [fault for fault in _faults(case, scheme) if fault.code not in known]
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


def _faults(case: Case, scheme: Scheme) -> list[Finding]:
    faults = [*scheme.form(case.headers), *_timestamp(case, scheme.timestamp)]
    if not any(fault.code in ("missing_header", "bad_timestamp") for fault in faults):
        faults += _signature(case, scheme)
    return faults


def _timestamp(case: Case, name: str) -> Iterator[Finding]:
    text = case.headers.get(name.lower(), "")
    if not text:
        return
    if not (text.isascii() and text.isdigit()) or len(text) > 15:
        yield Finding(
            "bad_timestamp", f"{name} must be Unix time in seconds, in digits and no more."
        )
        return
    if int(text) >= MILLISECONDS_FROM:
        yield Finding(
            "milliseconds", f"{name} is in milliseconds; it must be in seconds, as we sent it."
        )
        return
    off = case.now.timestamp() - int(text)
    if abs(off) > TOLERANCE:
        side = "ago" if off > 0 else "in the future"
        yield Finding(
            "timestamp_skew",
            f"{name} is {abs(off):.0f} seconds {side}; a receiver refuses more than"
            f" {TOLERANCE:.0f}. That is right for an old post; for a fresh one, set your clock.",
        )


def _signature(case: Case, scheme: Scheme) -> Iterator[Finding]:
    if scheme.matches(case.headers, case.current, case.body):
        return
    if case.previous is not None and scheme.matches(case.headers, case.previous, case.body):
        yield Finding(
            "previous_secret",
            f"{scheme.signature} was made with your previous signing secret: the post was signed"
            " before the secret was changed. For 24 hours after a change posts carry the"
            " signatures of both.",
        )
        return
    yield _mismatch(case, scheme)


def _mismatch(case: Case, scheme: Scheme) -> Finding:
    if case.sent is not None and case.sent != case.body:
        return Finding("body_changed", _difference(case.sent, case.body))
    for how, body in signature_diagnosis.restored(case.body):
        if any(scheme.matches(case.headers, secret, body) for secret in _known(case)):
            return Finding(
                "body_changed",
                f"The body is not the one that was posted: {how}. Sign the raw bytes of the"
                " request, before anything parses or decodes them.",
            )
    names = f"{scheme.signature} or {scheme.timestamp}"
    if case.sent is not None:
        return Finding(
            "wrong_signature",
            f"The body is the one we posted, and the signature does not belong to it: {names}"
            " comes from another post, or was changed on the way, or the secret was changed more"
            " than once since.",
        )
    return Finding(
        "unknown_post",
        "No secret of this account made this signature for this timestamp and body. The body may"
        f" have been changed on the way; {names} may come from another post; the post may be"
        " another account's, or nobody's. With its webhook id, we compare the body with what we"
        " posted.",
    )


def _difference(sent: bytes, given: bytes) -> str:
    """Where and how a body differs from the one that was posted."""
    how = next((how for how, body in signature_diagnosis.restored(given) if body == sent), None)
    if how is None and signature_diagnosis.is_same_json(sent, given):
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
            "The secret lacks its beginning, whsec_: the key of X-Signature is the whole secret."
            " Libraries of Standard Webhooks take it with or without.",
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
    timestamp = case.headers.get("x-timestamp") or case.headers.get("webhook-timestamp")
    if case.computed is None or not timestamp:
        return
    bodies = [case.body] if case.sent is None else [case.body, case.sent]
    post = (timestamp, schemes.webhook_id(case.headers), bodies)
    how = signature_diagnosis.explain_standard(case.computed, _known(case), *post)
    if how is None:
        how = signature_diagnosis.explain(case.computed, _known(case), *post)
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
