"""Webhooks: where events go, what became of them, and tools for who receives them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from starlette.responses import Response

from tidings import limits
from tidings.engine.db.order import Order
from tidings.engine.db.tx import Tx
from tidings.engine.http import pagination
from tidings.features.accounts.credentials import Rotation, load_rotation
from tidings.features.accounts.model import Account
from tidings.features.webhooks.deliveries.hours import Hour, load_hours
from tidings.features.webhooks.deliveries.lookup import Delivery, load_failed, load_page
from tidings.features.webhooks.responses import Diagnosis
from tidings.portal.paging import Paging, paging
from tidings.portal.sorting import read_by_time
from tidings.portal.visit import Visit
from tidings.portal.webhooks import day

PATH = "/webhooks"
EVENTS_SHOWN = 15
FAILED_SHOWN = 10  # beside the events; more on the page of ?status=failed
SOON_MS = 1_000  # the page looks again while a first attempt is under way,
LATER_MS = 10_000  # and less often while retries wait
FRESH = timedelta(seconds=20)


@dataclass(frozen=True, slots=True)
class Seen:
    """What the page shows. `has_more_failed`: than are listed beside the events."""

    rotation: Rotation
    events: list[Delivery]
    failed: list[Delivery]
    has_more_failed: bool
    paging: Paging
    hours: list[Hour]


async def show(
    visit: Visit, *, secret: str | None = None, diagnosis: Diagnosis | None = None
) -> Response:
    account = visit.chosen
    sorting, only_failed = read_by_time(PATH, visit.query), is_only_failed(visit)
    seen = await visit.transact(partial(_load, visit, account, sorting.order))
    visit.form.fill({"since": _since(visit, seen)})
    return visit.page(
        "webhooks/webhooks.html",
        seen=seen,
        charts=day.draw(visit, seen.hours),
        secret=secret,
        diagnosis=diagnosis,
        kinds=[(name, name) for name in visit.ctx.event_kinds],
        only_failed=only_failed,
        sorting=sorting,
        failed_sorting=sorting if only_failed else read_by_time(PATH, {"status": "failed"}),
        look_again=_look_again(visit, seen),
        url_chars_max=limits.URL_CHARS_MAX,
    )


def is_only_failed(visit: Visit) -> bool:
    return visit.query.get("status") == "failed"


async def _load(visit: Visit, account: Account, order: Order, tx: Tx) -> Seen:
    rotation = await load_rotation(tx, account.id)
    cursor = visit.query.get("cursor", "")
    if is_only_failed(visit):
        start = pagination.decode_cursor(cursor, tuple[datetime, str]) if cursor else None
        found = await load_failed(tx, account.id, start, EVENTS_SHOWN + 1, order)
        shown = found[:EVENTS_SHOWN]
        end = (shown[-1].failed_at, shown[-1].id) if len(found) > EVENTS_SHOWN else None
        return Seen(rotation, [], shown, False, _paging(visit, end, order), [])
    place = pagination.decode_cursor(cursor, tuple[int, int]) if cursor else None
    found = await load_page(tx, account.id, place, EVENTS_SHOWN + 1, order)
    shown = found[:EVENTS_SHOWN]
    last = shown[-1].position if len(found) > EVENTS_SHOWN else None
    failed = await load_failed(tx, account.id, None, FAILED_SHOWN + 1)
    has_more = len(failed) > FAILED_SHOWN
    hours = await load_hours(tx, account.id, visit.now)
    pages = _paging(visit, last, order)
    return Seen(rotation, shown, failed[:FAILED_SHOWN], has_more, pages, hours)


def _paging(visit: Visit, last: object, order: Order) -> Paging:
    next_cursor = None if last is None else pagination.encode_cursor(last)
    return paging(PATH, visit.query, next_cursor, order)


def _since(visit: Visit, seen: Seen) -> str:
    """The first value of "Failed since": the oldest failure of the list, in the reader's zone."""
    oldest = min((one.failed_at for one in seen.failed if one.failed_at), default=visit.now)
    return oldest.astimezone(ZoneInfo(visit.zone)).strftime("%Y-%m-%dT%H:%M")


def _look_again(visit: Visit, seen: Seen) -> int | None:
    """In how many milliseconds something may have changed that no event announces: an attempt."""
    pending = [one for one in seen.events if one.state == "pending"]
    if any(not one.attempts and visit.now - one.created_at < FRESH for one in pending):
        return SOON_MS
    return LATER_MS if pending else None
