"""Invoices of every account: issued, marked paid, voided."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from starlette.responses import Response

from tidings.engine.db.tx import Tx
from tidings.engine.http.pagination import encode_cursor
from tidings.errors import ApiError, Code
from tidings.features.accounts.lookup import find_account, load_accounts
from tidings.features.accounts.model import Account
from tidings.features.billing.invoices.lookup import find_free_number, load_everyones
from tidings.features.billing.invoices.model import UNPAID, Invoice, InvoiceStatus
from tidings.features.operation.money import issue_invoice, pay_invoice, void_invoice
from tidings.features.people.roles import Right
from tidings.portal.operator import invoice_form
from tidings.portal.operator.cursor import page_key
from tidings.portal.page import Page
from tidings.portal.paging import paging
from tidings.portal.sorting import read_by_time
from tidings.portal.visit import Visit

PATH = "/operator/invoices"
PAGE_ROWS = 50


@dataclass(frozen=True, slots=True)
class Row:
    account: Account
    invoice: Invoice
    status: InvoiceStatus

    @property
    def is_unpaid(self) -> bool:
        return self.status in UNPAID


async def show(visit: Visit) -> Response:
    asked = visit.query.get("status", "")
    status = InvoiceStatus(asked) if asked in list(InvoiceStatus) else None
    after = page_key(visit, tuple[datetime, UUID, str])
    sorting = read_by_time(PATH, visit.query)

    async def work(tx: Tx) -> tuple[list[Row], str | None]:
        found, following = await load_everyones(tx, status, after, PAGE_ROWS, sorting.order)
        accounts = await load_accounts(tx, {account_id for account_id, _ in found})
        rows = list(_rows(found, accounts, tx.now))
        return rows, None if following is None else encode_cursor(following)

    rows, following = await visit.transact(work)
    return visit.page(
        "operator/invoices.html",
        rows=rows,
        paging=paging(PATH, visit.query, following, sorting.order),
        sorting=sorting,
        statuses=list(InvoiceStatus),
        lines=range(1, invoice_form.LINES + 1),
    )


def _rows(
    found: Iterable[tuple[UUID, Invoice]], accounts: dict[UUID, Account], now: datetime
) -> Iterable[Row]:
    for account_id, invoice in found:
        account = accounts[account_id]
        yield Row(account, invoice, invoice.status_at(account.now(now)))


async def act(visit: Visit) -> Response:
    if visit.form["act"] == "issue":
        return await _issue(visit)
    return await _settle(visit)


async def _issue(visit: Visit) -> Response:
    _ = visit.gettext
    account = await visit.transact(lambda tx: find_account(tx, visit.form["account"]))
    if account is None:
        visit.form.error("account", _("No account has this name."))
        return await show(visit)
    new = invoice_form.read(visit, account.now(visit.ctx.clock.now()))
    if new is None:
        return await show(visit)

    async def work(tx: Tx) -> Invoice:
        return await issue_invoice(
            tx, visit.actor, account, number=new.number or await find_free_number(tx, account),
            kind=new.kind, lines=new.lines, currency=new.currency, vat_pct=new.vat_pct,
            due_at=new.due_at,
        )  # fmt: skip

    try:
        issued = await visit.transact(work)
    except ApiError as refusal:
        visit.refuse(refusal)
        return await show(visit)
    done = _("Invoice %(number)s is issued.", number=issued.number)
    return visit.redirect(PATH, notice=done)


async def _settle(visit: Visit) -> Response:
    """Mark paid, or void after confirmation."""
    _, number, is_void = visit.gettext, visit.form["number"], visit.form["act"] == "void"
    account = await _account(visit)
    if is_void and not visit.is_confirmed:
        title = _("Void invoice %(number)s?", number=number)
        text = _("It stays in the list and can never be paid. Issue another in its place.")
        return visit.confirm(title, text, back=PATH)
    verb = void_invoice if is_void else pay_invoice
    await visit.transact(lambda tx: verb(tx, visit.actor, account, number))
    done = (
        _("Invoice %(number)s is void.", number=number)
        if is_void
        else _("Invoice %(number)s is paid.", number=number)
    )
    return visit.redirect(PATH, notice=done)


async def _account(visit: Visit) -> Account:
    try:
        account_id = UUID(visit.form["account"])
    except ValueError:
        raise ApiError(Code.NOT_FOUND) from None
    found = (await visit.transact(lambda tx: load_accounts(tx, [account_id]))).get(account_id)
    if found is None:
        raise ApiError(Code.NOT_FOUND)
    return found


PAGES = [Page(PATH, get=show, post=act, needs=Right.OPERATE)]
