"""Forms: the list, with how many were sent and answered."""

from datetime import datetime
from functools import partial
from urllib.parse import quote

from starlette.responses import Response

from tidings.engine.http import pagination
from tidings.features.feedback.forms.lookup import load_page
from tidings.limits import LIST_LIMIT_DEFAULT
from tidings.portal.page import Page
from tidings.portal.paging import paging
from tidings.portal.visit import Visit


async def show(visit: Visit) -> Response:
    before = None
    if cursor := visit.query.get("cursor"):
        before = pagination.decode_cursor(cursor, tuple[datetime, str])
    forms, following = await visit.transact(
        partial(load_page, account=visit.chosen, before=before, size=LIST_LIMIT_DEFAULT)
    )
    after = None if following is None else pagination.encode_cursor(following)
    return visit.page(
        "forms/forms.html",
        forms=forms,
        form_path=form_path,
        paging=paging("/forms", visit.query, after),
    )


def form_path(form_id: str) -> str:
    """Under /portal; an id may hold any sign."""
    return f"/forms/{quote(form_id, safe='')}"


PAGES = [Page("/forms", get=show)]
