"""Organisations, for other slices: made with a name of their own, found by an account."""

from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.ids import new_id

from . import organisation_store
from .model import Organisation


async def make_organisation(tx: Tx, handle: str, name: str) -> UUID:
    """`handle`: what `AccountSpec.organisation` says; `name`: what people read."""
    return await organisation_store.find_or_insert(tx, new_id(), handle, name=name)


async def load_organisation(tx: Tx, account_id: UUID) -> Organisation:
    return (await organisation_store.load_of_accounts(tx, [account_id]))[account_id]
