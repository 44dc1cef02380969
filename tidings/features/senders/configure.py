"""Make an account's numbers those of the file, in its order (contract.md, "Running it")."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts import changes
from tidings.features.accounts.lookup import load_accounts
from tidings.secrets import Sealer, is_same

from . import store, strain_store
from .model import CONNECTED, UNKNOWN, Health, Number, NumberSpec
from .tokens import open_token, seal_token

NEW_IN_SANDBOX = Health(CONNECTED, "GREEN")  # until somebody says otherwise
NEW = Health(UNKNOWN, UNKNOWN)  # until the platform has said


async def configure(tx: Tx, sealer: Sealer, account_id: UUID, specs: Sequence[NumberSpec]) -> bool:
    """Write the numbers, remove those not named; False when all was so already."""
    await changes.begin(tx)
    await _require_own(tx, account_id, specs)
    existing = (await store.load_numbers(tx, [account_id]))[account_id]
    known = {number.number: number for number in existing}
    account = (await load_accounts(tx, [account_id]))[account_id]
    new = NEW_IN_SANDBOX if account.is_sandbox else NEW
    wanted = [
        _merged(sealer, account_id, position, spec, known.get(spec.number), new)
        for position, spec in enumerate(specs)
    ]
    if wanted == existing:
        return False
    await store.delete_others(tx, account_id, [number.number for number in wanted])
    await store.save(tx, account_id, wanted)
    await strain_store.let_try(tx, account_id, _changed_credentials(wanted, known))
    await changes.announce(tx, account_id)
    return True


def _changed_credentials(wanted: Sequence[Number], known: Mapping[str, Number]) -> list[str]:
    """Numbers that now send with another token or id: what the platform refused may be mended."""
    return [
        number.number
        for number in wanted
        if (before := known.get(number.number)) is not None
        and (before.access_token, before.phone_number_id)
        != (number.access_token, number.phone_number_id)
    ]


async def _require_own(tx: Tx, account_id: UUID, specs: Sequence[NumberSpec]) -> None:
    """A callback names only the phone number id, so that must lead to one account."""
    asked = [spec.phone_number_id for spec in specs if spec.phone_number_id is not None]
    for phone_number_id, holder in (await store.find_holders(tx, asked)).items():
        if holder != account_id:
            raise ApiError(
                Code.VALIDATION_ERROR,
                f"phoneNumberId {phone_number_id} is a number of another account",
                field="phoneNumberId",
            )


def _merged(
    sealer: Sealer,
    account_id: UUID,
    position: int,
    spec: NumberSpec,
    known: Number | None,
    new: Health,
) -> Number:
    """The number as it is to be stored: what the file says, with what the platform said of it."""
    told = None if known is None or known.phone_number_id != spec.phone_number_id else known
    return Number(
        number=spec.number,
        position=position,
        display_name=spec.display_name,
        phone_number_id=spec.phone_number_id,
        waba_id=spec.waba_id,
        portfolio_id=spec.portfolio_id,
        access_token=_sealed(sealer, account_id, spec, known),
        per_second=spec.per_second,
        daily_limit=spec.daily_limit,
        status=new.status if known is None else known.status,
        quality=new.quality if known is None else known.quality,
        platform_per_second=told.platform_per_second if told else None,
        platform_daily_limit=told.platform_daily_limit if told else None,
        platform_portfolio_id=told.platform_portfolio_id if told else None,
        verified_name=told.verified_name if told else "",
        fault=None if known is None else known.fault,
        refusal=None if known is None else known.refusal,
    )


def _sealed(
    sealer: Sealer, account_id: UUID, spec: NumberSpec, known: Number | None
) -> bytes | None:
    """Sealing twice gives other bytes, so an unchanged token keeps those it has."""
    if spec.access_token is None:
        return None
    held = None if known is None else open_token(sealer, account_id, known)
    if known is not None and held is not None and is_same(held.reveal(), spec.access_token):
        return known.access_token
    return seal_token(sealer, account_id, spec.number, spec.access_token)
