"""Sign in: address and password, then the code of the second factor; and sign out."""

from starlette.responses import Response

from tidings.errors import ApiError
from tidings.features.people.roles import Right
from tidings.features.people.rules import PeopleCode
from tidings.features.people.sessions import end_session
from tidings.features.people.sign_in import is_waiting, pass_code
from tidings.features.people.sign_in import sign_in as sign_in_by_password
from tidings.portal.entry.admit import admit, browser_of
from tidings.portal.entry.refused import explain, limited
from tidings.portal.page import Page
from tidings.portal.tokens import SESSION
from tidings.portal.visit import Visit, within_portal


async def show(visit: Visit) -> Response:
    """Who has signed in is led on."""
    if visit.session is not None:
        return visit.redirect(within_portal(visit.query.get("next", "")))
    visit.form.fill({"next": visit.query.get("next", "")})
    return _page(visit)


async def enter(visit: Visit) -> Response:
    email, password = visit.form["email"], visit.form.raw("password")
    try:
        signed_in = await sign_in_by_password(visit.ctx, email, password, browser_of(visit))
    except ApiError as refusal:
        return _page(visit, explain(visit, refusal), refusal.retry_after)
    return await admit(visit, signed_in, visit.form["next"])


def _page(visit: Visit, status: int | None = None, retry_after: int | None = None) -> Response:
    offers_sign_up = visit.ctx.settings.sign_up
    return limited(
        visit.page("entry/sign_in.html", status, offers_sign_up=offers_sign_up), retry_after
    )


async def show_code(visit: Visit) -> Response:
    if visit.session is not None:
        return visit.redirect(within_portal(visit.query.get("next", "")))
    token = _waiting_token(visit)
    if not await visit.transact(lambda tx: is_waiting(tx, token)):
        return visit.redirect("/sign-in", **_wanted(visit.query.get("next", "")))
    visit.form.fill({"next": visit.query.get("next", "")})
    return visit.page("entry/code.html")


async def enter_code(visit: Visit) -> Response:
    wanted = visit.form["next"]
    try:
        signed_in = await pass_code(
            visit.ctx, _waiting_token(visit), visit.form["code"], browser_of(visit)
        )
    except ApiError as refusal:
        if refusal.code is PeopleCode.SIGN_IN_REFUSED:  # the password is too long ago
            text = visit.gettext("The code came too late. Sign in again.")
            return visit.redirect("/sign-in", notice=text, **_wanted(wanted))
        status = explain(visit, refusal)
        return limited(visit.page("entry/code.html", status), refusal.retry_after)
    return await admit(visit, signed_in, wanted)


async def leave(visit: Visit) -> Response:
    session = visit.require_session()
    await visit.transact(lambda tx: end_session(tx, session, session.id, visit.address))
    return visit.sign_out(visit.redirect("/sign-in", notice=visit.gettext("You have signed out.")))


def _waiting_token(visit: Visit) -> str:
    """Of the session that waits for the code: complete ones are recognised before."""
    return visit.request.cookies.get(SESSION, "")


def _wanted(address: str) -> dict[str, str]:
    return {"next": address} if within_portal(address) != "/" else {}


PAGES = [
    Page("/sign-in", get=show, post=enter, needs=None),
    Page("/sign-in/code", get=show_code, post=enter_code, needs=None),
    Page("/sign-out", post=leave, needs=Right.SELF),
]
