"""Whether an account may send now: an invoice past its time pauses it (section 3).

Overdue is worked out from the time, not only noted by a job, so that nothing slips through between
`dueAt` and the job.
"""

from collections.abc import Iterable
from uuid import UUID

from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import NewJob
from tidings.features.accounts.model import Account

from . import rules
from .invoices import lookup as invoice_lookup
from .invoices.model import Overdue

POOL = "timers"
RESUME = "messages.resume"  # the messages slice, above this one, lets what waits look again


async def find_overdue(tx: Tx, accounts: Iterable[Account]) -> dict[UUID, Overdue]:
    """Of these accounts, those that an unpaid invoice pauses, and which it is."""
    enforced = [account for account in accounts if rules.is_enforced(account.billing_mode)]
    return await invoice_lookup.find_overdue(tx, enforced)


async def changed(tx: Tx, account: Account) -> None:
    """An invoice was paid, voided or fell due: what waited for that looks again.

    What waits for its turn while the account falls behind finds out when its turn comes.
    """
    if account.id not in await find_overdue(tx, [account]):
        job = NewJob(account.id, POOL, RESUME, RESUME, tx.now, account.clock, unique_key=RESUME)
        await queue.enqueue(tx, [job])
