"""The account's events, the newest or the oldest first, with how their guests answered."""

from datetime import datetime

from starlette.responses import Response

from tidings import limits
from tidings.engine.http import pagination
from tidings.features.events import listing
from tidings.portal.events.address import event_path
from tidings.portal.page import Page
from tidings.portal.paging import paging
from tidings.portal.sorting import read_by_time
from tidings.portal.visit import Visit


async def show(visit: Visit) -> Response:
    cursor, account = visit.query.get("cursor"), visit.chosen
    before = pagination.decode_cursor(cursor, tuple[datetime, str]) if cursor else None
    sorting = read_by_time("/events", visit.query)
    found = await visit.report(
        lambda tx: listing.load_page(tx, account, before, limits.LIST_LIMIT_DEFAULT, sorting.order)
    )
    following = None if found.following is None else pagination.encode_cursor(found.following)
    return visit.page(
        "events/events.html",
        events=found.events,
        path_of=event_path,
        paging=paging("/events", visit.query, following, sorting.order),
        sorting=sorting,
    )


PAGES = [Page("/events", get=show)]
