"""Everybody of the installation, for the operator's commands and page."""

from dataclasses import dataclass
from uuid import UUID

from tidings.engine.db.order import Order
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.audit.record import Actor

from . import member_store, person_store
from .members import remove_member
from .person_store import StoredPerson
from .recording import record_person
from .roles import Role
from .second_factor import drop


@dataclass(frozen=True, slots=True)
class Listed:
    email: str
    is_operator: bool
    has_second_factor: bool
    organisations: list[tuple[str, Role]]


@dataclass(frozen=True, slots=True)
class ListedPage:
    people: list[Listed]
    next_email: str | None  # None: there are no more


async def search_people(
    tx: Tx, text: str, after: str, size: int, order: Order = Order.ASCENDING
) -> ListedPage:
    """Whose address has this in it, by address."""
    found = await person_store.search(tx, text, after, size + 1, order)
    organisations = await member_store.load_all_organisations(tx, [one.id for one in found])
    listed = [_listed(one, organisations.get(one.id, {})) for one in found[:size]]
    return ListedPage(listed, listed[-1].email if len(found) > size else None)


def _listed(person: StoredPerson, memberships: dict[UUID, tuple[str, Role]]) -> Listed:
    has_second_factor = person.totp is not None
    return Listed(person.email, person.is_operator, has_second_factor, list(memberships.values()))


async def load_everybody(tx: Tx, organisation_id: UUID | None) -> list[Listed]:
    """All people by address, or those of one organisation."""
    organisations = await member_store.load_all_organisations(tx)
    found = []
    for person in await person_store.load_all(tx):
        memberships = organisations.get(person.id, {})
        if organisation_id is None or organisation_id in memberships:
            found.append(_listed(person, memberships))
    return found


async def remove(tx: Tx, email: str, organisation_id: UUID | None, actor: Actor) -> None:
    """From one organisation; without one, from all, and as operator: the person is forgotten."""
    person = await _load(tx, email)
    if organisation_id is not None:
        await remove_member(tx, organisation_id, person.id, actor)
        return
    await record_person(tx, actor, "person.forgotten", person.id, person.email)
    for one in await member_store.load_organisations(tx, person.id):
        await remove_member(tx, one, person.id, actor)
    await person_store.delete(tx, person.id)


async def drop_second_factor(tx: Tx, email: str, actor: Actor) -> None:
    """For somebody who has lost the phone and the recovery codes."""
    person = await _load(tx, email)
    await drop(tx, person)
    await record_person(tx, actor, "second_factor.turned_off", person.id, person.email)


async def _load(tx: Tx, email: str) -> StoredPerson:
    person = await person_store.find_by_email(tx, email.strip())
    if person is None:
        raise ApiError(Code.NOT_FOUND, f"nobody has the address {email}")
    return person
