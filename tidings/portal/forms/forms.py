"""Forms: the list by state, with how many were sent and answered."""

from datetime import datetime
from functools import partial
from urllib.parse import quote

from starlette.responses import Response

from tidings.engine.http import pagination
from tidings.features.feedback.forms.lookup import load_page
from tidings.features.feedback.forms.states import STAGES, State
from tidings.limits import LIST_LIMIT_DEFAULT
from tidings.portal.page import Page
from tidings.portal.paging import paging
from tidings.portal.sorting import read_by_time
from tidings.portal.states import WORDS
from tidings.portal.visit import Visit


async def show(visit: Visit) -> Response:
    """`?state=` shows one state alone; an unknown one shows all."""
    wanted, cursor = visit.query.get("state", ""), visit.query.get("cursor", "")
    state = State(wanted) if wanted in STAGES else None
    visit.form.fill({"state": state or ""})
    before = pagination.decode_cursor(cursor, tuple[datetime, str]) if cursor else None
    sorting = read_by_time("/forms", visit.query)
    forms, following = await visit.report(
        partial(
            load_page,
            account=visit.chosen,
            before=before,
            size=LIST_LIMIT_DEFAULT,
            state=state,
            order=sorting.order,
        )
    )
    after = None if following is None else pagination.encode_cursor(following)
    return visit.page(
        "forms/forms.html",
        forms=forms,
        states=[(one, visit.gettext(WORDS[one]).capitalize()) for one in STAGES],
        chosen=state,
        form_path=form_path,
        paging=paging("/forms", visit.query, after, sorting.order),
        sorting=sorting,
    )


def form_path(form_id: str) -> str:
    """Under /portal; an id may hold any sign."""
    return f"/forms/{quote(form_id, safe='')}"


PAGES = [Page("/forms", get=show)]
