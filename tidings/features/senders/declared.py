"""The numbers of accounts as a file would declare them, their tokens opened."""

from collections.abc import Sequence
from dataclasses import fields
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.secrets import Sealer

from . import store
from .model import Number, NumberSpec
from .tokens import open_token

SHARED = [field.name for field in fields(NumberSpec) if field.name != "access_token"]


async def load_declared_numbers(
    tx: Tx, sealer: Sealer, account_ids: Sequence[UUID]
) -> dict[UUID, list[NumberSpec]]:
    """In their order of preference. Every id asked for has an entry."""
    found = await store.load_numbers(tx, account_ids)
    return {
        account_id: [_spec(sealer, account_id, one) for one in numbers]
        for account_id, numbers in found.items()
    }


def _spec(sealer: Sealer, account_id: UUID, number: Number) -> NumberSpec:
    token = open_token(sealer, account_id, number)
    return NumberSpec(
        **{name: getattr(number, name) for name in SHARED},
        access_token=None if token is None else token.reveal(),
    )
