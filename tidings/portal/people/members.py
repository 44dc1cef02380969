"""What owners do with people: invite, change the role, remove, withdraw an invitation."""

from functools import partial
from uuid import UUID

from starlette.responses import Response

from tidings.errors import ApiError, Code
from tidings.features.people.members import (
    change_role,
    remove_member,
    require_removable,
    withdraw,
)
from tidings.features.people.model import Member
from tidings.features.people.roles import Right, Role
from tidings.features.people.welcome import invite_member, link_of
from tidings.portal.entry.refused import explain
from tidings.portal.page import Page
from tidings.portal.people.mailing import send_invitation
from tidings.portal.people.people import Invited, organisation_of, page
from tidings.portal.visit import Visit


async def invite(visit: Visit) -> Response:
    """Shows the link, and sends it where there is a mail server."""
    organisation, email = organisation_of(visit), visit.form["email"]
    if visit.form["role"] not in [role.value for role in Role]:
        visit.form.error("role", visit.gettext("Choose a role."))
        return await page(visit)
    invite_by = partial(
        invite_member,
        organisation_id=organisation.organisation_id,
        email=email,
        role=Role(visit.form["role"]),
        actor=visit.actor,
        account_id=visit.chosen.id,
    )
    try:
        token = await visit.transact(invite_by)
    except ApiError as refusal:
        return await page(visit, explain(visit, refusal))
    link = link_of(visit.ctx.settings.public_url, token)
    is_sent = await send_invitation(visit, organisation.organisation, email, link)
    return await page(visit, made=Invited(email, link, is_sent))


async def change(visit: Visit) -> Response:
    organisation_id, person_id = organisation_of(visit).organisation_id, _person_id(visit)
    role = _role(visit.form["to"])
    try:
        await visit.transact(
            lambda tx: change_role(tx, organisation_id, person_id, role, visit.actor)
        )
    except ApiError as refusal:
        return await _refused(visit, refusal)
    return visit.redirect("/people", notice=visit.gettext("The role was changed."))


async def remove(visit: Visit) -> Response:
    organisation_id, person_id = organisation_of(visit).organisation_id, _person_id(visit)
    try:
        if not visit.is_confirmed:
            member = await visit.transact(
                lambda tx: require_removable(tx, organisation_id, person_id)
            )
            return _ask(visit, member)
        email = await visit.transact(
            lambda tx: remove_member(tx, organisation_id, person_id, visit.actor)
        )
    except ApiError as refusal:
        return await _refused(visit, refusal)
    return visit.redirect("/people", notice=visit.gettext("%(email)s was removed.", email=email))


def _ask(visit: Visit, member: Member) -> Response:
    return visit.confirm(
        visit.gettext("Remove %(email)s?", email=member.email),
        visit.gettext("They see nothing of this organisation from the next click on."),
        "/people",
    )


async def take_back(visit: Visit) -> Response:
    """The links of an invitation are worth nothing from now on."""
    organisation_id, email = organisation_of(visit).organisation_id, visit.form["invited"]
    await visit.transact(lambda tx: withdraw(tx, organisation_id, email, visit.actor))
    return visit.redirect("/people", notice=visit.gettext("The invitation was withdrawn."))


async def _refused(visit: Visit, refusal: ApiError) -> Response:
    """Somebody who is no member of this organisation is not found."""
    if refusal.code is Code.NOT_FOUND:
        raise refusal
    return await page(visit, explain(visit, refusal))


def _person_id(visit: Visit) -> UUID:
    try:
        return UUID(visit.form["person"])
    except ValueError:
        raise ApiError(Code.NOT_FOUND) from None


def _role(text: str) -> Role:
    try:
        return Role(text)
    except ValueError:
        raise ApiError(Code.NOT_FOUND) from None


PAGES = [
    Page("/people/invite", post=invite, needs=Right.MANAGE),
    Page("/people/role", post=change, needs=Right.MANAGE),
    Page("/people/remove", post=remove, needs=Right.MANAGE),
    Page("/people/withdraw", post=take_back, needs=Right.MANAGE),
]
