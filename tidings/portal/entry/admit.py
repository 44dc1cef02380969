"""What the ways in share: where a visitor comes from, and how the browser gets its session."""

from starlette.responses import Response

from tidings.features.people.sessions import end_session
from tidings.features.people.sign_in import Browser, SignedIn
from tidings.portal.visit import Visit, within_portal


def browser_of(visit: Visit) -> Browser:
    return Browser(visit.address, visit.request.headers.get("user-agent", ""))


async def admit(visit: Visit, signed_in: SignedIn, wanted: str = "", notice: str = "") -> Response:
    """To the page that was wanted, or to the code of the second factor first. A session that the
    browser had before is over."""
    before = visit.session
    if before is not None:
        await visit.transact(lambda tx: end_session(tx, before, before.id, visit.address))
    path = within_portal(wanted)
    if not signed_in.needs_code:
        response = visit.redirect(path, notice=notice)
    elif path == "/":
        response = visit.redirect("/sign-in/code")
    else:
        response = visit.redirect("/sign-in/code", next=f"/portal{path}")
    return visit.sign_in(response, signed_in.token)
