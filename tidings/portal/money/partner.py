"""The partner desk: capacity and debt, buying and paying, the ledger, and the customers."""

from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from starlette.responses import Response

from tidings import ids, limits, times
from tidings.engine.db.tx import Tx
from tidings.engine.http import pagination
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account
from tidings.features.billing.usage.customers import CustomerUse, load_customers
from tidings.features.partner.lookup import load_entries, load_state
from tidings.features.partner.model import LedgerEntry, Span
from tidings.features.partner.responses import PartnerAccount
from tidings.portal import charts, days
from tidings.portal.paging import paging
from tidings.portal.visit import Visit

USE_DAYS = 30
CUSTOMERS_SHOWN_MAX = 100
SEQ_MAX = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Seen:
    state: PartnerAccount
    entries: list[LedgerEntry]
    cursor: str | None
    customers: list[CustomerUse]


def require_partner(visit: Visit) -> Account:
    """Other accounts have no such page."""
    if not visit.chosen.is_partner:
        raise ApiError(Code.NOT_FOUND)
    return visit.chosen


async def show(visit: Visit) -> Response:
    """`?from=` and `&to=` are the days of the ledger, both included."""
    account = require_partner(visit)
    span = read_span(visit)
    seen = await visit.report(partial(_load, visit, account, span))
    customers = seen.customers
    return visit.page(
        "money/partner.html",
        desk=seen.state,
        entries=seen.entries,
        customers=customers[:CUSTOMERS_SHOWN_MAX],
        customers_left=max(len(customers) - CUSTOMERS_SHOWN_MAX, 0),
        use_days=USE_DAYS,
        days={name: visit.query[name] for name in ("from", "to") if visit.query.get(name)},
        entry_id=ids.ledger_ref(ids.new_id()),
        at=times.parse,
        meter=charts.meter,
        words=charts.words(visit.gettext, visit.language),
        note_chars_max=limits.NOTE_CHARS_MAX,
        paging=paging("/partner", visit.query, seen.cursor),
    )


def read_span(visit: Visit) -> Span:
    visit.form.fill({name: visit.query.get(name, "") for name in ("from", "to")})
    return days.beginning(visit, "from"), days.beginning(visit, "to", after=1)


async def _load(visit: Visit, account: Account, span: Span, tx: Tx) -> Seen:
    size, cursor = limits.LIST_LIMIT_DEFAULT, visit.query.get("cursor", "")
    before = _seq(cursor) if cursor else None
    found = await load_entries(tx, account.id, size + 1, before, span)
    page, today = found[:size], visit.now.date()
    first = today - timedelta(days=USE_DAYS - 1)
    return Seen(
        state=await load_state(tx, account),
        entries=page,
        cursor=pagination.encode_cursor(page[-1].seq) if len(found) > size else None,
        customers=await load_customers(tx, account, first, today),
    )


def _seq(cursor: str) -> int:
    return min(max(pagination.decode_cursor(cursor, int), 0), SEQ_MAX)
