"""The people of an organisation: their roles, and who leaves. One owner always stays."""

from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.audit.record import Actor, Entry, record

from . import member_store, person_store, welcome_store
from .model import Member, Person, Welcome
from .roles import Role
from .rules import PeopleCode


async def load_members(tx: Tx, organisation_id: UUID) -> list[Member]:
    return await member_store.load(tx, organisation_id)


async def load_invited(tx: Tx, organisation_id: UUID) -> list[Welcome]:
    """Who was invited and has not come yet."""
    return await welcome_store.load_open(tx, organisation_id)


async def add_member(
    tx: Tx, organisation_id: UUID, person: Person, role: Role, actor: Actor
) -> None:
    """Without an invitation, for operators who join. Who is a member already stays as they are."""
    await member_store.lock_organisation(tx, organisation_id)
    if any(one.person_id == person.id for one in await member_store.load(tx, organisation_id)):
        return
    await member_store.put(tx, organisation_id, person.id, role)
    await _record(tx, organisation_id, actor, "person.joined", person.email, {"role": role.value})


async def change_role(
    tx: Tx, organisation_id: UUID, person_id: UUID, role: Role, actor: Actor
) -> None:
    member = await _load_one(tx, organisation_id, person_id, stays_owner=role is Role.OWNER)
    if member.role is role:
        return
    await member_store.put(tx, organisation_id, person_id, role)
    details = {"from": member.role.value, "to": role.value}
    await _record(tx, organisation_id, actor, "person.role_changed", member.email, details)


async def remove_member(tx: Tx, organisation_id: UUID, person_id: UUID, actor: Actor) -> str:
    """Take somebody out of the organisation; returns the address. Who belongs to none any more,
    and is no operator, is forgotten."""
    member = await _load_one(tx, organisation_id, person_id, stays_owner=False)
    await member_store.delete(tx, organisation_id, person_id)
    await _record(
        tx, organisation_id, actor, "person.removed", member.email, {"role": member.role.value}
    )
    person = await person_store.load(tx, person_id)
    if not person.is_operator and not await member_store.load_organisations(tx, person_id):
        await person_store.delete(tx, person_id)
    return member.email


async def require_removable(tx: Tx, organisation_id: UUID, person_id: UUID) -> Member:
    """Before somebody is asked whether to remove this member."""
    return await _load_one(tx, organisation_id, person_id, stays_owner=False)


async def withdraw(tx: Tx, organisation_id: UUID, email: str, actor: Actor) -> None:
    """Make the links of an invitation worthless."""
    if await welcome_store.withdraw(tx, organisation_id, email):
        await _record(tx, organisation_id, actor, "invitation.withdrawn", email, {})


async def _load_one(tx: Tx, organisation_id: UUID, person_id: UUID, *, stays_owner: bool) -> Member:
    """The member, who may be changed: is not the last owner, or remains an owner."""
    await member_store.lock_organisation(tx, organisation_id)
    members = await member_store.load(tx, organisation_id)
    found = next((one for one in members if one.person_id == person_id), None)
    if found is None:
        raise ApiError(Code.NOT_FOUND)
    owners = [one for one in members if one.role is Role.OWNER]
    if owners == [found] and not stays_owner:
        raise ApiError(PeopleCode.LAST_OWNER)
    return found


async def _record(
    tx: Tx,
    organisation_id: UUID,
    actor: Actor,
    action: str,
    email: str,
    details: dict[str, str],
) -> None:
    entry = Entry(
        actor=actor,
        action=action,
        subject=email,
        organisation_id=organisation_id,
        details=details,
    )
    await record(tx, entry)
