"""Every kind of job, and the pools of workers that run them, as one table."""

from functools import partial

from tidings import limits
from tidings.context import Context
from tidings.engine.worker import Kind, Pool
from tidings.features.batches import progress as batch_progress
from tidings.features.messages import batching, dispatch, intent, outcome, timeouts
from tidings.features.sandbox import play
from tidings.features.webhooks import deliver, publish

POOLS = (
    Pool(dispatch.PASSCODES, slots=limits.OTP_SLOTS, group=limits.OTP_GROUP),
    Pool(dispatch.POOL, slots=limits.SEND_SLOTS, group=limits.SEND_GROUP),
    Pool(outcome.TIMERS, slots=limits.TIMER_SLOTS, group=limits.QUEUE_CLAIM_MAX),
    Pool(publish.POOL, slots=limits.WEBHOOK_SLOTS, group=16),
)


def kinds(ctx: Context) -> dict[str, Kind]:
    return {
        dispatch.SEND: Kind(partial(intent.run, ctx)),
        batching.MOVED: Kind(partial(batch_progress.run, ctx)),
        timeouts.TIMEOUT: Kind(partial(timeouts.run, ctx)),
        outcome.PLAY: Kind(partial(play.run, ctx)),
        publish.DELIVER: Kind(partial(deliver.run, ctx)),
    }
