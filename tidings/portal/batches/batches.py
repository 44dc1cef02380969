"""The list of batches, the newest or the oldest first."""

from functools import partial
from uuid import UUID

from starlette.responses import Response

from tidings import ids
from tidings.engine.http import pagination
from tidings.errors import ApiError
from tidings.features.batches import read
from tidings.features.batches.responses import state_of
from tidings.portal.page import Page
from tidings.portal.paging import paging
from tidings.portal.sorting import read_by_time
from tidings.portal.visit import Visit

PAGE_SIZE = 50


async def show(visit: Visit) -> Response:
    cursor, found = visit.query.get("cursor"), read.Listed([], None)
    sorting = read_by_time("/batches", visit.query)
    try:
        before = pagination.decode_cursor(cursor, UUID) if cursor else None
        found = await visit.transact(
            partial(
                read.load_page,
                account_id=visit.chosen.id,
                before=before,
                size=PAGE_SIZE,
                order=sorting.order,
            )
        )
    except ApiError as refusal:
        visit.refuse(refusal)
    following = None if found.before is None else pagination.encode_cursor(found.before)
    return visit.page(
        "batches/batches.html",
        batches=[
            (ids.batch_ref(batch.id), batch, progress, state_of(batch, progress))
            for batch, progress in found.batches
        ],
        is_first=not cursor,
        paging=paging("/batches", visit.query, following, sorting.order),
        sorting=sorting,
    )


PAGES = [Page("/batches", get=show)]
