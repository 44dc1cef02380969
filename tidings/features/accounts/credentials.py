"""Signing secrets of webhooks: issued, rotated, opened (contract.md, 5; contract2.md, C and E).

After a rotation the old secret also signs for a while. API keys are in keys.py.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.ids import new_id
from tidings.secrets import Sealer, Secret, new_signing_secret

from . import changes, secret_store, store
from .sealed import SealedColumn
from .secret_store import SealedSecret

KIND = "signing_secrets"
SEALED = SealedColumn(
    "signing_secrets", "sealed", ("account_id", "id"), lambda key: _context(key[0], key[1])
)
SealedSecrets = tuple[SealedSecret, ...]  # of one account


class SigningSecrets(NamedTuple):
    """`previous` signs X-Signature-Previous until it expires."""

    current: Secret
    previous: Secret | None


async def rotate_secret(tx: Tx, sealer: Sealer, account_id: UUID) -> str:
    """Issue a new signing secret, shown only once; the previous one also signs for 24 h."""
    await changes.begin(tx, [account_id])
    secret = new_signing_secret()
    await put_secret(tx, sealer, account_id, secret)
    return secret


async def put_secret(tx: Tx, sealer: Sealer, account_id: UUID, secret: str) -> None:
    """Make `secret` sign the account's webhooks, and notify every process."""
    secret_id = new_id()
    sealed = sealer.seal(secret, _context(account_id, secret_id))
    ends_at = tx.now + limits.SECRET_OVERLAP
    await secret_store.replace_secret(tx, account_id, secret_id, sealed, old_ends_at=ends_at)
    await store.delete_expired(tx)
    await changes.announce(tx, account_id)


async def signing_secrets(
    tx: Tx, sealer: Sealer, account_ids: Sequence[UUID]
) -> dict[UUID, SigningSecrets]:
    """The secrets that currently sign each account's webhooks."""
    sealed = await load_sealed(tx, account_ids)
    return {key: open_secrets(sealer, secrets, tx.now) for key, secrets in sealed.items()}


async def load_sealed(tx: Tx, account_ids: Iterable[UUID]) -> dict[UUID, SealedSecrets]:
    """The secrets of these accounts, cached until an account changes."""

    async def read(missing: list[UUID]) -> dict[UUID, SealedSecrets]:
        found: dict[UUID, SealedSecrets] = {}
        for one in await secret_store.load_secrets(tx, missing):
            found[one.account_id] = (*found.get(one.account_id, ()), one)
        return found

    return await tx.cache.load(KIND, account_ids, read)


def open_secrets(sealer: Sealer, sealed: SealedSecrets, now: datetime) -> SigningSecrets:
    """Of one account, as of now."""
    current, previous = None, None
    for one in sealed:
        if one.expires_at is None:
            current = sealer.open(one.sealed, _context(one.account_id, one.id))
        elif one.expires_at > now:
            previous = sealer.open(one.sealed, _context(one.account_id, one.id))
    assert current is not None, "an account has a signing secret"
    return SigningSecrets(current, previous)


class Rotation(NamedTuple):
    """Since when the secret signs, and until when the previous one also does."""

    since: datetime | None
    previous_until: datetime | None


async def load_rotation(tx: Tx, account_id: UUID) -> Rotation:
    times = await secret_store.load_secret_times(tx, account_id)
    return Rotation(
        next((issued for issued, ends in times if ends is None), None),
        next((ends for _, ends in times if ends is not None), None),
    )


async def find_unsealable(tx: Tx, sealer: Sealer, account_ids: Sequence[UUID]) -> set[UUID]:
    """The accounts with a secret that does not unseal: their webhooks cannot be signed."""
    return {
        found.account_id
        for found in await secret_store.load_secrets(tx, account_ids)
        if not sealer.opens(found.sealed, _context(found.account_id, found.id))
    }


async def delete_expired(tx: Tx) -> int:
    """Delete expired keys and secrets; how many."""
    return await store.delete_expired(tx)


def _context(account_id: UUID, secret_id: UUID) -> str:
    return f"signing_secrets/{account_id}/{secret_id}"
