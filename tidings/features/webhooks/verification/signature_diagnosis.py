"""Common signature mistakes of receivers: a body altered in transit, an HMAC over the wrong input.

Each mistake is reproduced, and the one that yields the receiver's value is named. Pure.
"""

import base64
import hashlib
import hmac
import json
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import unquote_plus

from ..rules import standard_key

Candidate = tuple[str, bytes]  # the mistake, and its result


def is_same_json(one: bytes, other: bytes) -> bool:
    try:
        return bool(json.loads(one) == json.loads(other))
    except (ValueError, RecursionError):
        return False


def restored(body: bytes) -> Iterator[Candidate]:
    """Candidates for the body as it was posted, each with the alteration it undoes."""
    for how, undo in _UNDO:
        try:
            yield how, undo(body)
        except (ValueError, TypeError, RecursionError):
            continue


def _unquoted(body: bytes) -> bytes:
    text = json.loads(body)
    if not isinstance(text, str):
        raise ValueError("not a string")
    return text.encode()


def _compact(body: bytes) -> bytes:
    return json.dumps(json.loads(body), separators=(",", ":"), ensure_ascii=False).encode()


_UNDO: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("white space was added around it", bytes.strip),
    ("its line ends were changed", lambda body: body.replace(b"\r\n", b"\n")),
    ("a byte order mark was put before it", lambda body: body.removeprefix(b"\xef\xbb\xbf")),
    ("it was encoded a second time, as a JSON string", _unquoted),
    ("it was base64-encoded", lambda body: base64.b64decode(body, validate=True)),
    ("it was form-encoded", lambda body: unquote_plus(body.decode(), errors="strict").encode()),
    ("its UTF-8 was read as Latin-1", lambda body: body.decode().encode("latin-1")),
    ("it was parsed and written anew", _compact),
]


def explain(
    computed: str, secrets: Sequence[str], timestamp: str, webhook_id: str, bodies: Sequence[bytes]
) -> str | None:
    """How `computed` was derived: "" if it is right, None if no known mistake yields it."""
    given = computed.strip().encode()
    texts = list(_texts(timestamp, webhook_id, bodies))
    for key_how, key in _keys(secrets):
        for text_how, text in texts:
            digest = hmac.digest(key, text, "sha256")
            for shown_how, shown in _shown(digest):
                if hmac.compare_digest(shown, given):
                    return ", ".join(how for how in (key_how, text_how, shown_how) if how)
    for how, digest in _other_digests(secrets[0].encode(), texts[0][1]):
        if any(hmac.compare_digest(shown, given) for _, shown in _shown(digest)):
            return how
    return None


def explain_standard(
    computed: str, secrets: Sequence[str], timestamp: str, webhook_id: str, bodies: Sequence[bytes]
) -> str | None:
    """The same, of a signature of Standard Webhooks: the id, the timestamp and the body."""
    given = computed.strip().removeprefix("v1,").encode()
    ages = zip(("", "made with your previous secret"), secrets, strict=False)
    for age, secret in ages:
        for body in bodies:
            signed = f"{webhook_id}.{timestamp}.".encode() + body
            right = hmac.digest(standard_key(secret), signed, "sha256")
            if hmac.compare_digest(base64.b64encode(right), given):
                return age
            if hmac.compare_digest(right.hex().encode(), given):
                return "in hexadecimal instead of base64"
            for text in (secret, secret.removeprefix("whsec_")):
                digest = hmac.digest(text.encode(), signed, "sha256")
                if hmac.compare_digest(base64.b64encode(digest), given):
                    return _KEY_NOT_DECODED
    return None


_KEY_NOT_DECODED = (
    "made with the secret as text; the key of webhook-signature is what the part after whsec_ is"
    " the base64 of"
)


def _shown(digest: bytes) -> Iterator[Candidate]:
    hexadecimal, in_base64 = digest.hex().encode(), base64.b64encode(digest)
    yield "", b"sha256=" + hexadecimal
    yield "without sha256= before it", hexadecimal
    yield "in upper case", hexadecimal.upper()
    yield "in upper case", b"sha256=" + hexadecimal.upper()
    yield "in base64 instead of hexadecimal", in_base64
    yield "in base64 instead of hexadecimal", b"sha256=" + in_base64


def _other_digests(key: bytes, text: bytes) -> Iterator[Candidate]:
    yield "made with SHA-1 instead of SHA-256", hmac.digest(key, text, "sha1")
    yield "made with SHA-512 instead of SHA-256", hmac.digest(key, text, "sha512")
    yield "a plain SHA-256 without any key", hashlib.sha256(text).digest()
    yield "a plain SHA-256 of secret and text", hashlib.sha256(key + text).digest()


def _keys(secrets: Sequence[str]) -> Iterator[Candidate]:
    for age, secret in zip(("", "made with your previous secret"), secrets, strict=False):
        rest = secret.removeprefix("whsec_")
        yield age, secret.encode()
        yield "made with the secret less its beginning, whsec_", rest.encode()
        yield "made with the secret and a line end", secret.encode() + b"\n"
        for decode in (base64.b64decode, base64.urlsafe_b64decode):
            try:
                yield "made with the secret base64-decoded", decode(rest + "=" * (-len(rest) % 4))
            except ValueError:
                continue


def _texts(timestamp: str, webhook_id: str, bodies: Sequence[bytes]) -> Iterator[Candidate]:
    stamp = timestamp.encode()
    for body in bodies:
        for body_how, written in _written(body):
            for order_how, text in (
                ("", stamp + b"." + written),
                ("made of the body alone, without the timestamp and the dot", written),
                ("made without the dot between timestamp and body", stamp + written),
                ("made of the body before the timestamp", written + b"." + stamp),
                ("made with the timestamp in milliseconds", stamp + b"000." + written),
                (
                    "made with the webhook id before the timestamp",
                    webhook_id.encode() + b"." + stamp + b"." + written,
                ),
            ):
                yield ", ".join(how for how in (order_how, body_how) if how), text


def _written(body: bytes) -> Iterator[Candidate]:
    """The body as frameworks serialise it again after parsing."""
    yield "", body
    yield "made of the body with a line end", body + b"\n"
    try:
        yield from [("made of the body parsed and written anew", anew) for anew in _anew(body)]
    except (ValueError, RecursionError):  # not JSON, or too deep, or with half a character in it
        return


def _anew(body: bytes) -> Iterator[bytes]:
    value = json.loads(body)
    for ascii_only in (True, False):
        yield json.dumps(value, ensure_ascii=ascii_only).encode()
        yield json.dumps(value, ensure_ascii=ascii_only, separators=(",", ":")).encode()
        yield json.dumps(value, ensure_ascii=ascii_only, sort_keys=True).encode()
        yield json.dumps(value, ensure_ascii=ascii_only, indent=2).encode()
        yield json.dumps(value, ensure_ascii=ascii_only, indent=4).encode()
