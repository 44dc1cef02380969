"""One event: its figures, the curve of answers, the replies to settle, and its guests."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from urllib.parse import urlencode
from uuid import UUID
from zoneinfo import ZoneInfo

from babel.dates import format_datetime
from markupsafe import Markup
from starlette.responses import Response

from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.engine.http import pagination
from tidings.features.events import guests, listing
from tidings.features.events.answer_curve import Curve, Step, draw
from tidings.features.events.guests import GuestPage
from tidings.features.events.listing import Counted
from tidings.features.events.model import Guest, GuestState
from tidings.portal import charts
from tidings.portal.events.address import event_path
from tidings.portal.events.unclear import waiting
from tidings.portal.page import Page
from tidings.portal.paging import paging
from tidings.portal.visit import Visit

QUEUE_MAX = 20  # replies shown at once; the next ones follow as these are settled
_LABELS: dict[Step, str] = {
    "minute": "HH:mm",
    "hour": "d MMM HH:mm",
    "day": "d MMM",
    "week": "d MMM",
}


@dataclass(frozen=True, slots=True)
class Seen:
    """What the page shows."""

    found: Counted
    queue: list[Guest]
    page: GuestPage


async def show(visit: Visit) -> Response:
    event_id, state = visit.params["eventId"], chosen_state(visit)
    seen = await visit.transact(partial(_load, visit, event_id, state))
    following = seen.page.following
    path = event_path(event_id)
    cursor = None if following is None else pagination.encode_cursor(following)
    counts = seen.found.counts
    query = f"?{urlencode({'state': state.value})}" if state else ""
    return visit.page(
        "events/event.html",
        event=seen.found.event,
        counts=counts,
        chart=_chart(visit, draw(seen.found.figures.answers, visit.zone)),
        queue=[waiting(one, visit.gettext) for one in seen.queue],
        queue_more=max(counts.unclear + counts.unresolved - len(seen.queue), 0),
        guests=seen.page.guests,
        state=state,
        states=list(GuestState),
        path=path,
        kept=query,
        paging=paging(path, visit.query, cursor),
    )


def chosen_state(visit: Visit) -> GuestState | None:
    """Of the filter; None: all guests."""
    wanted = visit.query.get("state", "")
    return GuestState(wanted) if wanted in set(GuestState) else None


async def _load(visit: Visit, event_id: str, state: GuestState | None, tx: Tx) -> Seen:
    account, cursor = visit.chosen, visit.query.get("cursor")
    before = pagination.decode_cursor(cursor, UUID) if cursor else None
    found = await listing.load_event(tx, account, event_id)
    queue: list[Guest] = []
    for kind in (GuestState.UNCLEAR, GuestState.UNRESOLVED):
        room = QUEUE_MAX - len(queue)
        if room:
            queue += (await guests.load_page(tx, account, event_id, state=kind, size=room)).guests
    size = limits.LIST_LIMIT_DEFAULT
    page = await guests.load_page(tx, account, event_id, state=state, before=before, size=size)
    return Seen(found, queue, page)


def _chart(visit: Visit, curve: Curve) -> Markup:
    _ = visit.gettext
    labels = [_label(visit, point.at, curve.step) for point in curve.points]
    series = [
        charts.Series(_("Confirmed"), [point.yes for point in curve.points]),
        charts.Series(_("Declined"), [point.no for point in curve.points]),
    ]
    words = charts.words(visit.gettext, visit.language)
    return charts.line(_("Answers over time"), labels, series, words, unit=_("guests"))


def _label(visit: Visit, at: datetime, step: Step) -> str:
    zone = ZoneInfo(visit.zone)
    return str(format_datetime(at, _LABELS[step], tzinfo=zone, locale=visit.language))


PAGES = [Page("/events/{eventId}", get=show)]
