"""Choices that every page offers: the account, and the language."""

from uuid import UUID

from starlette.responses import Response

from tidings.errors import ApiError, Code
from tidings.features.people.roles import Right
from tidings.features.people.sessions import choose_account
from tidings.portal.language import LANGUAGES
from tidings.portal.page import Page
from tidings.portal.visit import Visit, within_portal


async def switch(visit: Visit) -> Response:
    """Choose another account. The page stays, unless it is about one thing of the old account."""
    session = visit.require_session()
    try:
        wanted = UUID(visit.form["account"])
    except ValueError:
        raise ApiError(Code.NOT_FOUND) from None
    if session.role_in(wanted) is None:
        raise ApiError(Code.NOT_FOUND)
    await visit.transact(lambda tx: choose_account(tx, session.id, wanted))
    path = within_portal(visit.form["next"])
    return visit.redirect("/" + path.lstrip("/").partition("/")[0])


async def speak(visit: Visit) -> Response:
    response = visit.redirect(within_portal(visit.query.get("next", "")))
    wanted = visit.query.get("to", "")
    return visit.speak(response, wanted) if wanted in LANGUAGES else response


PAGES = [
    Page("/switch", post=switch, needs=Right.SELF),
    Page("/language", get=speak, needs=None),
]
