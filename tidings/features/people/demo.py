"""The newcomer of `tidings serve --demo`: owner of the demo organisation, and operator."""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.features.accounts.organisations import load_organisation
from tidings.features.audit.record import Actor
from tidings.ids import new_id

from . import member_store, person_store
from .roles import Role
from .welcome import offer_entry

EMAIL = "demo@example.com"


async def offer_demo(tx: Tx, account_ids: Sequence[UUID]) -> str:
    """The token of a link that signs the owner of these accounts in, once, and asks nothing."""
    await person_store.insert(tx, new_id(), EMAIL, None)
    person = await person_store.find_by_email(tx, EMAIL)
    assert person is not None
    for account_id in account_ids:
        organisation = await load_organisation(tx, account_id)
        await member_store.put(tx, organisation.id, person.id, Role.OWNER)
    return await offer_entry(tx, EMAIL, Actor("command", "tidings serve --demo"))
