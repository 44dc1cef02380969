"""Links: where they lead, and how often they are opened, by day."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from itertools import chain

from markupsafe import Markup
from starlette.responses import Response

from tidings.engine.db.order import Order
from tidings.engine.db.tx import Tx
from tidings.engine.http import pagination
from tidings.features.links import lookup
from tidings.features.links.model import DayOpens, Link, LinkFilter, LinkKey
from tidings.features.links.rules import is_active, short_url
from tidings.limits import LIST_LIMIT_DEFAULT
from tidings.portal import charts, days
from tidings.portal.page import Page
from tidings.portal.paging import paging
from tidings.portal.sorting import read_by_time
from tidings.portal.visit import Visit

DAYS_SHOWN = 30


@dataclass(frozen=True, slots=True)
class Row:
    """A link as the list shows it."""

    link: Link
    short_url: str
    state: str
    spark: Markup


async def show(visit: Visit) -> Response:
    account = visit.chosen
    visit.form.fill(visit.query)
    wanted = LinkFilter(
        event_id=visit.form["event"] or None,
        since=days.beginning(visit, "from"),
        until=days.beginning(visit, "to", after=1),
    )
    before = None
    if cursor := visit.query.get("cursor"):
        before = pagination.decode_cursor(cursor, tuple[datetime, str])
    await visit.ctx.follower.settle(account.id)
    shown = days.last_days(visit.now.astimezone(UTC).date(), DAYS_SHOWN)
    sorting = read_by_time("/links", visit.query)
    links, opens, following = await visit.transact(
        partial(_load, visit, wanted, before, shown[0], sorting.order)
    )
    cursor_after = None if following is None else pagination.encode_cursor(following)
    return visit.page(
        "links/links.html",
        rows=[_row(visit, link, shown, opens[link.code]) for link in links],
        chart=opens_by_day(visit, shown, chain.from_iterable(opens.values())) if links else None,
        is_filtered=wanted != LinkFilter(),
        paging=paging("/links", visit.query, cursor_after, sorting.order),
        sorting=sorting,
    )


async def _load(
    visit: Visit, wanted: LinkFilter, before: LinkKey | None, since: date, order: Order, tx: Tx
) -> tuple[list[Link], dict[str, list[DayOpens]], LinkKey | None]:
    account_id = visit.chosen.id
    links, following = await lookup.load_page(
        tx, account_id, wanted, before, LIST_LIMIT_DEFAULT, order
    )
    return links, await lookup.load_days_of(tx, account_id, links, since), following


def state_of(visit: Visit, link: Link) -> str:
    if not link.active:
        return "disabled"
    is_on = is_active(link.expires_at, visit.now, switched_on=visit.chosen.active)
    return "active" if is_on else "expired"


def _row(visit: Visit, link: Link, shown: Sequence[date], opens: Sequence[DayOpens]) -> Row:
    words = charts.words(visit.gettext, visit.language)
    counts = days.over(shown, dict(opens))
    url = short_url(visit.ctx.settings.public_url, link.code)
    spark = charts.spark(visit.gettext("Opens by day"), counts, words)
    return Row(link, url, state_of(visit, link), spark)


def opens_by_day(visit: Visit, shown: Sequence[date], opens: Iterable[DayOpens]) -> Markup:
    counts: Counter[date] = Counter()
    for one in opens:
        counts[one.day] += one.clicks
    points = list(zip(days.labels(visit, shown), days.over(shown, counts), strict=True))
    words = charts.words(visit.gettext, visit.language)
    return charts.bars(visit.gettext("Opens by day"), points, words)


PAGES = [Page("/links", get=show)]
