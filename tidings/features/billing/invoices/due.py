"""Invoices fall due: OPEN becomes OVERDUE at dueAt, in the account's own time (section 3).

One job an account stands for all its open invoices; it wakes when the next of them falls due.
Whoever asks in between is told the truth all the same (`Invoice.status_at`).
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
    """Make sure that somebody looks when it falls due; one that is overdue pauses at once."""
    if invoice.status is InvoiceStatus.OVERDUE:
        await suspension.changed(tx, account)
    elif invoice.status is InvoiceStatus.OPEN:
        await _put_next(tx, account)


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `invoices.due`."""
    for job in jobs:
        await ctx.db.transact(partial(_fall_due, job=job))


async def _fall_due(tx: Tx, job: Job) -> None:
    account = (await load_accounts(tx, [job.account_id]))[job.account_id]
    fallen = await invoice_store.mark_overdue(tx, account.id, account.now(tx.now))
    if fallen:
        log.info("invoices.overdue", account=account.name, invoices=fallen)
        await suspension.changed(tx, account)
    await queue.complete(tx, [job])
    await _put_next(tx, account)


async def _put_next(tx: Tx, account: Account) -> None:
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
