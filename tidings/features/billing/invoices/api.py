"""Endpoints 25 and 26 of the specification, GET /invoices and GET /invoices/{number} (4.14), and
GET /invoices/{number}/pdf (contract2.md, section D).

Also POST /sandbox/v1/invoices/{number}/pay for sandbox accounts: the `test` provider.
"""

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.http import pagination
from tidings.engine.http.disposition import disposition
from tidings.engine.http.endpoint import Auth, Endpoint, PlainResponse, Request, Response
from tidings.engine.http.pagination import Cursor, Limit
from tidings.engine.http.response_types import Page
from tidings.errors import Code
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account

from . import examples, payments
from . import responses as invoice_responses
from .document import make_pdf
from .lookup import load_page, load_with_lines
from .model import InvoiceStatus
from .store import PageKey


class InvoicesQuery(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    status: (
        Annotated[
            Literal["OPEN", "OVERDUE", "PAID", "VOID"],
            Meta(description="Only invoices of this status."),
        ]
        | UnsetType
    ) = UNSET
    limit: Limit | UnsetType = UNSET
    cursor: Cursor | UnsetType = UNSET


@Endpoint(
    query=InvoicesQuery,
    data=list[invoice_responses.Invoice],
    extra=Page,
    tag="Billing",
    example=examples.GET_INVOICES,
)
async def get_invoices(ctx: Context, request: Request) -> Response:
    """List invoices.

    The newest first.
    """
    query: InvoicesQuery = request.query
    size = pagination.page_size(query.limit)
    status = None if query.status is UNSET else InvoiceStatus(query.status)
    after = pagination.page_start(query.cursor, tuple[datetime, str])

    async def read(tx: Tx) -> tuple[list[invoice_responses.Invoice], PageKey | None]:
        account = await _load(tx, request.account)
        page, last = await load_page(tx, account, status, after, size)
        return [invoice_responses.invoice(one, account.now(tx.now)) for one in page], last

    invoices, last = await ctx.db.transact(read)
    next_cursor = None if last is None else pagination.encode_cursor(last)
    return Response(invoices, extra={"nextCursor": next_cursor})


@Endpoint(
    data=invoice_responses.InvoiceWithLines,
    errors=(Code.NOT_FOUND,),
    tag="Billing",
    example=examples.GET_INVOICE,
)
async def get_invoice(ctx: Context, request: Request) -> Response:
    """Get an invoice.

    With its lines, amounts and status.
    """
    return Response(await ctx.db.transact(lambda tx: _load_response(tx, request)))


@Endpoint(
    media_type="application/pdf",
    errors=(Code.NOT_FOUND,),
    tag="Billing",
    example=examples.GET_INVOICE_PDF,
)
async def get_invoice_pdf(ctx: Context, request: Request) -> PlainResponse:
    """Download an invoice.

    As a PDF, to print or to hand on.
    """
    number = request.params["number"]
    content = await make_pdf(ctx, request.account, number)
    named = (b"content-disposition", disposition("attachment", f"invoice-{number}.pdf"))
    private = (b"cache-control", b"private, no-store")
    return PlainResponse(200, content, "application/pdf", (named, private))


@Endpoint(
    auth=Auth.SANDBOX,
    data=invoice_responses.InvoiceWithLines,
    tag="Sandbox",
    example=examples.POST_SANDBOX_PAYMENT,
)
async def post_sandbox_payment(ctx: Context, request: Request) -> Response:
    """Pay an invoice.

    At once, as only the sandbox can.
    """
    account = await ctx.db.transact(lambda tx: _load(tx, request.account))
    await payments.collect(ctx, account, request.params["number"])
    return Response(await ctx.db.transact(lambda tx: _load_response(tx, request)))


async def _load_response(tx: Tx, request: Request) -> invoice_responses.InvoiceWithLines:
    account = await _load(tx, request.account)
    invoice, lines = await load_with_lines(tx, account.id, request.params["number"])
    return invoice_responses.with_lines(invoice, lines, account.now(tx.now))


async def _load(tx: Tx, caller: Account) -> Account:
    """Reload the account for its current clock."""
    return (await load_accounts(tx, [caller.id]))[caller.id]
