"""API keys, signing secrets, and encryption at rest (section 5).

Keys and signing secrets have 256 random bits, so it is enough to store a plain SHA-256 of a key.
"""

import base64
import binascii
import hashlib
import hmac
import os
import secrets
from typing import Final, NoReturn

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tidings.ids import base62

MASTER_KEY_BYTES: Final = 32
_FORMAT: Final = b"\x01"  # first byte of sealed values; a later cipher or key gets the next number
_NONCE_BYTES: Final = 12
_TOKEN_CHARS: Final = 43  # 62 ** 43 > 2 ** 256


def new_api_key(environment: str) -> str:
    assert environment in ("sandbox", "live"), environment
    return f"td_{environment}_{new_token()}"


def new_signing_secret() -> str:
    """Signs webhooks. The key of our own signature header is the whole text (contract.md); that of
    Standard Webhooks is the base64-decoded part after the prefix (contract2 C)."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


def key_hash(key: str) -> bytes:
    """The hash under which an API key is stored and looked up."""
    return hashlib.sha256(key.encode()).digest()


def is_same(left: str | bytes, right: str | bytes) -> bool:
    """Constant-time comparison, for signatures, tokens and hashes."""
    return hmac.compare_digest(_bytes(left), _bytes(right))


class Secret:
    """A text that logs, tracebacks and encoders do not show. Only `reveal()` returns it."""

    __slots__ = ("_hidden",)

    def __init__(self, text: str) -> None:
        self._hidden = text

    def reveal(self) -> str:
        return self._hidden

    def __repr__(self) -> str:
        return "***"

    def __format__(self, spec: str) -> str:
        return "***"

    # Deliberately not hashable: a dict lookup would compare it in non-constant time.
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and is_same(self._hidden, other._hidden)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Secret cannot be pickled or copied")


class Unsealable(Exception):
    """Decryption failed: another master key, another context, or altered bytes."""


class Sealer:
    """AES-256-GCM under the master key. `context` (table and row) is the associated data, so a
    sealed value that is moved to another row does not decrypt.

    Layout: format byte, 12-byte random nonce, ciphertext with tag. Random nonces are safe for
    2 ** 32 sealings under one master key.
    """

    __slots__ = ("_cipher", "_root")

    def __init__(self, master_key: bytes) -> None:
        if len(master_key) != MASTER_KEY_BYTES:
            raise ValueError(f"a master key is {MASTER_KEY_BYTES} bytes, not {len(master_key)}")
        self._cipher = AESGCM(master_key)
        self._root = hmac.digest(master_key, b"tidings: keys for signing", "sha256")

    def seal(self, plaintext: str, context: str) -> bytes:
        nonce = os.urandom(_NONCE_BYTES)
        return _FORMAT + nonce + self._cipher.encrypt(nonce, plaintext.encode(), _bound(context))

    def open(self, sealed: bytes, context: str) -> Secret:
        nonce, body = sealed[1 : 1 + _NONCE_BYTES], sealed[1 + _NONCE_BYTES :]
        if sealed[:1] != _FORMAT or len(nonce) != _NONCE_BYTES:
            raise Unsealable("sealed in a format this version does not know")
        try:
            return Secret(self._cipher.decrypt(nonce, body, _bound(context)).decode())
        except InvalidTag:
            raise Unsealable(
                "sealed under another TIDINGS_MASTER_KEY or for another row, or altered"
            ) from None

    def opens(self, sealed: bytes, context: str) -> bool:
        try:
            self.open(sealed, context)
        except Unsealable:
            return False
        return True

    @property
    def fingerprint(self) -> str:
        """Names the master key without telling anything about it."""
        return self.signing_key("fingerprint").hex()[:16]

    def signing_key(self, purpose: str) -> bytes:
        """A separate key per purpose, derived so that it reveals nothing about the master key."""
        return hmac.digest(self._root, purpose.encode(), "sha256")


def new_master_key() -> str:
    """Base64 text, the format of TIDINGS_MASTER_KEY and of the key file."""
    return base64.b64encode(os.urandom(MASTER_KEY_BYTES)).decode()


def parse_master_key(text: str) -> bytes:
    """The 32 bytes of TIDINGS_MASTER_KEY. The error message never contains the value."""
    advice = "make one with: openssl rand -base64 32"
    try:
        key = base64.b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError):
        raise ValueError(f"the master key is not base64; {advice}") from None
    if len(key) != MASTER_KEY_BYTES:
        raise ValueError(f"the master key is {len(key)} bytes in place of 32; {advice}")
    return key


def new_token() -> str:
    """256 random bits as letters and digits."""
    return base62(secrets.randbits(256), _TOKEN_CHARS)


def _bound(context: str) -> bytes:
    return _FORMAT + context.encode()


def _bytes(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")
