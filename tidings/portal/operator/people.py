"""Everybody who signs in to this installation: operators invited, passwords reset, people removed.
As `tidings people` does it."""

from collections.abc import Awaitable, Callable

from starlette.responses import Response

from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.people import directory
from tidings.features.people.roles import Right
from tidings.features.people.welcome import invite_operator, link_of, offer_reset
from tidings.portal import sorting
from tidings.portal.entry.refused import explain
from tidings.portal.form import Form
from tidings.portal.page import Page
from tidings.portal.paging import paging
from tidings.portal.visit import Visit

PATH = "/operator/people"
PAGE_ROWS = 50


async def show(visit: Visit, status: int | None = None, link: str = "") -> Response:
    """`link`: made just now, to hand over."""
    search, after = visit.query.get("search", "").strip(), visit.query.get("cursor", "")
    by = sorting.read(PATH, visit.query, ["email"], "email")
    found = await visit.transact(
        lambda tx: directory.search_people(tx, search, after, PAGE_ROWS, by.order)
    )
    return visit.page(
        "operator/people.html",
        status,
        people=found.people,
        paging=paging(PATH, visit.query, found.next_email),
        sorting=by,
        link=link,
    )


async def act(visit: Visit) -> Response:
    doing = ACTS.get(visit.form["act"])
    if doing is None:
        raise ApiError(Code.NOT_FOUND)
    try:
        return await doing(visit)
    except ApiError as refusal:
        if refusal.code is Code.NOT_FOUND:
            raise
        return await show(visit, explain(visit, refusal))


async def invite(visit: Visit) -> Response:
    email = visit.form["email"]
    token = await visit.transact(lambda tx: invite_operator(tx, email, visit.actor))
    return await _show_link(visit, token)


async def reset(visit: Visit) -> Response:
    """A link to choose another password with; with a lost phone, the second factor goes as well."""
    email, drops_factor, _ = visit.form["person"], visit.form["factor"] == "yes", visit.gettext
    if drops_factor and not visit.is_confirmed:
        title = _("Turn off the second factor of %(email)s?", email=email)
        text = _("Be sure who asks for it: the link alone then lets them in.")
        return visit.confirm(title, text, PATH)

    async def work(tx: Tx) -> str:
        token = await offer_reset(tx, email, visit.actor)
        if drops_factor:
            await directory.drop_second_factor(tx, email, visit.actor)
        return token

    return await _show_link(visit, await visit.transact(work))


async def remove(visit: Visit) -> Response:
    """Out of every organisation. Nobody removes themselves: the installation keeps an operator."""
    email, _ = visit.form["person"], visit.gettext
    if email.lower() == visit.person.email.lower():
        raise ApiError(Code.NOT_FOUND)
    if not visit.is_confirmed:
        title = _("Remove %(email)s?", email=email)
        text = _("They are taken out of every organisation and forgotten. What they did stays.")
        return visit.confirm(title, text, PATH)
    await visit.transact(lambda tx: directory.remove(tx, email, None, visit.actor))
    return visit.redirect(PATH, notice=_("%(email)s was removed.", email=email))


ACTS: dict[str, Callable[[Visit], Awaitable[Response]]] = {
    "invite": invite,
    "reset": reset,
    "remove": remove,
}


async def _show_link(visit: Visit, token: str) -> Response:
    """Not a redirect: the link is in this one answer."""
    visit.form = Form()
    return await show(visit, link=link_of(visit.ctx.settings.public_url, token))


PAGES = [Page(PATH, get=show, post=act, needs=Right.OPERATE)]
