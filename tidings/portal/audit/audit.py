"""The audit log: who did what, when, to what, and from which address.

Owners also see what was done with the organisation's people; operators see the whole installation
on a page of their own.
"""

from dataclasses import dataclass
from uuid import UUID

from starlette.responses import Response

from tidings.engine.db.log_pages import LogCursor, LogPage
from tidings.engine.db.order import Order
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.audit.lookup import Filter, load_page
from tidings.features.audit.model import Recorded
from tidings.features.people.roles import Right
from tidings.portal.days import beginning
from tidings.portal.page import Page
from tidings.portal.paging import between
from tidings.portal.people.people import organisation_of
from tidings.portal.sorting import read_by_time
from tidings.portal.visit import Visit

FILTERS = ("who", "action", "since")
CHARS_MAX = 300  # of a filter


@dataclass(frozen=True, slots=True)
class Seen:
    """`names`: of accounts, by id."""

    log: LogPage[Recorded]
    names: dict[UUID, str]


async def show(visit: Visit) -> Response:
    """Without the right to people, only what was done with the account."""
    organisation_id = organisation_of(visit).organisation_id if visit.may(Right.MANAGE) else None
    return await _page(visit, "/audit", visit.chosen.id, organisation_id)


async def show_all(visit: Visit) -> Response:
    return await _page(visit, "/operator/audit", None, None)


async def _page(
    visit: Visit, path: str, account_id: UUID | None, organisation_id: UUID | None
) -> Response:
    filters = {name: visit.query.get(name, "").strip()[:CHARS_MAX] for name in FILTERS}
    visit.form.fill(filters)
    chosen = Filter(
        account_id=account_id,
        organisation_id=organisation_id,
        actor=filters["who"],
        action=filters["action"],
        since=beginning(visit, "since"),
    )
    sorting = read_by_time(path, visit.query)
    seen = await visit.transact(lambda tx: _load(tx, visit, chosen, sorting.order))
    used = {name: text for name, text in filters.items() if text}
    return visit.page(
        "audit/audit.html",
        path=path,
        seen=seen,
        is_whole=account_id is None,
        is_filtered=bool(used),
        paging=between(path, used, seen.log, sorting.order),
        sorting=sorting,
    )


async def _load(tx: Tx, visit: Visit, chosen: Filter, order: Order) -> Seen:
    before, after = (_entry_id(visit.query.get(edge, "")) for edge in ("before", "after"))
    log = await load_page(tx, chosen, LogCursor(before, after, order))
    if chosen.account_id is not None:
        return Seen(log, {})
    ids = {entry.account_id for entry in log.entries if entry.account_id is not None}
    accounts = await load_accounts(tx, ids)
    return Seen(log, {one.id: one.name for one in accounts.values()})


def _entry_id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


PAGES = [
    Page("/audit", get=show),
    Page("/operator/audit", get=show_all, needs=Right.OPERATE),
]
