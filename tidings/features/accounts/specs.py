"""Accounts as a file would declare them, without their secrets."""

from collections.abc import Sequence
from dataclasses import fields
from typing import NamedTuple
from uuid import UUID

from tidings.engine.db.tx import Tx

from . import store
from .model import Account, AccountSpec

# Those of the same name and type in both; the others are `belongs_to` and `declared`.
SHARED = [
    field.name
    for field in fields(AccountSpec)
    if field.name in {one.name for one in fields(Account)} - {"belongs_to"}
]


class Specified(NamedTuple):
    id: UUID
    spec: AccountSpec


async def load_specs(tx: Tx, names: Sequence[str]) -> dict[str, Specified]:
    """What is configured of these accounts, by name; a name that nobody has is left out."""
    found = await store.find_by_names(tx, names)
    declared = await store.load_declared(tx, [one.id for one in found])
    owners = await store.load(tx, [one.belongs_to for one in found if one.belongs_to is not None])
    return {
        one.name: Specified(
            one.id,
            AccountSpec(
                **{name: getattr(one, name) for name in SHARED},
                belongs_to=None if one.belongs_to is None else owners[one.belongs_to].name,
                declared=declared[one.id],
            ),
        )
        for one in found
    }
