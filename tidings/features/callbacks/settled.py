"""Callbacks go into the ingest lane after the record of the send that they are about, wherever it
is sent: in this process, or in another one that will write it to the database."""

import asyncio
from collections.abc import Iterable, Sequence
from uuid import UUID

from msgspec.structs import replace

from tidings import limits
from tidings.context import Context
from tidings.features.messages.send.send_ids import own_id
from tidings.platforms.port import StatusUpdate
from tidings.platforms.whatsapp.callbacks import MessageCallback

from .ingest import EARLY, Item


async def ingest_settled(ctx: Context, items: Sequence[Item]) -> list[str | BaseException]:
    """The results of the lane, in order; durable."""
    await ctx.sends.settled(messages_of(items), limits.OUTCOME_WAIT_MAX)
    results = await ctx.lanes.ingest.put_each(items)
    for left in reversed(range(limits.OUTCOME_RECHECKS_MAX)):
        early = [n for n, result in enumerate(results) if result == EARLY]
        if not early:
            break
        await asyncio.sleep(limits.OUTCOME_RECHECK.total_seconds())
        again = [items[n] if left else _without_waiting(items[n]) for n in early]
        for n, result in zip(early, await ctx.lanes.ingest.put_each(again), strict=True):
            results[n] = result
    return results


def _without_waiting(item: Item) -> Item:
    """The send was not recorded in time: its process has probably crashed."""
    assert isinstance(item, MessageCallback), "only these are early"
    return replace(item, may_wait=False)


def messages_of(items: Iterable[Item]) -> list[UUID]:
    """The messages that statuses among these are about, where they carry our own id."""
    callbacks = [item.callback for item in items if isinstance(item, MessageCallback)]
    found = [own_id(one.send_id) for one in callbacks if isinstance(one, StatusUpdate)]
    return [message_id for message_id in found if message_id is not None]
