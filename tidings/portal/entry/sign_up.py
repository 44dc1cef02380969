"""Create your account: an organisation with a sandbox account that can send at once."""

from starlette.responses import Response

from tidings.errors import ApiError, Code
from tidings.features.people.rules import (
    require_email,
    require_long_password,
    require_organisation,
)
from tidings.features.people.sign_up import sign_up
from tidings.portal.entry.admit import admit, browser_of
from tidings.portal.entry.refused import explain, limited
from tidings.portal.page import Page
from tidings.portal.visit import Visit


async def show(visit: Visit) -> Response:
    _require_open(visit)
    if visit.session is not None:
        return visit.redirect("/")
    return visit.page("entry/sign_up.html")


async def make(visit: Visit) -> Response:
    _require_open(visit)
    form = visit.form
    _check(visit)
    if form.errors:
        return visit.page("entry/sign_up.html")
    try:
        signed_in = await sign_up(
            visit.ctx, form["organisation"], form["email"], form.raw("password"), browser_of(visit)
        )
    except ApiError as refusal:
        page = visit.page("entry/sign_up.html", explain(visit, refusal))
        return limited(page, refusal.retry_after)
    notice = visit.gettext("Your sandbox is ready: it has a number, three templates and a key.")
    return await admit(visit, signed_in, notice=notice)


def _check(visit: Visit) -> None:
    """All that is plainly wrong at once; `sign_up` looks again, and at how good the password is."""
    form = visit.form
    for check, value in (
        (require_organisation, form["organisation"]),
        (require_email, form["email"]),
        (require_long_password, form.raw("password")),
    ):
        try:
            check(value)
        except ApiError as refusal:
            explain(visit, refusal)


def _require_open(visit: Visit) -> None:
    """Switched off, the page does not exist."""
    if not visit.ctx.settings.sign_up:
        raise ApiError(Code.NOT_FOUND)


PAGES = [Page("/sign-up", get=show, post=make, needs=None)]
