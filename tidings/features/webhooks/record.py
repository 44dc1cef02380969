"""Record the outcomes of posts, many in one transaction (6.1).

A failed attempt is retried later; the sixth puts the webhook on the failed list. The first webhook
of an account that exhausts its attempts is logged as a warning to the operator. When a URL has
recovered, its failed webhooks are queued again if the account asked for that.
"""

from collections import Counter
from datetime import datetime
from uuid import UUID

import msgspec
import structlog

from tidings import limits, times
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.errors import CommitUnknown
from tidings.engine.db.tx import Tx
from tidings.engine.http.outbound.client import Posted
from tidings.engine.queue import Job
from tidings.features.accounts.lookup import recall_accounts
from tidings.features.accounts.model import Account

from . import rules, store
from .failed import store as failed_store
from .failed.retry import enqueue_resend
from .store import Webhook

log = structlog.get_logger()

Accounts = dict[UUID, Account]


class Outcome(msgspec.Struct, frozen=True):
    """A post that has ended."""

    job: Job
    webhook: Webhook
    posted: Posted
    attempt: int  # for an interrupted attempt: the one before this claim
    timestamp: int | None = None  # that was signed; None: it is not known whether it was posted
    url_recovered: bool = False  # it succeeded, and the last post to the URL failed or is unknown

    @property
    def succeeded(self) -> bool:
        return rules.is_success(self.posted.status)

    @property
    def interrupted(self) -> bool:
        return self.attempt != self.job.attempts


async def record(ctx: Context, batches: list[list[Outcome]]) -> list[Exception | None]:
    """The work of the deliver lane."""
    outcomes = [outcome for batch in batches for outcome in batch]
    newly_failing = await _write(ctx, outcomes)
    counts = Counter("success" if outcome.succeeded else "failure" for outcome in outcomes)
    for name, count in counts.items():
        ctx.metrics.webhook_attempts.labels(name).inc(count)
    exhausted = sum(rules.is_last(outcome.attempt) for outcome in outcomes if not outcome.succeeded)
    ctx.metrics.webhooks_exhausted.inc(exhausted)
    for account in newly_failing:
        log.warning("webhook.exhausted", account=account.id, environment=account.environment)
        ctx.metrics.webhook_accounts_failing.inc()
    return [None] * len(batches)


async def _write(ctx: Context, outcomes: list[Outcome]) -> list[Account]:
    """If it is unknown whether this was committed, successes are recorded again: the second time
    has no effect. A failure would count twice: its lease expires instead."""
    try:
        return await ctx.db.transact_patiently(lambda tx: _record(tx, outcomes))
    except CommitUnknown:
        succeeded = [outcome for outcome in outcomes if outcome.succeeded]
        await ctx.db.transact_patiently(lambda tx: _record(tx, succeeded))
        if len(succeeded) < len(outcomes):
            raise
        return []


async def _record(tx: Tx, outcomes: list[Outcome]) -> list[Account]:
    """Returns the accounts whose first webhook has just failed."""
    outcomes = await _without_stale_failures(tx, outcomes)
    accounts = await recall_accounts(tx, {outcome.job.account_id for outcome in outcomes})
    done: list[Job] = []
    later: list[queue.Reschedule] = []
    recorded: list[store.Recorded] = []
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
        recorded.append(_recorded(outcome, verdict, account.now(tx.now)))
    newly_failing = await _newly_failing(tx, accounts, recorded)
    await store.record(tx, recorded)
    await queue.complete(tx, done)
    await queue.reschedule(tx, later)
    await _resend(tx, accounts, outcomes)
    return newly_failing


async def _without_stale_failures(tx: Tx, outcomes: list[Outcome]) -> list[Outcome]:
    """Drop failures of jobs that another worker has claimed since. A success counts in any case."""
    failures = [outcome.job for outcome in outcomes if not outcome.succeeded]
    if not failures:
        return outcomes
    held = await queue.lock_held(tx, failures)
    return [outcome for outcome in outcomes if outcome.succeeded or outcome.job.key in held]


async def _newly_failing(
    tx: Tx, accounts: Accounts, recorded: list[store.Recorded]
) -> list[Account]:
    failing = {one.account_id for one in recorded if one.failed_at is not None}
    if not failing:
        return []
    known = await failed_store.has_any(tx, sorted(failing))
    return [accounts[account_id] for account_id in sorted(failing - known)]


async def _resend(tx: Tx, accounts: Accounts, outcomes: list[Outcome]) -> None:
    """Queue the failed webhooks of recovered URLs again, in accounts that asked for it."""
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
    await enqueue_resend(tx, jobs)


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
        url=outcome.webhook.url,
        timestamp=outcome.timestamp,
        answer=_answer(posted),
    )
    return store.Recorded(
        account_id=outcome.job.account_id,
        id=outcome.webhook.id,
        attempt=attempt,
        state=_STATES[type(verdict)],
        failed_at=at if isinstance(verdict, rules.GivenUp) else None,
    )


def _answer(posted: Posted) -> str:
    """How the response's body begins. PostgreSQL's texts cannot hold NUL."""
    is_success = rules.is_success(posted.status)
    kept = limits.WEBHOOK_SUCCESS_KEPT_BYTES if is_success else limits.WEBHOOK_ANSWER_KEPT_BYTES
    return posted.body[:kept].decode(errors="replace").replace("\0", "\ufffd")
