"""What came of posts, written down: many in one transaction (6.1).

A failure is followed by its wait or, the sixth time, by the failed list. The first event of an
account that is exhausted is a warning to the operator. A URL that has recovered has its failed
events queued again where the account asked for that.
"""

from collections import Counter
from datetime import datetime
from uuid import UUID

import msgspec
import structlog

from tidings import times
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.http.outbound.client import Posted
from tidings.engine.queue import Job
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account

from . import rules, store
from .failed import store as failed_store
from .failed.retry import put_resend
from .publish import POOL
from .store import Webhook

log = structlog.get_logger()

Accounts = dict[UUID, Account]


class Outcome(msgspec.Struct, frozen=True):
    """A post that has ended."""

    job: Job
    webhook: Webhook
    posted: Posted
    attempt: int  # the one that ended: with an interrupted attempt, the one before this claim
    url_recovered: bool = False  # a success where the last post failed, or none is known of

    @property
    def succeeded(self) -> bool:
        return rules.is_success(self.posted.status)

    @property
    def interrupted(self) -> bool:
        return self.attempt != self.job.attempts


async def record(ctx: Context, batches: list[list[Outcome]]) -> list[Exception | None]:
    """The work of the deliver lane."""
    outcomes = [outcome for batch in batches for outcome in batch]
    first_lost = await ctx.db.transact(lambda tx: _record(tx, outcomes))
    counts = Counter("success" if outcome.succeeded else "failure" for outcome in outcomes)
    for name, count in counts.items():
        ctx.metrics.webhook_attempts.labels(name).inc(count)
    for account in first_lost:
        log.warning("webhooks.exhausted", account=account.name, environment=account.environment)
        ctx.metrics.webhook_accounts_failing.inc()
    return [None] * len(batches)


async def _record(tx: Tx, outcomes: list[Outcome]) -> list[Account]:
    """Accounts that had no failed event before, and have one now."""
    outcomes = await _still_ours(tx, outcomes)
    accounts = await load_accounts(tx, {outcome.job.account_id for outcome in outcomes})
    done: list[Job] = []
    later: list[queue.Reschedule] = []
    kept: list[store.Recorded] = []
    for outcome in outcomes:
        account = accounts[outcome.job.account_id]
        verdict = rules.after_attempt(outcome.attempt, succeeded=outcome.succeeded, now=tx.now)
        if isinstance(verdict, rules.RetryAt):
            retry = queue.Reschedule(
                outcome.job, verdict.timestamp, account.clock, count_attempt=not outcome.interrupted
            )
            later.append(retry)
        else:
            done.append(outcome.job)
        kept.append(_recorded(outcome, verdict, account.now(tx.now)))
    first_lost = await _first_lost(tx, accounts, kept)
    await store.record(tx, kept)
    await queue.complete(tx, done)
    await queue.reschedule(tx, later)
    await _resend(tx, accounts, outcomes)
    tx.wake(POOL)  # a later webhook of the same message may have waited for this one
    return first_lost


async def _still_ours(tx: Tx, outcomes: list[Outcome]) -> list[Outcome]:
    """Without failures of jobs that another worker has by now; a success is good whoever had it."""
    failures = [outcome.job for outcome in outcomes if not outcome.succeeded]
    if not failures:
        return outcomes
    held = await queue.lock_held(tx, failures)
    return [outcome for outcome in outcomes if outcome.succeeded or outcome.job.id in held]


async def _first_lost(tx: Tx, accounts: Accounts, kept: list[store.Recorded]) -> list[Account]:
    lost = {one.account_id for one in kept if one.failed_at is not None}
    if not lost:
        return []
    known = await failed_store.has_any(tx, sorted(lost))
    return [accounts[account_id] for account_id in sorted(lost - known)]


async def _resend(tx: Tx, accounts: Accounts, outcomes: list[Outcome]) -> None:
    """What had failed at a URL that answers again, in accounts that want it sent once more."""
    urls = {
        (outcome.job.account_id, outcome.webhook.url)
        for outcome in outcomes
        if outcome.url_recovered
        and outcome.webhook.url is not None
        and accounts[outcome.job.account_id].resend_when_recovered
    }
    if not urls:
        return
    failing = await failed_store.has_any(tx, sorted({account_id for account_id, _ in urls}))
    jobs = [
        (accounts[account_id], url) for account_id, url in sorted(urls) if account_id in failing
    ]
    await put_resend(tx, jobs)


_STATES = {rules.Delivered: "delivered", rules.RetryAt: "pending", rules.GivenUp: "failed"}


def _recorded(outcome: Outcome, verdict: rules.Verdict, at: datetime) -> store.Recorded:
    """`at` is the account's time."""
    posted = outcome.posted
    attempt = store.Attempt(
        cycle=outcome.webhook.cycle,
        attempt=outcome.attempt,
        at=times.to_wire(at),
        status=posted.status,
        error=posted.error,
        ms=posted.ms,
    )
    return store.Recorded(
        account_id=outcome.job.account_id,
        id=outcome.webhook.id,
        attempt=attempt,
        state=_STATES[type(verdict)],
        failed_at=at if isinstance(verdict, rules.GivenUp) else None,
    )
