"""API keys and signing secrets: issued, rotated, revoked (contract.md, 5; contract2.md, C and E).

After a rotation the old key or secret stays valid for a while.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.ids import new_id
from tidings.secrets import Sealer, Secret, key_hash, new_api_key, new_signing_secret

from . import changes, key_store, store
from .model import Account, IssuedKey

PREFIX_CHARS_MAX = 24  # after `td_live_`; the rest of a generated key has over 100 random bits
GIVEN_CHARS_MIN = 4  # a shorter prefix may match a key by accident


async def issue_key(tx: Tx, account: Account) -> str:
    """Issue an additional key, shown only once; the others stay valid."""
    await changes.begin(tx)
    key = new_api_key(account.environment)
    await add_key(tx, account.id, key)
    return key


async def add_key(tx: Tx, account_id: UUID, key: str) -> None:
    await key_store.add_key(tx, account_id, key_hash(key), prefix=prefix_of(key), last4=key[-4:])
    await changes.announce(tx, account_id)


async def load_keys(tx: Tx, account: Account) -> list[IssuedKey]:
    return list((await key_store.load_keys(tx, account.id)).values())


async def revoke_keys(tx: Tx, account: Account, given: str | None) -> int:
    """Revoke the key that begins with `given`, or all of them, immediately; how many."""
    await changes.begin(tx)
    keys = await key_store.load_keys(tx, account.id)
    ended = list(keys) if given is None else [_find(keys, account, given)]
    if ended:
        await key_store.delete_keys(tx, account.id, ended)
        await changes.announce(tx, account.id)
    return len(ended)


def prefix_of(key: str) -> str:
    """How a key begins, up to half of its own characters: enough to identify it, not to use it."""
    start = key.index("_", len("td_")) + 1
    return key[: start + min(PREFIX_CHARS_MAX, (len(key) - start) // 2)]


def _find(keys: dict[bytes, IssuedKey], account: Account, given: str) -> bytes:
    """The hash of the one key with this prefix; an ambiguous prefix is refused."""
    whole = key_hash(given)
    if whole in keys:
        return whole
    if len(given) < len(f"td_{account.environment}_") + GIVEN_CHARS_MIN:
        raise _refusal(
            f"give at least {GIVEN_CHARS_MIN} characters behind td_{account.environment}_"
        )
    found = [one for one, key in keys.items() if key.prefix.startswith(given)]
    if len(found) != 1:
        raise _refusal(f"{len(found)} keys of {account.name} begin so; give the whole key")
    return found[0]


def _refusal(rule: str) -> ApiError:
    return ApiError(Code.VALIDATION_ERROR, f"--key: {rule}", field="key")


class SigningSecrets(NamedTuple):
    """`previous` signs X-Signature-Previous until it expires."""

    current: Secret
    previous: Secret | None


async def rotate_key(tx: Tx, account_id: UUID, overlap: timedelta) -> str:
    """Issue a new key, shown only once; the previous one stays valid for `overlap`."""
    low, high = (timedelta(days=days) for days in limits.KEY_OVERLAP_DAYS)
    if not low <= overlap <= high:
        raise ApiError(
            Code.VALIDATION_ERROR,
            f"overlap must be {limits.KEY_OVERLAP_DAYS} days",
            field="overlap",
        )
    await changes.begin(tx)
    account = (await store.load(tx, [account_id]))[account_id]
    key = new_api_key(account.environment)
    await put_key(tx, account_id, key, overlap)
    return key


async def rotate_secret(tx: Tx, sealer: Sealer, account_id: UUID) -> str:
    """Issue a new signing secret, shown only once; the previous one also signs for 24 h."""
    await changes.begin(tx)
    secret = new_signing_secret()
    await put_secret(tx, sealer, account_id, secret)
    return secret


async def put_key(tx: Tx, account_id: UUID, key: str, overlap: timedelta) -> None:
    """Make `key` the account's one key, and notify every process."""
    await key_store.end_keys(tx, account_id, tx.now + overlap)
    await store.delete_expired(tx)
    await add_key(tx, account_id, key)


async def put_secret(tx: Tx, sealer: Sealer, account_id: UUID, secret: str) -> None:
    """Make `secret` sign the account's webhooks, and notify every process."""
    secret_id = new_id()
    sealed = sealer.seal(secret, _context(account_id, secret_id))
    ends_at = tx.now + limits.SECRET_OVERLAP
    await store.replace_secret(tx, account_id, secret_id, sealed, old_ends_at=ends_at)
    await store.delete_expired(tx)
    await changes.announce(tx, account_id)


async def signing_secrets(
    tx: Tx, sealer: Sealer, account_ids: Sequence[UUID]
) -> dict[UUID, SigningSecrets]:
    """The secrets that currently sign each account's webhooks."""
    current: dict[UUID, Secret] = {}
    previous: dict[UUID, Secret] = {}
    for found in await store.load_secrets(tx, account_ids):
        opened = sealer.open(found.sealed, _context(found.account_id, found.id))
        (current if found.is_current else previous)[found.account_id] = opened
    return {
        account_id: SigningSecrets(secret, previous.get(account_id))
        for account_id, secret in current.items()
    }


async def find_unsealable(tx: Tx, sealer: Sealer, account_ids: Sequence[UUID]) -> set[UUID]:
    """The accounts with a secret that does not unseal: their webhooks cannot be signed."""
    return {
        found.account_id
        for found in await store.load_secrets(tx, account_ids)
        if not sealer.opens(found.sealed, _context(found.account_id, found.id))
    }


async def delete_expired(tx: Tx) -> int:
    """Delete expired keys and secrets; how many."""
    return await store.delete_expired(tx)


def _context(account_id: UUID, secret_id: UUID) -> str:
    return f"signing_secrets/{account_id}/{secret_id}"
