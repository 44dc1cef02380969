"""The two signatures of a post, and why one does not match. Pure."""

from __future__ import annotations

import base64
import hmac
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

PREFIX = "whsec_"
EXPLAINED_BYTES_MAX = 1_000_000


@dataclass(frozen=True)
class Post:
    """A request to a webhook. Names of headers are in lower case."""

    headers: Mapping[str, str]
    timestamp: str
    body: bytes


@dataclass(frozen=True)
class Scheme:
    """A way to sign."""

    signature: str  # names of headers, as people know them
    timestamp: str
    required: tuple[str, ...]
    form: str  # what a signature looks like, for who has one that does not
    pattern: re.Pattern[str]
    given: Callable[[Mapping[str, str]], list[str]]
    expected: Callable[[Post, str], str]

    def matches(self, post: Post, secret: str) -> bool:
        """Whether the secret made one of the signatures, compared in constant time."""
        expected = self.expected(post, secret).encode()
        return any(
            hmac.compare_digest(one.encode(errors="replace"), expected)
            for one in self.given(post.headers)
        )

    def is_well_formed(self, headers: Mapping[str, str]) -> bool:
        return any(self.pattern.fullmatch(one) for one in self.given(headers))


def _ours(post: Post, secret: str) -> str:
    """Keyed with the whole secret, over `timestamp.body`."""
    signed = post.timestamp.encode() + b"." + post.body
    return "sha256=" + hmac.digest(secret.encode(), signed, "sha256").hex()


def _standard(post: Post, secret: str) -> str:
    """Keyed with what the secret is the base64 of, over `id.timestamp.body`."""
    head = f"{post.headers.get('webhook-id', '')}.{post.timestamp}."
    digest = hmac.digest(_standard_key(secret), head.encode(errors="replace") + post.body, "sha256")
    return "v1," + base64.b64encode(digest).decode()


def _standard_key(secret: str) -> bytes:
    """A secret that is not base64 is the key as it is."""
    part = secret.removeprefix(PREFIX).rstrip("=")
    try:
        key = base64.b64decode(part + "=" * (-len(part) % 4), validate=True)
    except ValueError:
        key = b""
    return key or secret.encode()


OURS = Scheme(
    "X-Signature",
    "X-Timestamp",
    ("X-Signature", "X-Timestamp"),
    "X-Signature must be sha256= and 64 hexadecimal digits in lower case: it was cut off or"
    " changed.",
    re.compile("sha256=[0-9a-f]{64}"),
    # The second is there for 24 hours after a new secret was issued.
    lambda headers: [headers.get("x-signature", ""), headers.get("x-signature-previous", "")],
    _ours,
)
STANDARD = Scheme(
    "webhook-signature",
    "webhook-timestamp",
    ("webhook-signature", "webhook-timestamp", "webhook-id"),
    "webhook-signature must be v1, and the base64 of 32 bytes: it was cut off or changed.",
    re.compile("v1,[A-Za-z0-9+/]{43}="),
    lambda headers: headers.get("webhook-signature", "").split(" "),
    _standard,
)


# Why it does not match


def explain_mismatch(scheme: Scheme, post: Post, secrets: Sequence[str]) -> tuple[str, str]:
    """The reason and a sentence: the usual mistakes are undone until one explains it."""
    for how, body in _restored(post.body):
        if any(scheme.matches(replace(post, body=body), secret) for secret in secrets):
            return "body_changed", (
                f"The body is not the one that was posted: {how}. Give the raw body of the request,"
                " before anything parses or decodes it."
            )
    for message, repair in _SECRET_MISTAKES:
        if any(scheme.matches(post, repair(secret)) for secret in secrets):
            return "bad_secret", message
    if any(secret.startswith("td_") for secret in secrets):
        return "bad_secret", "That is an API key; posts are signed with the secret whsec_…."
    return "wrong_secret", (
        f"This secret did not make {scheme.signature} for this body. Most likely the secret is"
        " another account's or environment's, or an old one; else the body was changed on the way."
        " client.webhooks.check_signature tells which."
    )


_SECRET_MISTAKES: list[tuple[str, Callable[[str], str]]] = [
    ("The secret has spaces, line ends or quotes around it.", lambda it: it.strip().strip("\"'")),
    ("The secret lacks its beginning, whsec_.", lambda it: PREFIX + it),
]


def _restored(body: bytes) -> Iterator[tuple[str, bytes]]:
    """What the body may have been when it was posted, and what was done to it since."""
    if len(body) > EXPLAINED_BYTES_MAX:  # anybody can send such a body
        return
    for how, undo in _BODY_MISTAKES:
        try:
            yield how, undo(body)
        except (ValueError, TypeError, RecursionError):
            continue  # not changed in this way


def _written_anew(body: bytes) -> bytes:
    return json.dumps(json.loads(body), separators=(",", ":"), ensure_ascii=False).encode()


def _unquoted(body: bytes) -> bytes:
    text = json.loads(body)
    if not isinstance(text, str):
        raise TypeError("not a string")
    return text.encode()


_BODY_MISTAKES: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("it was parsed and written anew", _written_anew),
    ("white space was added around it", bytes.strip),
    ("its line ends were changed", lambda body: body.replace(b"\r\n", b"\n")),
    ("a byte order mark was put before it", lambda body: body.removeprefix(b"\xef\xbb\xbf")),
    ("it was encoded a second time, as a JSON string", _unquoted),
    ("it was base64-encoded", lambda body: base64.b64decode(body, validate=True)),
    ("its UTF-8 was read as Latin-1", lambda body: body.decode().encode("latin-1")),
]
