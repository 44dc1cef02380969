"""One's own sign-in: the password, and the sessions that are open."""

from uuid import UUID

from starlette.responses import Response

from tidings.errors import ApiError, Code
from tidings.features.people.passwords import change_password
from tidings.features.people.roles import Right
from tidings.features.people.sessions import end_other_sessions, end_session
from tidings.portal.entry.refused import explain
from tidings.portal.page import Page
from tidings.portal.people.people import page
from tidings.portal.visit import Visit


async def choose_password(visit: Visit) -> Response:
    session, form = visit.require_session(), visit.form
    try:
        await change_password(
            visit.ctx, session, form.raw("present"), form.raw("password"), visit.address
        )
    except ApiError as refusal:
        return await page(visit, explain(visit, refusal))
    notice = visit.gettext("The password was changed. Your other sessions have ended.")
    return visit.redirect("/people", notice=notice)


async def end_others(visit: Visit) -> Response:
    session = visit.require_session()
    count = await visit.transact(lambda tx: end_other_sessions(tx, session, visit.address))
    notice = visit.gettext("No other session is open.")
    if count:
        notice = visit.ngettext(
            "One other session was ended.", "%(num)s other sessions were ended.", count
        )
    return visit.redirect("/people", notice=notice)


async def end_one(visit: Visit) -> Response:
    session = visit.require_session()
    try:
        wanted = UUID(visit.form["session"])
    except ValueError:
        raise ApiError(Code.NOT_FOUND) from None
    if not await visit.transact(lambda tx: end_session(tx, session, wanted, visit.address)):
        raise ApiError(Code.NOT_FOUND)
    return visit.redirect("/people", notice=visit.gettext("The session was ended."))


PAGES = [
    Page("/people/password", post=choose_password, needs=Right.SELF),
    Page("/people/sessions/end-others", post=end_others, needs=Right.SELF),
    Page("/people/sessions/end", post=end_one, needs=Right.SELF),
]
