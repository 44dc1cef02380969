"""People: the members of the organisation for its owners, and everybody's own sign-in."""

from dataclasses import dataclass, field

from starlette.responses import Response

from tidings.engine.db.tx import Tx
from tidings.features.people import second_factor
from tidings.features.people.members import load_invited, load_members
from tidings.features.people.model import Member, Membership, OpenSession, Welcome
from tidings.features.people.passwords import has_password
from tidings.features.people.roles import Right, Role
from tidings.features.people.sessions import load_sessions
from tidings.portal import sorting
from tidings.portal.page import Page
from tidings.portal.people.browsers import browser_name
from tidings.portal.sorting import Keys
from tidings.portal.states import WORDS
from tidings.portal.visit import Visit


@dataclass(frozen=True, slots=True)
class Invited:
    """A link that was made just now. `is_sent`: by mail as well."""

    email: str
    link: str = field(repr=False)
    is_sent: bool


@dataclass(frozen=True, slots=True)
class Seen:
    has_password: bool
    recovery_codes: int | None  # None: the second factor is off
    sessions: list[OpenSession]
    members: list[Member]
    invited: list[Welcome]


async def show(visit: Visit) -> Response:
    return await page(visit)


async def page(visit: Visit, status: int | None = None, *, made: Invited | None = None) -> Response:
    """The page, also after a form of it was refused, or has made a link."""
    seen = await visit.transact(lambda tx: _load(tx, visit))
    keys = _sort_keys(visit)
    by = sorting.read("/people", visit.query, keys)
    roles = [(role.value, visit.gettext(WORDS[role.value])) for role in Role]
    return visit.page(
        "people/people.html",
        status,
        seen=seen,
        members=by.sort(seen.members, keys),
        invited=by.sort(seen.invited, keys),  # always below those who have come
        sorting=by,
        made=made,
        roles=roles,
        browser_name=browser_name,
    )


def _sort_keys(visit: Visit) -> Keys[Member | Welcome]:
    """What the columns are sorted by; a role by the word that the reader sees."""
    return {
        "person": lambda one: one.email,
        "role": lambda one: one.role and visit.gettext(WORDS[one.role.value]),
        "since": lambda one: one.created_at,
    }


def organisation_of(visit: Visit) -> Membership:
    """Of the chosen account. Pages that need a right of a role have one."""
    membership = visit.require_session().membership_in(visit.chosen.id)
    assert membership is not None
    return membership


async def _load(tx: Tx, visit: Visit) -> Seen:
    person = visit.person
    members: list[Member] = []
    invited: list[Welcome] = []
    if visit.may(Right.MANAGE):
        organisation_id = organisation_of(visit).organisation_id
        members = await load_members(tx, organisation_id)
        invited = await load_invited(tx, organisation_id)
    return Seen(
        has_password=await has_password(tx, person),
        recovery_codes=await second_factor.count_left(tx, person),
        sessions=await load_sessions(tx, person.id),
        members=members,
        invited=invited,
    )


PAGES = [Page("/people", get=show, needs=Right.SELF)]
