"""The two signature schemes, as the signature doctor checks them (6.1, contract2 C). Pure."""

import hmac
import re
from collections.abc import Iterator, Mapping
from typing import Protocol

from tidings.wording import counted

from .. import rules
from ..responses import Finding

SIGNATURE, TIMESTAMP, WEBHOOK_ID = "X-Signature", "X-Timestamp", "X-Webhook-Id"
PREFIX = "sha256="
HEX_DIGITS = 64
_ENTRY = re.compile(r"v1,[A-Za-z0-9+/]{43}=")

Headers = Mapping[str, str]  # lower-case names


class Scheme(Protocol):
    """A signature scheme. Header names are spelled as in messages to users."""

    @property
    def signature(self) -> str: ...
    @property
    def timestamp(self) -> str: ...
    def form(self, headers: Headers) -> Iterator[Finding]:
        """Problems with the format of the headers."""
        ...

    def matches(self, headers: Headers, secret: str, body: bytes) -> bool:
        """Whether the secret made the signature for this body. The timestamp is a number."""
        ...


def presented(headers: Headers) -> list[Scheme]:
    """The schemes whose headers are present; if none, our own is reported as missing."""
    standard = bool(headers.get("webhook-signature"))
    ours = bool(headers.get("x-signature") or headers.get("x-timestamp")) or not standard
    return [*([OURS] if ours else []), *([STANDARD] if standard else [])]


def webhook_id(headers: Headers) -> str:
    return headers.get("webhook-id") or headers.get("x-webhook-id") or ""


def _missing(headers: Headers, names: tuple[str, ...]) -> Iterator[Finding]:
    for name in names:
        if not headers.get(name.lower()):
            yield Finding(
                "missing_header",
                f"{name} is missing. Does a proxy or framework in front of your code drop or"
                " rename it?",
            )


class _Ours:
    signature, timestamp = SIGNATURE, TIMESTAMP

    def form(self, headers: Headers) -> Iterator[Finding]:
        yield from _missing(headers, (SIGNATURE, TIMESTAMP))
        given = headers.get("x-signature", "")
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
                "upper_case",
                "X-Signature has upper-case digits; we send, and sign with, lower case.",
            )
        if given != given.strip():
            yield Finding("spaces", "X-Signature has spaces around it; remove them.")

    def matches(self, headers: Headers, secret: str, body: bytes) -> bool:
        """Ignores case and spaces, which are reported as separate findings."""
        given = headers["x-signature"].strip().lower().removeprefix(PREFIX)
        expected = rules.signature(secret, int(headers["x-timestamp"]), body)
        return hmac.compare_digest(given.encode(), expected.removeprefix(PREFIX).encode())


class _Standard:
    signature, timestamp = "webhook-signature", "webhook-timestamp"

    def form(self, headers: Headers) -> Iterator[Finding]:
        yield from _missing(headers, ("webhook-id", "webhook-timestamp"))
        if not all(_ENTRY.fullmatch(entry) for entry in headers["webhook-signature"].split()):
            yield Finding(
                "bad_standard_signature",
                "webhook-signature must be v1, and the base64 of 32 bytes, where there are several"
                " with a space between them: it was cut off or changed on the way.",
            )

    def matches(self, headers: Headers, secret: str, body: bytes) -> bool:
        timestamp = int(headers["webhook-timestamp"])
        expected = rules.standard_signature(secret, headers["webhook-id"], timestamp, body).encode()
        given = headers["webhook-signature"].split()
        return any(hmac.compare_digest(entry.encode(), expected) for entry in given)


OURS: Scheme = _Ours()
STANDARD: Scheme = _Standard()
