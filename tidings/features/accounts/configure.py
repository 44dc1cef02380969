"""Create or change an account as a file or form declares it; idempotent (contract.md)."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.ids import new_id
from tidings.secrets import Sealer, is_same, key_hash, new_api_key, new_signing_secret

from . import changes, credentials, key_store, keys, organisation_store, store
from .model import Account, AccountSpec, Configured

KEY_OVERLAP = timedelta(hours=24)  # OPEN: docs/decisions/0008-apply-file.md


async def configure(tx: Tx, sealer: Sealer, spec: AccountSpec) -> Configured:
    """Create the account of this name, or change it. What is unchanged is not written."""
    await changes.begin_all(tx)
    existing = await store.find_by_name(tx, spec.name)
    _require_same_environment(existing, spec)
    _require_one_role(spec)
    if existing is None:
        spec = _with_secrets(spec)
    partner = await _find_partner(tx, spec)
    account_id = new_id() if existing is None else existing.id
    changed = await store.save(
        tx,
        account_id,
        spec,
        organisation_id=await _settle_organisation(tx, existing, spec),
        belongs_to=None if partner is None else partner.id,
        clock=timedelta(0) if partner is None else partner.clock,
    )
    if changed:
        await changes.announce(tx, account_id)
    if existing is not None and existing.keep_readings and not spec.keep_readings:
        await store.drop_kept_readings(tx, account_id)
    return Configured(
        id=account_id,
        name=spec.name,
        environment=spec.environment,
        api_key=spec.api_key,
        signing_secret=spec.signing_secret,
        has_new_key=await _settle_key(tx, sealer, account_id, spec),
        has_new_secret=await _settle_secret(tx, sealer, account_id, spec),
    )


async def _settle_organisation(tx: Tx, existing: Account | None, spec: AccountSpec) -> UUID:
    """The one given; else the one it has; a new account has one of its own name."""
    if existing is not None and spec.organisation is None:
        return (await organisation_store.load_of_accounts(tx, [existing.id]))[existing.id].id
    handle = spec.organisation or spec.name
    return await organisation_store.find_or_insert(tx, new_id(), handle, name=handle)


def _with_secrets(spec: AccountSpec) -> AccountSpec:
    """A new account has a key and a signing secret, its own or given ones."""
    return replace(
        spec,
        api_key=spec.api_key or new_api_key(spec.environment),
        signing_secret=spec.signing_secret or new_signing_secret(),
    )


async def require_partners(tx: Tx) -> None:
    """After everything is configured: an account can only belong to a partner."""
    for child, parent in await store.find_orphans(tx):
        raise ApiError(
            Code.VALIDATION_ERROR,
            f'account "{child}" belongs to "{parent}", which has no partner terms any more; '
            "keep its partner terms, or move the account first",
            field="partner",
        )


def _require_same_environment(existing: Account | None, spec: AccountSpec) -> None:
    if existing is not None and existing.environment != spec.environment:
        raise ApiError(
            Code.VALIDATION_ERROR,
            f'account "{spec.name}" is {existing.environment} and cannot become '
            f"{spec.environment}; give the {spec.environment} account another name",
            field="environment",
        )


def _require_one_role(spec: AccountSpec) -> None:
    if spec.partner is not None and spec.belongs_to is not None:
        raise ApiError(
            Code.VALIDATION_ERROR,
            f'account "{spec.name}": belongsTo cannot go with partner: a partner belongs to nobody',
            field="belongsTo",
        )


async def _find_partner(tx: Tx, spec: AccountSpec) -> Account | None:
    if spec.belongs_to is None:
        return None
    partner = await store.find_by_name(tx, spec.belongs_to)
    if partner is None or not partner.is_partner or partner.environment != spec.environment:
        raise ApiError(
            Code.VALIDATION_ERROR,
            f'account "{spec.name}": belongsTo must name a {spec.environment} partner account; '
            f'"{spec.belongs_to}" is none',
            field="belongsTo",
        )
    return partner


async def _settle_key(tx: Tx, sealer: Sealer, account_id: UUID, spec: AccountSpec) -> bool:
    """Whether the account got a new key: a different one is a rotation."""
    if spec.api_key is None or key_hash(spec.api_key) in await key_store.find_lasting(
        tx, account_id
    ):
        return False
    await _require_free_key(tx, account_id, spec)
    await keys.put_key(tx, sealer, account_id, spec.api_key, KEY_OVERLAP)
    return True


async def _require_free_key(tx: Tx, account_id: UUID, spec: AccountSpec) -> None:
    assert spec.api_key is not None
    if await key_store.find_key_owner(tx, key_hash(spec.api_key)) not in (None, account_id):
        raise ApiError(
            Code.VALIDATION_ERROR,
            f'account "{spec.name}": apiKey is the key of another account',
            field="apiKey",
        )


async def _settle_secret(tx: Tx, sealer: Sealer, account_id: UUID, spec: AccountSpec) -> bool:
    """Whether the account got a new secret: a different one is a rotation."""
    if spec.signing_secret is None:
        return False
    found = (await credentials.signing_secrets(tx, sealer, [account_id])).get(account_id)
    if found is not None and is_same(found.current.reveal(), spec.signing_secret):
        return False
    await credentials.put_secret(tx, sealer, account_id, spec.signing_secret)
    return True


assert timedelta(days=limits.KEY_OVERLAP_DAYS.low) <= KEY_OVERLAP
assert timedelta(days=limits.KEY_OVERLAP_DAYS.high) >= KEY_OVERLAP
