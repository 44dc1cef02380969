"""Deliver due webhooks: load a batch, post each, record what came of it (6.1).

Claiming a job raised its attempt count durably before the post, so that a crash counts as an
attempt and there are never more than six. The posts are made with no transaction open.
"""

import asyncio
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tidings import limits, times
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.http.outbound import Fault, Posted
from tidings.engine.queue import Job
from tidings.features.accounts import rotate
from tidings.features.accounts.lookup import load_accounts

from . import rules, store
from .publish import POOL
from .store import Webhook

Secrets = dict[UUID, rotate.SigningSecrets]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A post that has ended; the deliver lane records many in one transaction."""

    job: Job
    webhook: Webhook
    posted: Posted
    attempt: int  # the one that ended: with an interrupted attempt, the one before this claim

    @property
    def interrupted(self) -> bool:
        return self.attempt != self.job.attempts


INTERRUPTED = Posted(status=None, error=Fault.CONNECTION_FAILED, ms=0)


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `webhook.deliver`."""
    webhooks, secrets = await ctx.db.transact(lambda tx: _load(ctx, tx, jobs))
    owed = [job for job in jobs if _is_owed(webhooks.get(job.subject))]
    others = [job for job in jobs if not _is_owed(webhooks.get(job.subject))]
    if others:
        await ctx.db.transact(lambda tx: _set_aside(tx, others))
    await asyncio.gather(*(_deliver(ctx, job, webhooks[job.subject], secrets) for job in owed))


def _is_owed(webhook: Webhook | None) -> bool:
    return webhook is not None and webhook.state == "pending" and webhook.url is not None


async def _set_aside(tx: Tx, jobs: list[Job]) -> None:
    """Settled already, or the address was taken away since: then they wait in the feed."""
    await store.keep_waiting(tx, [(job.account_id, job.subject) for job in jobs])
    await queue.finish(tx, jobs)


async def _load(ctx: Context, tx: Tx, jobs: list[Job]) -> tuple[dict[str, Webhook], Secrets]:
    webhooks = await store.load(tx, [(job.account_id, job.subject) for job in jobs])
    accounts = sorted({job.account_id for job in jobs})
    return webhooks, await rotate.signing_secrets(tx, ctx.sealer, accounts)


async def _deliver(ctx: Context, job: Job, webhook: Webhook, secrets: Secrets) -> None:
    if job.crashes:
        # A worker died during the attempt before this claim. It counts, and its wait is kept.
        outcome = Outcome(job, webhook, INTERRUPTED, job.attempts - 1)
    else:
        outcome = Outcome(job, webhook, await _post(ctx, job, webhook, secrets), job.attempts)
    await ctx.lanes.deliver.put(outcome)


async def _post(ctx: Context, job: Job, webhook: Webhook, secrets: Secrets) -> Posted:
    assert webhook.url is not None, "only what has an address is owed"
    current, previous = secrets[webhook.account_id]
    headers = rules.signed_headers(
        webhook.id,
        webhook.body,
        attempt=job.attempts,
        timestamp=int(ctx.clock.now().timestamp()),
        secret=current.reveal(),
        previous=previous.reveal() if previous else None,
    )
    timeout = limits.WEBHOOK_RESPONSE_TIMEOUT
    return await ctx.outbound.post(webhook.url, webhook.body, headers, timeout=timeout)


async def record(ctx: Context, outcomes: list[Outcome]) -> list[Exception | None]:
    """The work of the deliver lane."""
    await ctx.db.transact(lambda tx: _record(ctx, tx, outcomes))
    return [None] * len(outcomes)


async def _record(ctx: Context, tx: Tx, outcomes: list[Outcome]) -> None:
    accounts = await load_accounts(tx, {outcome.job.account_id for outcome in outcomes})
    done: list[Job] = []
    later: list[queue.Again] = []
    kept: list[store.Recorded] = []
    for outcome in outcomes:
        account = accounts[outcome.job.account_id]
        succeeded = rules.is_success(outcome.posted.status)
        verdict = rules.after_attempt(outcome.attempt, succeeded=succeeded, now=tx.now)
        if isinstance(verdict, rules.RetryAt):
            wait = outcome.interrupted
            later.append(queue.Again(outcome.job, verdict.moment, account.clock, uncounted=wait))
        else:
            done.append(outcome.job)
        kept.append(_recorded(outcome, verdict, account.now(tx.now)))
        ctx.metrics.webhook_attempts.labels("success" if succeeded else "failure").inc()
    await store.record(tx, kept)
    await queue.finish(tx, done)
    await queue.again(tx, later)
    tx.wake(POOL)  # a later webhook of the same message may have waited for this one


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
