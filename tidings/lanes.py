"""The lanes of a process: which items each one groups, and the function that processes a batch.

A caller awaits `ctx.lanes.<lane>.put(item)`; the function named here runs once for all items that
wait, in one transaction (`engine/lane.py`).
"""

from collections.abc import Hashable
from functools import partial

from tidings import limits
from tidings.context import Context
from tidings.engine.gate import Gate
from tidings.engine.lane import Lane
from tidings.engine.metrics.lane_meter import LaneMeter
from tidings.engine.queue import Job
from tidings.features.callbacks.ingest import Item, ingest
from tidings.features.feedback.sends.parse import FormRequest
from tidings.features.feedback.sends.send import AcceptedForm
from tidings.features.feedback.sends.send import send as send_forms
from tidings.features.messages.accept.accept import Accepted, accept_lane
from tidings.features.messages.model import Message, MessageRequest
from tidings.features.messages.send.dispatch import Outcome
from tidings.features.messages.send.outcome import record as record_outcomes
from tidings.features.webhooks import deliver, record
from tidings.features.webhooks.posting import Delivery
from tidings.platforms.whatsapp.account_updates import AccountUpdate

WEBHOOK_BATCHES_MAX = 64  # each item is itself a batch of deliveries to one destination


class Lanes:
    """The first four carry the product (ARCHITECTURE.md); the other two serve them."""

    def __init__(self, ctx: Context) -> None:
        size = limits.LANE_BATCH_MAX
        meter = partial(LaneMeter, ctx.metrics, ctx.clock)
        happened = Gate(limits.LANE_GATE_WAIT_MAX)  # for what is recorded after the fact
        # Requests -> messages and their jobs.
        self.accept: Lane[MessageRequest, Accepted] = Lane(
            partial(accept_lane, ctx),
            batch_max=size,
            owner=lambda request: request.account_id,
            extra_batches=1,
            meter=meter("accept"),
        )
        # Responses of the platform -> statuses and webhooks.
        self.outcome: Lane[Outcome, Message] = Lane(
            partial(record_outcomes, ctx),
            batch_max=size,
            owner=lambda sent: sent.claimed.account.id,
            extra_batches=1,
            gate=happened,
            meter=meter("outcome"),
        )
        # Callbacks of the platform -> statuses, replies and webhooks.
        self.ingest: Lane[Item, str] = Lane(
            partial(ingest, ctx),
            batch_max=size,
            owner=_callback_owner,
            gate=happened,
            meter=meter("ingest"),
        )
        # Responses of customers to webhooks -> attempts and the next due time.
        self.deliver: Lane[list[record.Outcome], None] = Lane(
            partial(record.record, ctx),
            batch_max=WEBHOOK_BATCHES_MAX,
            gate=happened,
            meter=meter("deliver"),
        )
        # Jobs -> the webhooks they are to post.
        self.load: Lane[list[Job], list[Delivery]] = Lane(
            partial(deliver.load, ctx), batch_max=WEBHOOK_BATCHES_MAX, meter=meter("load")
        )
        # Requests to send a form -> form sends and their messages.
        self.feedback: Lane[FormRequest, AcceptedForm] = Lane(
            partial(send_forms, ctx),
            batch_max=size,
            owner=lambda request: request.account_id,
            meter=meter("feedback"),
        )

    async def idle(self) -> None:
        """Wait until all are empty, in the order in which one feeds the next."""
        lanes = (self.accept, self.feedback, self.outcome, self.ingest, self.load, self.deliver)
        for lane in lanes:
            await lane.idle()


def _callback_owner(item: Item) -> Hashable:
    """The account, or the phone number where it is not yet known; account updates have neither."""
    if isinstance(item, tuple):
        return item[0]
    return None if isinstance(item, AccountUpdate) else item.phone_number_id
