"""The people of an account's organisation in the operator's hands: invite, remove, and join.

Whoever helps a customer with what only its own pages do (opt-outs, privacy, forms, events) joins
its organisation; its people see that in their list and in their audit log.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from uuid import UUID

from starlette.responses import Response

from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account, Organisation
from tidings.features.accounts.organisations import load_organisation
from tidings.features.people.members import add_member, remove_member, require_removable, withdraw
from tidings.features.people.roles import Right, Role
from tidings.features.people.sessions import choose_account
from tidings.features.people.welcome import invite_member, link_of
from tidings.portal.entry.refused import explain
from tidings.portal.operator import account as account_page
from tidings.portal.operator.account import PATH, require_account
from tidings.portal.page import Page
from tidings.portal.people.mailing import send_invitation
from tidings.portal.visit import Visit

Act = Callable[[Visit, Account, Organisation], Awaitable[Response]]


async def act(visit: Visit) -> Response:
    account = await require_account(visit)
    doing = ACTS.get(visit.form["act"])
    if doing is None:
        raise ApiError(Code.NOT_FOUND)
    organisation = await visit.transact(lambda tx: load_organisation(tx, account.id))
    try:
        return await doing(visit, account, organisation)
    except ApiError as refusal:
        if refusal.code is Code.NOT_FOUND:
            raise
        return await account_page.show(visit, status=explain(visit, refusal))


async def invite(visit: Visit, account: Account, organisation: Organisation) -> Response:
    """The link is shown once, and sent where there is a mail server."""
    role, email = _role(visit), visit.form["email"]
    token = await visit.transact(
        lambda tx: invite_member(tx, organisation.id, email, role, visit.actor, account.id)
    )
    link = link_of(visit.ctx.settings.public_url, token)
    is_sent = await send_invitation(visit, organisation.name, email, link)
    return await account_page.show_once(visit, link=link, is_sent=is_sent)


async def remove(visit: Visit, account: Account, organisation: Organisation) -> Response:
    person_id, _ = _person_id(visit), visit.gettext
    back = f"{PATH}/{account.id}"
    if not visit.is_confirmed:
        member = await visit.transact(lambda tx: require_removable(tx, organisation.id, person_id))
        text = _("They see nothing of this organisation from the next click on.")
        return visit.confirm(_("Remove %(email)s?", email=member.email), text, back)
    email = await visit.transact(
        lambda tx: remove_member(tx, organisation.id, person_id, visit.actor)
    )
    return visit.redirect(back, notice=_("%(email)s was removed.", email=email))


async def take_back(visit: Visit, account: Account, organisation: Organisation) -> Response:
    email = visit.form["invited"]
    await visit.transact(lambda tx: withdraw(tx, organisation.id, email, visit.actor))
    done = visit.gettext("The invitation was withdrawn.")
    return visit.redirect(f"{PATH}/{account.id}", notice=done)


async def join(visit: Visit, account: Account, organisation: Organisation) -> Response:
    """As its people do; then the account's own pages are open."""
    role = _role(visit)
    await visit.transact(
        lambda tx: add_member(tx, organisation.id, visit.person, role, visit.actor)
    )
    session_id = visit.require_session().id
    await visit.transact(partial(choose_account, session_id=session_id, account_id=account.id))
    done = visit.gettext("You are a member now. Its people see that; remove yourself when done.")
    return visit.redirect("/messages" if role is not Role.BILLING else "/usage", notice=done)


ACTS: dict[str, Act] = {"invite": invite, "remove": remove, "withdraw": take_back, "join": join}


def _role(visit: Visit) -> Role:
    try:
        return Role(visit.form["role"])
    except ValueError:
        raise ApiError(Code.NOT_FOUND) from None


def _person_id(visit: Visit) -> UUID:
    try:
        return UUID(visit.form["person"])
    except ValueError:
        raise ApiError(Code.NOT_FOUND) from None


PAGES = [Page(f"{PATH}/{{id}}/people", post=act, needs=Right.OPERATE)]
