"""Statuses are handled by the process that sent their messages, if that runs beside this one.

It knows whether the send is recorded, has the message in memory and knows the order of its
webhooks; any other process has to read all of that from the database. A status names the process in
the platform's opaque data (`messages/send/send_ids.py`). If that is gone or slow, the process that
received the callback handles the status: processing it twice has no effect.
"""

import asyncio
from collections.abc import Sequence

import msgspec

from tidings.context import Context
from tidings.features.messages.send.send_ids import process_of
from tidings.platforms.port import StatusUpdate
from tidings.platforms.whatsapp.callbacks import MessageCallback

from .ingest import Item
from .settled import ingest_settled

ANSWERED, UNANSWERED = "answered", "unanswered"  # in the metric


class _Status(msgspec.Struct, frozen=True, array_like=True):
    """A `MessageCallback` on its way to another process."""

    phone_number_id: str
    status: StatusUpdate
    raw: bytes


_encode = msgspec.msgpack.Encoder().encode
_decode_statuses = msgspec.msgpack.Decoder(list[_Status]).decode
_decode_results = msgspec.msgpack.Decoder(list[str | None]).decode


async def ingest_anywhere(ctx: Context, items: Sequence[Item]) -> list[str | BaseException]:
    """The results of the ingest lane, here or in another process, in order; durable."""
    elsewhere: dict[str, list[int]] = {}  # positions, by process
    for position, item in enumerate(items):
        if name := _process(ctx, item):
            elsewhere.setdefault(name, []).append(position)
    if not elsewhere:
        return await ingest_settled(ctx, items)
    results: list[str | BaseException | None] = [None] * len(items)
    asked = (_ask(ctx, name, [items[n] for n in found]) for name, found in elsewhere.items())
    for found, answers in zip(elsewhere.values(), await asyncio.gather(*asked), strict=True):
        for position, result in zip(found, answers, strict=True):
            results[position] = result
    here = [position for position, result in enumerate(results) if result is None]
    handled = iter(await ingest_settled(ctx, [items[n] for n in here]) if here else ())
    return [next(handled) if result is None else result for result in results]


def _process(ctx: Context, item: Item) -> str:
    """The name of the process to ask; empty: it is handled here."""
    if not isinstance(item, MessageCallback) or not isinstance(item.callback, StatusUpdate):
        return ""
    name = process_of(item.callback.send_id)
    return name if ctx.peers.may_ask(name) else ""


async def _ask(ctx: Context, name: str, items: Sequence[Item]) -> Sequence[str | None]:
    """None for those that this process has to handle itself."""
    statuses = [item for item in items if isinstance(item, MessageCallback)]
    body = _encode([(one.phone_number_id, one.callback, one.raw) for one in statuses])
    answer = await ctx.peers.ask(name, body)
    outcome = UNANSWERED if answer is None else ANSWERED
    ctx.metrics.callbacks_forwarded.labels(outcome).inc(len(items))
    return [None] * len(items) if answer is None else _decode_results(answer)


async def answer(ctx: Context, body: bytes) -> bytes:
    """For another process: what became of the statuses that it received."""
    statuses = _decode_statuses(body)
    items = [MessageCallback(one.phone_number_id, one.status, one.raw) for one in statuses]
    results = await ingest_settled(ctx, items)
    return _encode([result if isinstance(result, str) else None for result in results])
