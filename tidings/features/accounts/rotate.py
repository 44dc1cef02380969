"""New keys and signing secrets; the old ones work on for a while (contract.md, section 5)."""

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.ids import new_id
from tidings.secrets import Sealer, Secret, new_api_key, new_signing_secret

from . import changes, key_store, store
from .keys import add_key


class SigningSecrets(NamedTuple):
    """`previous` signs X-Signature-Previous while it lasts."""

    current: Secret
    previous: Secret | None


async def rotate_key(tx: Tx, account_id: UUID, overlap: timedelta) -> str:
    """Issue a new key, shown this once; the one before it works on for `overlap`."""
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
    """Issue a new signing secret, shown this once; the one before it signs on for 24 h."""
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
    """Make `secret` sign the account's webhooks, and tell everyone."""
    secret_id = new_id()
    sealed = sealer.seal(secret, _context(account_id, secret_id))
    ends_at = tx.now + limits.SECRET_OVERLAP
    await store.replace_secret(tx, account_id, secret_id, sealed, old_ends_at=ends_at)
    await store.delete_expired(tx)
    await changes.announce(tx, account_id)


async def signing_secrets(
    tx: Tx, sealer: Sealer, account_ids: Sequence[UUID]
) -> dict[UUID, SigningSecrets]:
    """What signs the webhooks of each account at this time."""
    current: dict[UUID, Secret] = {}
    previous: dict[UUID, Secret] = {}
    for found in await store.load_secrets(tx, account_ids):
        opened = sealer.open(found.sealed, _context(found.account_id, found.id))
        (current if found.is_current else previous)[found.account_id] = opened
    return {
        account_id: SigningSecrets(secret, previous.get(account_id))
        for account_id, secret in current.items()
    }


async def find_shut(tx: Tx, sealer: Sealer, account_ids: Sequence[UUID]) -> set[UUID]:
    """The accounts with a signing secret that does not open: their webhooks cannot be signed."""
    return {
        found.account_id
        for found in await store.load_secrets(tx, account_ids)
        if not sealer.opens(found.sealed, _context(found.account_id, found.id))
    }


async def delete_expired(tx: Tx) -> int:
    """Remove rotated keys and secrets whose time is over; how many there were."""
    return await store.delete_expired(tx)


def _context(account_id: UUID, secret_id: UUID) -> str:
    return f"signing_secrets/{account_id}/{secret_id}"
