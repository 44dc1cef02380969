"""The list of invoices, by status."""

from datetime import datetime
from functools import partial

from starlette.responses import Response

from tidings import limits
from tidings.engine.db.order import Order
from tidings.engine.db.tx import Tx
from tidings.engine.http import pagination
from tidings.features.billing.invoices.lookup import load_page
from tidings.features.billing.invoices.model import Invoice, InvoiceStatus
from tidings.features.people.roles import Right
from tidings.portal.page import Page
from tidings.portal.paging import paging
from tidings.portal.sorting import read_by_time
from tidings.portal.states import WORDS
from tidings.portal.visit import Visit


async def show(visit: Visit) -> Response:
    """`?status=` shows one status alone; an unknown one shows all."""
    wanted = visit.query.get("status", "")
    status = InvoiceStatus(wanted) if wanted in tuple(InvoiceStatus) else None
    visit.form.fill({"status": status or ""})
    sorting = read_by_time("/invoices", visit.query)
    found, cursor = await visit.transact(partial(_load, visit, status, sorting.order))
    return visit.page(
        "money/invoices.html",
        invoices=found,
        statuses=[(one, _word(visit, one)) for one in InvoiceStatus],
        chosen=status,
        paging=paging("/invoices", visit.query, cursor, sorting.order),
        sorting=sorting,
    )


async def _load(
    visit: Visit, status: InvoiceStatus | None, order: Order, tx: Tx
) -> tuple[list[Invoice], str | None]:
    cursor = visit.query.get("cursor", "")
    after = pagination.decode_cursor(cursor, tuple[datetime, str]) if cursor else None
    size = limits.LIST_LIMIT_DEFAULT
    found, last = await load_page(tx, visit.chosen, status, after, size, order)
    return found, None if last is None else pagination.encode_cursor(last)


def _word(visit: Visit, status: InvoiceStatus) -> str:
    return visit.gettext(WORDS[status]).capitalize()


PAGES = [Page("/invoices", get=show, needs=Right.MONEY_READ)]
