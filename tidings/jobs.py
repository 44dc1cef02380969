"""Every kind of job, the pools of workers that run them, and every periodic task, as tables."""

import asyncio
from datetime import timedelta
from functools import partial

from tidings import limits
from tidings.context import Context
from tidings.engine.db.statistics import refresh
from tidings.engine.db.tx import Tx
from tidings.engine.periodic import Periodic
from tidings.engine.worker import Kind, Pool
from tidings.features.accounts import rotate
from tidings.features.accounts.directory import load_all_accounts
from tidings.features.batches import progress as batch_progress
from tidings.features.messages import batching, dispatch, expire, intent, outcome, timeouts
from tidings.features.sandbox import play
from tidings.features.senders import purge as sender_limits
from tidings.features.webhooks import deliver, publish
from tidings.features.webhooks.publish import purge as purge_webhooks

POOLS = (
    Pool(dispatch.PASSCODES, slots=limits.OTP_SLOTS, group=limits.OTP_GROUP),
    Pool(dispatch.POOL, slots=limits.SEND_SLOTS, group=limits.SEND_GROUP),
    Pool(outcome.TIMERS, slots=limits.TIMER_SLOTS, group=limits.QUEUE_CLAIM_MAX),
    Pool(publish.POOL, slots=limits.WEBHOOK_SLOTS, group=16),
)


def kinds(ctx: Context) -> dict[str, Kind]:
    return {
        dispatch.SEND: Kind(partial(intent.run, ctx), poison=partial(intent.poison, ctx)),
        timeouts.TIMEOUT: Kind(partial(expire.run, ctx)),
        batching.MOVED: Kind(partial(batch_progress.run, ctx)),
        outcome.PLAY: Kind(partial(play.run, ctx)),
        publish.DELIVER: Kind(partial(deliver.run, ctx)),
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
    ]


async def _purge_limits(tx: Tx) -> None:
    await sender_limits.purge(tx, await load_all_accounts(tx))
