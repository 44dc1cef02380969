"""API keys, signing secrets, and encryption at rest (section 5).

Keys and signing secrets have 256 random bits, so it is enough to store a plain SHA-256 of a key.
"""

import base64
import binascii
import hashlib
import hmac
import os
import re
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, NoReturn

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tidings.ids import base62

MASTER_KEY_BYTES: Final = 32
_FORMAT: Final = b"\x02"  # first byte of sealed values; a later cipher gets the next number
_WITHOUT_ID: Final = b"\x01"  # of values that do not name their key: only read
_KEY_ID_BYTES: Final = 4
PREFIX_BYTES: Final = len(_FORMAT) + _KEY_ID_BYTES
_NONCE_BYTES: Final = 12
_TOKEN_CHARS: Final = 43  # 62 ** 43 > 2 ** 256


def new_api_key(environment: str) -> str:
    assert environment in ("sandbox", "live"), environment
    return f"td_{environment}_{new_token()}"


def new_signing_secret() -> str:
    """Signs webhooks. The key of our own signature header is the whole text (contract.md); that of
    Standard Webhooks is the base64-decoded part after the prefix (contract2 C)."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


def forwarding_secret(key: str) -> str:
    """Signs what `tidings listen` forwards for this key: the same on every run, and no use for
    anything else."""
    digest = hmac.digest(key.encode(), b"tidings listen", "sha256")
    return "whsec_" + base64.b64encode(digest).decode()


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


class _MasterKey:
    """One key, and what is derived from it."""

    __slots__ = ("_root", "cipher", "id")

    def __init__(self, key: bytes) -> None:
        if len(key) != MASTER_KEY_BYTES:
            raise ValueError(f"a master key is {MASTER_KEY_BYTES} bytes, not {len(key)}")
        self.cipher = AESGCM(key)
        self._root = hmac.digest(key, b"tidings: keys for signing", "sha256")
        self.id = self.derive("fingerprint")[:_KEY_ID_BYTES]

    def derive(self, purpose: str) -> bytes:
        return hmac.digest(self._root, purpose.encode(), "sha256")


class Sealer:
    """AES-256-GCM under the master key. `context` (table and row) is the associated data, so a
    sealed value that is moved to another row does not decrypt.

    Layout: format byte, 4-byte id of the key, 12-byte random nonce, ciphertext with tag. Random
    nonces are safe for 2 ** 32 sealings under one master key.

    While a master key is rotated there are several: the first one seals, and each opens what it has
    sealed. `reload` reads them again: it is called where a value names a key that is not known, as
    another process may have made one.
    """

    __slots__ = ("_keys", "_reload")

    def __init__(
        self, *master_keys: bytes, reload: Callable[[], Sequence[bytes]] | None = None
    ) -> None:
        assert master_keys, "there is a master key"
        self._keys = [_MasterKey(key) for key in master_keys]
        self._reload = reload

    def reload(self) -> None:
        """Keys that are gone from their file still open here, until this process ends."""
        if self._reload is not None:
            found = [_MasterKey(key) for key in self._reload()]
            known = {key.id for key in found}
            self._keys = found + [key for key in self._keys if key.id not in known]

    def seal(self, plaintext: str, context: str) -> bytes:
        nonce = os.urandom(_NONCE_BYTES)
        ciphertext = self._keys[0].cipher.encrypt(
            nonce, plaintext.encode(), self.prefix + context.encode()
        )
        return self.prefix + nonce + ciphertext

    @property
    def prefix(self) -> bytes:
        """What everything that is sealed now begins with."""
        return _FORMAT + self._keys[0].id

    def open(self, sealed: bytes, context: str) -> Secret:
        size = 1 if sealed[:1] == _WITHOUT_ID else PREFIX_BYTES
        prefix, nonce = sealed[:size], sealed[size : size + _NONCE_BYTES]
        if prefix[:1] not in (_FORMAT, _WITHOUT_ID) or len(nonce) != _NONCE_BYTES:
            raise Unsealable("sealed in a format this version does not know")
        body, bound = sealed[size + _NONCE_BYTES :], prefix + context.encode()
        for key in self._candidates(prefix):
            with suppress(InvalidTag):
                return Secret(key.cipher.decrypt(nonce, body, bound).decode())
        raise Unsealable("sealed under another TIDINGS_MASTER_KEY or for another row, or altered")

    def _candidates(self, prefix: bytes) -> list[_MasterKey]:
        """The key that a value names; in the older format any could be it."""
        if prefix == _WITHOUT_ID:
            return self._keys
        found = self._find(prefix[1:])
        return [] if found is None else [found]

    def _find(self, key_id: bytes) -> _MasterKey | None:
        found = next((key for key in self._keys if key.id == key_id), None)
        if found is None and self._reload is not None:
            self.reload()
            found = next((key for key in self._keys if key.id == key_id), None)
        return found

    def opens(self, sealed: bytes, context: str) -> bool:
        try:
            self.open(sealed, context)
        except Unsealable:
            return False
        return True

    @property
    def fingerprints(self) -> list[str]:
        """Names of the master keys, which tell nothing about them; the first one seals."""
        return [key.id.hex() for key in self._keys]

    def signing_key(self, purpose: str) -> bytes:
        """A separate key per purpose, derived so that it reveals nothing about the master key."""
        return self._keys[0].derive(purpose)

    def signing_keys(self, purpose: str) -> list[bytes]:
        """Of every master key, to verify what was signed before a rotation."""
        return [key.derive(purpose) for key in self._keys]


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


def parse_master_keys(text: str) -> list[bytes]:
    """One, or several separated by commas or line ends: the first one seals."""
    return [parse_master_key(part) for part in re.split(r"[,\n]", text.strip())]


def new_token() -> str:
    """256 random bits as letters and digits."""
    return base62(secrets.randbits(256), _TOKEN_CHARS)


def _bytes(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")
