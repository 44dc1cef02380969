"""Close terms: monthly subscriptions renew, and the month is invoiced (contract.md, "Billing").

Starting a term needs no job: the current term follows from the time, and its row is created by its
first charge. This job closes ended terms, after which no charge can be added, and invoices them as
of their end. One job per account; it catches up term by term.
"""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from functools import partial

import structlog

from tidings import limits
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job, NewJob
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account

from .. import rules
from ..charging import store as charge_store
from ..invoices import term_lines as lines
from ..invoices.issue import issue
from ..invoices.model import LineItem
from ..model import BillingType, Span, Subscription, Term
from . import store

POOL = "timers"
TERM = "billing.term"

log = structlog.get_logger()


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `billing.term`."""
    for job in jobs:
        await ctx.db.transact(partial(_close_ended, job=job))


async def _close_ended(tx: Tx, job: Job) -> None:
    account = (await load_accounts(tx, [job.account_id]))[job.account_id]
    now = account.now(tx.now)
    # The lock serializes concurrent runs: the second one finds the term closed.
    subscriptions = (await store.load_subscriptions(tx, [account.id], locked=True))[account.id]
    last_closed = await store.find_last_closed(tx, account.id)
    open_spans = []
    for subscription in _renewing(subscriptions):
        span = _first_open(subscription, last_closed.get(subscription.id))
        while span is not None and span.ends_at is not None and span.ends_at <= now:
            await _close(tx, account, subscription, span)
            span = _next_span(subscription, span)
        if span is not None:
            open_spans.append(span)
    await queue.complete(tx, [job])
    await _schedule(tx, account, open_spans)


async def watch(tx: Tx, account: Account, subscriptions: Iterable[Subscription]) -> None:
    """Schedule the job for the earliest end of an open term."""
    last_closed = await store.find_last_closed(tx, account.id)
    spans = [_first_open(one, last_closed.get(one.id)) for one in _renewing(subscriptions)]
    await _schedule(tx, account, [span for span in spans if span is not None])


def _renewing(subscriptions: Iterable[Subscription]) -> list[Subscription]:
    return [one for one in subscriptions if one.billing_type is not BillingType.PACKAGE]


def _first_open(subscription: Subscription, last_closed: int | None) -> Span | None:
    if last_closed is None:
        return rules.span(subscription, rules.first_invoiced(subscription))
    return _next_span(subscription, rules.span(subscription, last_closed))


def _next_span(subscription: Subscription, span: Span) -> Span | None:
    following = rules.span(subscription, span.number + 1)
    is_over = subscription.end is not None and following.starts_at >= subscription.end
    return None if is_over else following


async def _schedule(tx: Tx, account: Account, spans: Iterable[Span]) -> None:
    ends = [span.ends_at for span in spans if span.ends_at is not None]
    if ends:
        due_at = min(ends) - account.clock
        job = NewJob(account.id, POOL, TERM, TERM, due_at, account.clock, unique_key=TERM)
        await queue.enqueue(tx, [job])


async def _close(tx: Tx, account: Account, subscription: Subscription, span: Span) -> None:
    assert span.ends_at is not None, "a closed term has an end"
    key = (account.id, subscription.id, span.number)
    await store.open_term(tx, subscription, span)
    term = await store.close_term(tx, key, span.ends_at)
    due = await _lines(tx, subscription, span, term)
    carried = 0
    # Metered usage accrued while billing was on is owed even if billing is off now.
    billed = subscription.is_metered or rules.is_counted(account.billing_mode)
    if billed and lines.is_owed(due, subscription.currency):
        number = await _invoice(tx, account, subscription, due, span.ends_at)
        await store.note_invoice(tx, key, number)
    elif term.owed_micro < 0:
        carried = term.owed_micro
    following = _next_span(subscription, span)
    if carried and following is not None:
        await store.open_term(tx, subscription, following, carried)
    package = subscription.package
    tx.after_commit(lambda: log.info("billing.term_ended", account=account.id, package=package))


async def _lines(tx: Tx, subscription: Subscription, span: Span, term: Term) -> list[LineItem]:
    if not subscription.is_metered:
        return lines.monthly(subscription, span)
    account_id = subscription.account_id
    counts = await charge_store.load_counts(tx, account_id, subscription.id, span.number)
    return lines.usage(subscription, span, counts, term.carried_micro)


async def _invoice(
    tx: Tx, account: Account, subscription: Subscription, due: list[LineItem], issued_at: datetime
) -> str:
    invoice = await issue(
        tx,
        account,
        kind=subscription.billing_type.value,
        lines=due,
        currency=subscription.currency,
        vat_pct=Decimal(subscription.vat_hundredths) / 100,
        issued_at=issued_at,
        due_at=issued_at + limits.INVOICE_DUE_AFTER,
    )
    return invoice.number
