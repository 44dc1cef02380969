"""`/events/{eventId}/guests.csv`: the guests of an event as a file, filtered as the page is."""

from starlette.responses import Response, StreamingResponse

from tidings.engine.http.disposition import disposition
from tidings.features.events import export
from tidings.features.events.lookup import require_event
from tidings.portal.events.event import chosen_state
from tidings.portal.page import Page
from tidings.portal.visit import Visit


async def download(visit: Visit) -> Response:
    account, event_id = visit.chosen, visit.params["eventId"]
    await visit.transact(lambda tx: require_event(tx, account.id, event_id))
    rows = export.csv_bytes(visit.ctx.db, account, event_id, chosen_state(visit))
    response = StreamingResponse(rows, media_type="text/csv; charset=utf-8")
    response.raw_headers.append(
        (b"content-disposition", disposition("attachment", f"{event_id}-guests.csv"))
    )
    return response


PAGES = [Page("/events/{eventId}/guests.csv", get=download)]
