"""Invoices fall due: OPEN becomes OVERDUE at dueAt, by the account's clock (section 3).

One job per account covers all of its open invoices; it is scheduled for the earliest dueAt. Reads
do not depend on it: `Invoice.status_at` computes the status from the time.
"""

from functools import partial

import structlog

from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job, NewJob
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account

from .. import suspension
from . import store as invoice_store
from .model import Invoice, InvoiceStatus

POOL = "timers"
DUE = "invoices.due"

log = structlog.get_logger()


async def watch(tx: Tx, account: Account, invoice: Invoice) -> None:
    """Schedule the due job for an open invoice; an overdue one suspends the account immediately."""
    if invoice.status is InvoiceStatus.OVERDUE:
        await suspension.changed(tx, account)
    elif invoice.status is InvoiceStatus.OPEN:
        await _schedule_next(tx, account)


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `invoices.due`."""
    for job in jobs:
        await ctx.db.transact(partial(_fall_due, job=job))


async def _fall_due(tx: Tx, job: Job) -> None:
    account = (await load_accounts(tx, [job.account_id]))[job.account_id]
    numbers = await invoice_store.mark_overdue(tx, account.id, account.now(tx.now))
    if numbers:
        tx.after_commit(
            lambda: log.warning("invoice.payment_missed", account=account.id, invoices=numbers)
        )
        await suspension.changed(tx, account)
    await queue.complete(tx, [job])
    await _schedule_next(tx, account)


async def _schedule_next(tx: Tx, account: Account) -> None:
    due_at = await invoice_store.next_due(tx, account.id)
    if due_at is not None:
        job = NewJob(
            account_id=account.id,
            pool=POOL,
            kind=DUE,
            subject=DUE,
            due_at=due_at - account.clock,
            clock=account.clock,
            unique_key=DUE,
        )
        await queue.enqueue(tx, [job])
