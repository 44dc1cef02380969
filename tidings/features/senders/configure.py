"""The account's numbers as the account file declares them (contract.md, "Running it")."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts import changes
from tidings.features.accounts.lookup import load_accounts
from tidings.secrets import Sealer, is_same

from . import history, store
from .lookup import open_token, seal_token
from .model import CONNECTED, UNKNOWN, Number, NumberSpec, ReportedHealth

NEW_IN_SANDBOX = ReportedHealth(CONNECTED, "GREEN")  # until a test changes it
NEW = ReportedHealth(UNKNOWN, UNKNOWN)  # until the platform reports it
DECLARED_FIELDS = [field.name for field in fields(NumberSpec) if field.name != "access_token"]


async def configure(tx: Tx, sealer: Sealer, account_id: UUID, specs: Sequence[NumberSpec]) -> bool:
    """Write the numbers in the file's order, remove those not named. False: nothing changed."""
    await changes.begin_all(tx)
    await _require_own(tx, account_id, specs)
    existing = (await store.load_numbers(tx, [account_id]))[account_id]
    known = {number.number: number for number in existing}
    account = (await load_accounts(tx, [account_id]))[account_id]
    new = NEW_IN_SANDBOX if account.is_sandbox else NEW
    declared = [
        _merged(sealer, account_id, position, spec, known.get(spec.number), new)
        for position, spec in enumerate(specs)
    ]
    if declared == existing:
        return False
    await store.delete_others(tx, account_id, [number.number for number in declared])
    await store.save(tx, account_id, declared)
    await history.record_limits(tx, account, existing, declared)
    await store.allow_probes(tx, account_id, _changed_credentials(declared, known))
    await changes.announce(tx, account_id)
    return True


def _changed_credentials(declared: Sequence[Number], known: Mapping[str, Number]) -> list[str]:
    """Numbers with another token or id than before: what the platform refused may be fixed."""
    return [
        number.number
        for number in declared
        if (before := known.get(number.number)) is not None
        and (before.access_token, before.phone_number_id)
        != (number.access_token, number.phone_number_id)
    ]


async def _require_own(tx: Tx, account_id: UUID, specs: Sequence[NumberSpec]) -> None:
    """A callback carries only the phone number id, so that must identify one account."""
    phone_number_ids = [spec.phone_number_id for spec in specs if spec.phone_number_id is not None]
    for phone_number_id, holder in (await store.find_holders(tx, phone_number_ids)).items():
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
    new: ReportedHealth,
) -> Number:
    """The number to store: what the file declares, with what the platform reported about it."""
    same = known is not None and known.phone_number_id == spec.phone_number_id
    reported = known if same else None
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
        platform_per_second=reported.platform_per_second if reported else None,
        platform_daily_limit=reported.platform_daily_limit if reported else None,
        platform_portfolio_id=reported.platform_portfolio_id if reported else None,
        verified_name=reported.verified_name if reported else "",
        fault=None if known is None else known.fault,
        refusal=None if known is None else known.refusal,
    )


def _sealed(
    sealer: Sealer, account_id: UUID, spec: NumberSpec, known: Number | None
) -> bytes | None:
    """Sealing is not deterministic, so an unchanged token keeps its sealed bytes."""
    if spec.access_token is None:
        return None
    held = None if known is None else open_token(sealer, account_id, known)
    if known is not None and held is not None and is_same(held.reveal(), spec.access_token):
        return known.access_token
    return seal_token(sealer, account_id, spec.number, spec.access_token)


async def load_declared_numbers(
    tx: Tx, sealer: Sealer, account_ids: Sequence[UUID]
) -> dict[UUID, list[NumberSpec]]:
    """The numbers as a file would declare them, their tokens unsealed, in order of preference.
    Every given id has an entry."""
    found = await store.load_numbers(tx, account_ids)
    return {
        account_id: [_spec(sealer, account_id, number) for number in numbers]
        for account_id, numbers in found.items()
    }


def _spec(sealer: Sealer, account_id: UUID, number: Number) -> NumberSpec:
    token = open_token(sealer, account_id, number)
    return NumberSpec(
        **{name: getattr(number, name) for name in DECLARED_FIELDS},
        access_token=None if token is None else token.reveal(),
    )
