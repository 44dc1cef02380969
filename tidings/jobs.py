"""Every kind of job, the pools of workers that run them, and every periodic task, as tables."""

import asyncio
from datetime import timedelta
from functools import partial

from tidings import limits
from tidings.context import Context
from tidings.engine.db.partitions import make_ahead
from tidings.engine.db.schema.upgrade import advance_upgrade
from tidings.engine.db.statistics import refresh
from tidings.engine.db.tx import Tx
from tidings.engine.queue import JobKind, Pool
from tidings.engine.queue.periodic import PeriodicTask
from tidings.features.accounts import credentials
from tidings.features.accounts.lookup import load_all_accounts
from tidings.features.batches import drafts as batch_drafts
from tidings.features.batches import parts as batch_parts
from tidings.features.batches import progress as batch_progress
from tidings.features.billing import suspension as standing
from tidings.features.billing.invoices import due as invoice_due
from tidings.features.billing.subscriptions import renew
from tidings.features.callbacks import dead_letters
from tidings.features.events import invitations
from tidings.features.feedback.forms import build as form_building
from tidings.features.feedback.sends import recount as form_recount
from tidings.features.media.inbound_files import files as inbound_media
from tidings.features.media.remove import remove_orphans
from tidings.features.messages.accept import used_ids
from tidings.features.messages.request import attachments
from tidings.features.messages.send import dispatch, outcome, reschedule, send_worker
from tidings.features.messages.state import timers as message_timers
from tidings.features.messages.track import timeouts
from tidings.features.people.purge import purge as purge_people
from tidings.features.privacy import erase, retention
from tidings.features.replies import prompts, timers
from tidings.features.replies import timers as invitation_jobs
from tidings.features.replies.second_opinion import ask as second_opinion
from tidings.features.replies.second_opinion import budget as opinion_budget
from tidings.features.replies.second_opinion import jobs as opinion_jobs
from tidings.features.requests import lookup as request_log
from tidings.features.retention.enforce import enforce as enforce_retention
from tidings.features.sandbox import planned_callbacks
from tidings.features.senders import capacity as sender_limits
from tidings.features.senders import sync as sender_sync
from tidings.features.templates import sync as template_sync
from tidings.features.webhooks import deliver, destinations, publish
from tidings.features.webhooks.failed import retry as failed
from tidings.features.webhooks.feed import read as feed
from tidings.features.webhooks.old_months import drop_old_months
from tidings.features.webhooks.publish import purge as purge_webhooks
from tidings.settings import Settings

POOLS = (
    dispatch.PASSCODES,
    dispatch.POOL,
    message_timers.POOL,
    publish.POOL,
    sender_sync.POOL,
    opinion_jobs.POOL.name,
)


def pools(settings: Settings) -> tuple[Pool, ...]:
    """The workers of a process, as many as its settings allow."""
    posts = settings.webhook_posts
    return (
        Pool(dispatch.PASSCODES, slots=limits.OTP_SLOTS, group=limits.OTP_GROUP),
        Pool(
            dispatch.POOL, settings.sends_at_once, limits.SEND_GROUP,
            gather=limits.SEND_GATHER.total_seconds(),
        ),
        Pool(
            message_timers.POOL, limits.TIMER_SLOTS, limits.QUEUE_CLAIM_MAX,
            gather=limits.TIMER_GATHER.total_seconds(),
        ),
        Pool(
            publish.POOL, posts, limits.WEBHOOK_GROUP, limits=destinations.limits_of(posts),
            interruptible=True,
        ),
        Pool(sender_sync.POOL, slots=limits.PLATFORM_SYNC_SLOTS, group=1),
        opinion_jobs.POOL,
    )  # fmt: skip


def kinds(ctx: Context) -> dict[str, JobKind]:
    return {
        dispatch.SEND: JobKind(
            partial(send_worker.run, ctx),
            on_dead_letter=partial(send_worker.on_dead_letter, ctx),
            calls_out=True,
        ),
        sender_sync.SYNC: JobKind(
            partial(template_sync.run, ctx),
            on_dead_letter=partial(template_sync.on_dead_letter, ctx),
            calls_out=True,
        ),
        form_building.BUILD: JobKind(partial(form_building.run, ctx), calls_out=True),
        message_timers.TIMEOUT: JobKind(partial(timeouts.run, ctx)),
        message_timers.MOVE_UP: JobKind(partial(reschedule.run_move_up, ctx)),
        message_timers.RECOUNT: JobKind(partial(form_recount.run, ctx)),
        message_timers.BATCH_MOVED: JobKind(partial(batch_progress.run, ctx)),
        batch_parts.KIND: JobKind(partial(batch_parts.run, ctx)),
        invoice_due.DUE: JobKind(partial(invoice_due.run, ctx)),
        renew.TERM: JobKind(partial(renew.run, ctx)),
        standing.RESUME: JobKind(partial(reschedule.run_resume, ctx)),
        reschedule.RESUME_ALL: JobKind(partial(reschedule.run_resume_all, ctx)),
        outcome.PLAY: JobKind(partial(planned_callbacks.run, ctx)),
        invitation_jobs.PROMPT: JobKind(partial(prompts.run, ctx)),
        invitation_jobs.NUDGE: JobKind(partial(timers.run_nudges, ctx)),
        invitation_jobs.EXPIRE: JobKind(partial(timers.run_expiries, ctx)),
        opinion_jobs.KIND: JobKind(
            partial(second_opinion.run, ctx),
            on_dead_letter=partial(second_opinion.on_dead_letter, ctx),
            calls_out=True,
        ),
        invitations.MOVED: JobKind(partial(timers.run_moved, ctx)),
        publish.DELIVER: JobKind(
            partial(deliver.run, ctx),
            on_dead_letter=partial(deliver.on_dead_letter, ctx),
            calls_out=True,
            crashes_max=limits.WEBHOOK_ATTEMPTS_MAX,  # each was an attempt of the six
        ),
        failed.RESEND: JobKind(partial(failed.run, ctx)),
    }


def periodic(ctx: Context) -> list[PeriodicTask]:
    minute, hour = timedelta(minutes=1), timedelta(hours=1)
    return [
        PeriodicTask("database.statistics", timedelta(seconds=2), lambda: ctx.db.transact(refresh)),
        PeriodicTask("database.partitions", hour, lambda: make_ahead(ctx.db)),
        PeriodicTask("database.upgrade", timedelta(seconds=30), lambda: advance_upgrade(ctx.db)),
        PeriodicTask("vault.sweep", minute, lambda: ctx.db.transact(ctx.vault.sweep)),
        PeriodicTask("vault.keys", minute, lambda: asyncio.to_thread(ctx.vault.destroy_old_keys)),
        PeriodicTask("accounts.expired", hour, lambda: ctx.db.transact(credentials.delete_expired)),
        PeriodicTask("people.purge", hour, lambda: ctx.db.transact(purge_people)),
        PeriodicTask("batches.purge", hour, lambda: ctx.db.transact(batch_drafts.purge)),
        PeriodicTask("limits.purge", minute, lambda: ctx.db.transact(_purge_limits)),
        PeriodicTask("messages.used_ids", 3 * hour, lambda: used_ids.purge(ctx)),
        PeriodicTask("webhooks.purge", minute, lambda: _purge_webhooks(ctx)),
        PeriodicTask("webhooks.months", hour, lambda: drop_old_months(ctx)),
        PeriodicTask("platform.sync", minute, lambda: ctx.db.transact(sender_sync.put_missing)),
        PeriodicTask("opinions.purge", hour, lambda: ctx.db.transact(opinion_budget.purge)),
        PeriodicTask("media.purge", hour, lambda: ctx.db.transact(inbound_media.purge)),
        PeriodicTask("media.sweep", hour, lambda: attachments.sweep(ctx)),
        PeriodicTask("media.orphans", 6 * hour, lambda: remove_orphans(ctx)),
        PeriodicTask("callbacks.purge", hour, lambda: _purge_callbacks(ctx)),
        PeriodicTask("requests.purge", hour, lambda: request_log.purge(ctx)),
        PeriodicTask("privacy.erase", minute, lambda: erase.resume(ctx)),
        PeriodicTask("privacy.retention", hour, lambda: retention.enforce(ctx)),
        PeriodicTask("retention.enforce", hour, lambda: enforce_retention(ctx)),
        PeriodicTask("webhooks.adopt", hour, lambda: ctx.db.transact(feed.adopt)),
    ]


async def _purge_webhooks(ctx: Context) -> int:
    kept = timedelta(days=ctx.settings.webhook_feed_days)
    return await ctx.db.transact(partial(purge_webhooks, kept=kept))


async def _purge_callbacks(ctx: Context) -> int:
    kept = timedelta(days=ctx.settings.parked_callback_days)
    return await ctx.db.transact(partial(dead_letters.purge, kept=kept))


async def _purge_limits(tx: Tx) -> None:
    await sender_limits.purge(tx, await load_all_accounts(tx))
