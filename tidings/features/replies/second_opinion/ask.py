"""The handler of `reply.second_opinion`: look, ask with no transaction open, conclude.

A crash in between leaves the job's lease to expire; the guest has waited long enough by then, and
is asked back without another question to the reader.
"""

from functools import partial

import structlog

from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job
from tidings.features.accounts.lookup import load_accounts
from tidings.features.events import invitations

from .. import timers
from ..reading.reader import Reading
from . import budget, jobs, rules
from .model import Outcome
from .reader import NotRead, OutsideReader
from .take import conclude

log = structlog.get_logger()


async def run(ctx: Context, given: list[Job]) -> None:
    for job in given:
        reading, outcome = await _ask(ctx, job)
        used = await ctx.db.transact(partial(_end, job=job, reading=reading))
        if outcome is Outcome.USED and not used:
            outcome = Outcome.UNUSED
        ctx.metrics.second_opinions.labels(outcome).inc()


async def _end(tx: Tx, job: Job, reading: Reading | None) -> bool:
    await queue.complete(tx, [job])
    return await conclude(tx, job, reading)


async def on_dead_letter(ctx: Context, given: list[Job]) -> None:
    """It crashed again and again: the guest is asked back."""
    for job in given:
        await ctx.db.transact(partial(conclude, job=job, reading=None))


async def _ask(ctx: Context, job: Job) -> tuple[Reading | None, Outcome]:
    reader = ctx.reader
    if reader is None:
        return None, Outcome.WITHDRAWN
    if reader.is_resting:
        return None, Outcome.BREAKER
    question = await ctx.db.transact(partial(_prepare, ctx, job=job))
    if isinstance(question, Outcome):
        return None, question
    text, precision = question
    ctx.metrics.second_opinions.labels(Outcome.ASKED).inc()
    return await _read(reader, job, text, precision)


async def _prepare(ctx: Context, tx: Tx, job: Job) -> tuple[str, float] | Outcome:
    """The words to show, and how sure the account wants to be; or why nobody is asked."""
    asked = jobs.read_payload(job)
    account = (await load_accounts(tx, [job.account_id]))[job.account_id]
    if not account.second_opinion:
        return Outcome.WITHDRAWN
    if rules.is_late(asked, tx.now):
        return Outcome.LATE
    key = timers.invitation_key(job)
    invitation = (await invitations.find_all(tx, [key])).get(key)
    if invitation is None or not rules.is_about(invitation, asked):
        return Outcome.WITHDRAWN
    text = rules.text_of(invitation)
    if text is None or rules.is_overtaken([invitation], asked):
        return Outcome.WITHDRAWN
    if not await budget.take(tx, ctx.settings, account.id):
        return Outcome.BUDGET
    return text, account.reader_precision


async def _read(
    reader: OutsideReader, job: Job, text: str, precision: float
) -> tuple[Reading | None, Outcome]:
    try:
        opinion = await reader.ask(text)
    except NotRead as reason:
        log.warning("opinion.failed", account=job.account_id, reason=str(reason))
        return None, Outcome.FAILED
    reading = rules.to_reading(opinion, precision)
    return reading, Outcome.UNUSED if reading is None else Outcome.USED
