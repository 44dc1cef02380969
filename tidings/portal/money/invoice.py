"""One invoice: its lines and sums, and its PDF."""

from functools import partial
from typing import NamedTuple

from starlette.responses import Response

from tidings.engine.db.tx import Tx
from tidings.features.billing import suspension
from tidings.features.billing.invoices.document import make_pdf
from tidings.features.billing.invoices.lookup import load_with_lines
from tidings.features.billing.invoices.model import UNPAID, Invoice, InvoiceStatus, LineItem
from tidings.features.people.roles import Right
from tidings.money import percent_to_wire, rate_to_wire
from tidings.portal.download import pdf_file
from tidings.portal.page import Page
from tidings.portal.visit import Visit


class Seen(NamedTuple):
    invoice: Invoice
    lines: list[LineItem]
    pauses: bool  # sending waits for its payment


async def show(visit: Visit) -> Response:
    seen = await visit.transact(partial(_load, visit))
    status = seen.invoice.status_at(visit.now)
    return visit.page(
        "money/invoice.html",
        invoice=seen.invoice,
        lines=seen.lines,
        state=status,
        is_unpaid=status in UNPAID,
        pauses=seen.pauses,
        vat_pct=percent_to_wire(seen.invoice.vat_hundredths),
        rate=rate_to_wire,
    )


async def _load(visit: Visit, tx: Tx) -> Seen:
    account = visit.chosen
    invoice, lines = await load_with_lines(tx, account.id, visit.params["number"])
    is_overdue = invoice.status_at(visit.now) is InvoiceStatus.OVERDUE
    pauses = is_overdue and account.id in await suspension.find_overdue(tx, [account])
    return Seen(invoice, lines, pauses)


async def give_pdf(visit: Visit) -> Response:
    number = visit.params["number"]
    content = await make_pdf(visit.ctx, visit.chosen, number)
    return pdf_file(f"invoice-{number}", content)


PAGES = [
    Page("/invoices/{number}", get=show, needs=Right.MONEY_READ),
    Page("/invoices/{number}/pdf", get=give_pdf, needs=Right.MONEY_READ),
]
