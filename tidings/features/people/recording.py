"""Who did what to people, in the audit log of every organisation concerned."""

from typing import Any
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.features.audit.record import Actor, Entry, record

from . import member_store
from .model import Person


def actor_of(person: Person, address: str | None) -> Actor:
    return Actor("person", person.email, address)


async def record_person(
    tx: Tx, actor: Actor, action: str, person_id: UUID, email: str, **details: Any
) -> None:
    """What concerns a person stands in the log of each of their organisations; of somebody without
    any, in the installation's."""
    organisations = await member_store.load_organisations(tx, person_id)
    for organisation_id in organisations or [None]:
        await record(
            tx,
            Entry(
                actor=actor,
                action=action,
                subject=email,
                organisation_id=organisation_id,
                details=details,
            ),
        )
