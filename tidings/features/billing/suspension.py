"""Suspension: an account with an overdue invoice may not send (section 3).

Whether an invoice is overdue is computed from the time, so an account is suspended at `dueAt` even
if the job that marks the invoice has not run yet.
"""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from tidings.engine import queue
from tidings.engine.db.reads import Read
from tidings.engine.db.tx import Tx
from tidings.engine.queue import NewJob
from tidings.features.accounts.model import Account

from . import rules
from .invoices import lookup as invoice_lookup
from .invoices.model import Overdue

POOL = "timers"
RESUME = "messages.resume"  # handled by the messages slice: reschedules the waiting messages


def read_overdue(accounts: Iterable[Account], now: datetime) -> Read[dict[UUID, Overdue]]:
    """The suspended accounts among these, each with the invoice that suspends it."""
    enforced = [account for account in accounts if rules.is_enforced(account.billing_mode)]
    return invoice_lookup.read_overdue(enforced, now)


async def find_overdue(tx: Tx, accounts: Iterable[Account]) -> dict[UUID, Overdue]:
    return await tx.result(read_overdue(accounts, tx.now))


async def changed(tx: Tx, account: Account) -> None:
    """An invoice was paid, voided, amended or fell due: if the account is not suspended, resume it.

    Suspending needs no job: scheduled messages check for it when they become due.
    """
    if account.id not in await find_overdue(tx, [account]):
        job = NewJob(account.id, POOL, RESUME, RESUME, tx.now, account.clock, unique_key=RESUME)
        await queue.enqueue(tx, [job])
