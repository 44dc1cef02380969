"""Keys and signing secrets as people and commands change them: each change is audited.

An entry names a key by how it begins, and never holds one. What replaces or ends a key or a secret
is an edit by hand: an account file that gives another one does not undo it unnoticed.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.features.accounts import credentials, keys
from tidings.features.accounts.hand_edits import put_edits
from tidings.features.accounts.model import Account, IssuedKey
from tidings.features.audit.record import Actor, Entry, record
from tidings.secrets import Sealer

ALL_KEYS = "all keys"
SIGNING = "signing secret"
KEY_SETTING, SECRET_SETTING = "apiKey", "signingSecret"  # as the account file calls them


async def issue_key(
    tx: Tx, sealer: Sealer, actor: Actor, account: Account, name: str, key_id: UUID | None = None
) -> str:
    """One more key, shown once."""
    key = await keys.issue_key(tx, sealer, account, name, key_id)
    await _record(
        tx, actor, account, "key.issued", keys.prefix_of(key), name=" ".join(name.split())
    )
    return key


async def rotate_key(
    tx: Tx, sealer: Sealer, actor: Actor, account: Account, key_id: UUID, overlap: timedelta
) -> str:
    """A new key in place of one."""
    previous = await keys.load_key(tx, account, key_id)
    key = await keys.rotate_key(tx, sealer, account, key_id, overlap)
    ends = {"replaces": previous.prefix, "overlapDays": overlap / timedelta(days=1)}
    await put_edits(tx, account.id, [KEY_SETTING], actor.name)
    await _record(
        tx, actor, account, "key.rotated", keys.prefix_of(key), name=previous.name, **ends
    )
    return key


async def rotate_keys(
    tx: Tx, sealer: Sealer, actor: Actor, account: Account, overlap: timedelta
) -> str:
    """A new key in place of all."""
    key = await keys.rotate_keys(tx, sealer, account.id, overlap)
    ends = {"replaces": ALL_KEYS, "overlapDays": overlap / timedelta(days=1)}
    await put_edits(tx, account.id, [KEY_SETTING], actor.name)
    await _record(tx, actor, account, "key.rotated", keys.prefix_of(key), **ends)
    return key


async def revoke_key(tx: Tx, actor: Actor, account: Account, key_id: UUID) -> IssuedKey:
    key = await keys.revoke_key(tx, account, key_id)
    await put_edits(tx, account.id, [KEY_SETTING], actor.name)
    await _record(tx, actor, account, "key.revoked", key.prefix, name=key.name)
    return key


async def revoke_keys(tx: Tx, actor: Actor, account: Account) -> int:
    """How many there were."""
    count = await keys.revoke_keys(tx, account)
    if count:
        await put_edits(tx, account.id, [KEY_SETTING], actor.name)
        await _record(tx, actor, account, "key.revoked", ALL_KEYS, keys=count)
    return count


async def rotate_secret(tx: Tx, sealer: Sealer, actor: Actor, account: Account) -> str:
    """A new signing secret, shown once; the previous one also signs for a day."""
    secret = await credentials.rotate_secret(tx, sealer, account.id)
    await put_edits(tx, account.id, [SECRET_SETTING], actor.name)
    await _record(tx, actor, account, "secret.rotated", SIGNING)
    return secret


async def _record(
    tx: Tx, actor: Actor, account: Account, action: str, subject: str, **details: Any
) -> None:
    kept = {name: value for name, value in details.items() if value != ""}
    entry = Entry(actor=actor, action=action, subject=subject, account_id=account.id, details=kept)
    await record(tx, entry)
