"""Welcome: a link that lets somebody in. An invitation asks for a password, the demo's nothing.

Opening an invitation uses nothing up, since mail programs open links by themselves.
"""

from starlette.responses import PlainTextResponse, Response

from tidings.errors import ApiError
from tidings.features.people.rules import PeopleCode
from tidings.features.people.welcome import Found, find_welcome, join, open_demo
from tidings.portal.entry.admit import admit, browser_of
from tidings.portal.entry.refused import explain, limited
from tidings.portal.page import Page
from tidings.portal.visit import Visit


async def show(visit: Visit) -> Response:
    token = visit.query.get("token", "")
    try:
        found = await visit.transact(lambda tx: find_welcome(tx, token))
        if not found.link.asks_password:
            if visit.request.method == "HEAD":  # somebody's program looks at the link
                return PlainTextResponse("")
            entered = await visit.transact(lambda tx: open_demo(tx, token, browser_of(visit)))
            return await admit(visit, entered)
    except ApiError as refusal:
        return _over(visit, refusal)
    return _page(visit, found)


async def accept(visit: Visit) -> Response:
    token = visit.query.get("token", "")
    try:
        found = await visit.transact(lambda tx: find_welcome(tx, token))
    except ApiError as refusal:
        return _over(visit, refusal)
    try:
        entered = await join(visit.ctx, token, visit.form.raw("password"), browser_of(visit))
    except ApiError as refusal:
        if refusal.code is PeopleCode.LINK_OVER:
            return _over(visit, refusal)
        return limited(_page(visit, found, explain(visit, refusal)), refusal.retry_after)
    return await admit(visit, entered)


def _page(visit: Visit, found: Found, status: int | None = None) -> Response:
    return visit.page("entry/welcome.html", status, link=found.link, is_known=found.is_known)


def _over(visit: Visit, refusal: ApiError) -> Response:
    """Used, too old or unknown: all alike."""
    return visit.page("entry/over.html", refusal.code.status)


PAGES = [Page("/welcome", get=show, post=accept, needs=None)]
