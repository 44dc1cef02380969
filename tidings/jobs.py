"""Every kind of job, the pools of workers that run them, and every periodic task, as tables."""

import asyncio
from datetime import timedelta
from functools import partial

from tidings import limits
from tidings.context import Context
from tidings.engine.db.statistics import refresh
from tidings.engine.db.tx import Tx
from tidings.engine.handlers import Kind
from tidings.engine.periodic import Periodic
from tidings.engine.worker_loop import Pool
from tidings.features.accounts import rotate
from tidings.features.accounts.directory import load_all_accounts
from tidings.features.batches import progress as batch_progress
from tidings.features.billing import invoice_due, renew, standing
from tidings.features.events import ends
from tidings.features.feedback import build as form_building
from tidings.features.media import inbound as inbound_media
from tidings.features.media.remove import remove_orphans
from tidings.features.messages import (
    batching,
    dispatch,
    expire,
    files,
    intent,
    outcome,
    places,
    resume,
    timeouts,
)
from tidings.features.replies import jobs as invitation_jobs
from tidings.features.replies import moved, parked, prompts, timers
from tidings.features.sandbox import play
from tidings.features.senders import capacity as sender_limits
from tidings.features.senders import sync as sender_sync
from tidings.features.templates import sync as template_sync
from tidings.features.webhooks import deliver, failed, feed, publish
from tidings.features.webhooks.publish import purge as purge_webhooks

POOLS = (
    Pool(dispatch.PASSCODES, slots=limits.OTP_SLOTS, group=limits.OTP_GROUP),
    Pool(
        dispatch.POOL, limits.SEND_SLOTS, limits.SEND_GROUP,
        gather=limits.SEND_GATHER.total_seconds(),
    ),
    Pool(
        outcome.TIMERS, limits.TIMER_SLOTS, limits.QUEUE_CLAIM_MAX,
        gather=limits.TIMER_GATHER.total_seconds(),
    ),
    Pool(publish.POOL, slots=limits.WEBHOOK_SLOTS, group=1, by_line=True),
    Pool(sender_sync.POOL, slots=limits.PLATFORM_SYNC_SLOTS, group=1),
)  # fmt: skip


def kinds(ctx: Context) -> dict[str, Kind]:
    return {
        dispatch.SEND: Kind(partial(intent.run, ctx), poison=partial(intent.poison, ctx)),
        sender_sync.SYNC: Kind(partial(template_sync.run, ctx), partial(template_sync.poison, ctx)),
        form_building.BUILD: Kind(partial(form_building.run, ctx)),
        timeouts.TIMEOUT: Kind(partial(expire.run, ctx)),
        places.MOVE_UP: Kind(partial(places.run_move_up, ctx)),
        batching.MOVED: Kind(partial(batch_progress.run, ctx)),
        invoice_due.DUE: Kind(partial(invoice_due.run, ctx)),
        renew.TERM: Kind(partial(renew.run, ctx)),
        standing.RESUME: Kind(partial(resume.run, ctx)),
        outcome.PLAY: Kind(partial(play.run, ctx)),
        invitation_jobs.PROMPT: Kind(partial(prompts.run, ctx)),
        invitation_jobs.NUDGE: Kind(partial(timers.run_nudges, ctx)),
        invitation_jobs.EXPIRE: Kind(partial(timers.run_expiries, ctx)),
        ends.MOVED: Kind(partial(moved.run, ctx)),
        publish.DELIVER: Kind(partial(deliver.run, ctx), poison=partial(deliver.poison, ctx)),
        failed.RESEND: Kind(partial(failed.run, ctx)),
    }


def periodic(ctx: Context) -> list[Periodic]:
    minute, hour = timedelta(minutes=1), timedelta(hours=1)
    return [
        Periodic("database.statistics", timedelta(seconds=2), lambda: ctx.db.transact(refresh)),
        Periodic("vault.sweep", minute, lambda: ctx.db.transact(ctx.vault.sweep)),
        Periodic("vault.keys", minute, lambda: asyncio.to_thread(ctx.vault.destroy_old_keys)),
        Periodic("accounts.expired", hour, lambda: ctx.db.transact(rotate.delete_expired)),
        Periodic("limits.purge", minute, lambda: ctx.db.transact(_purge_limits)),
        Periodic("webhooks.purge", minute, lambda: ctx.db.transact(purge_webhooks)),
        Periodic("platform.sync", minute, lambda: ctx.db.transact(sender_sync.put_missing)),
        Periodic("media.purge", hour, lambda: ctx.db.transact(inbound_media.purge)),
        Periodic("media.sweep", hour, lambda: files.sweep(ctx)),
        Periodic("media.orphans", 6 * hour, lambda: remove_orphans(ctx)),
        Periodic("callbacks.purge", hour, lambda: ctx.db.transact(parked.purge)),
        Periodic("webhooks.adopt", hour, lambda: ctx.db.transact(feed.adopt)),
    ]


async def _purge_limits(tx: Tx) -> None:
    await sender_limits.purge(tx, await load_all_accounts(tx))
