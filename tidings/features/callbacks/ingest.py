"""The work of the ingest lane: statuses, guests' messages and changes that the platform reports.

Callbacks of the sandbox arrive with their account (`AccountCallback`). Those of the live platform
name the sending number by its platform id and are routed to the account here; a callback about an
unknown number becomes a dead letter.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from uuid import UUID

from msgspec.structs import replace

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.features.media.inbound_files.files import record_files
from tidings.features.messages.state.changes import Overtaken
from tidings.features.messages.track.status_callbacks import StatusCallback, record_statuses
from tidings.features.replies import opt_outs
from tidings.features.replies.receive import receive as receive_replies
from tidings.features.senders import callback_routing
from tidings.features.senders.callback_routing import NumberOwner, find_number_owners
from tidings.platforms.port import Callback, InboundMessage, StatusUpdate
from tidings.platforms.whatsapp import callbacks
from tidings.platforms.whatsapp.account_updates import AccountUpdate
from tidings.platforms.whatsapp.callbacks import MarketingPreference

from . import dead_letters, platform_changes

AccountCallback = tuple[UUID, Callback]
Item = AccountCallback | callbacks.MessageCallback | MarketingPreference | AccountUpdate

UNROUTED = "unrouted"
EARLY = "early"  # about a message whose send is not recorded yet: to be put again
_OUTCOMES = {StatusUpdate: "status", InboundMessage: "inbound"}  # in the metric


@dataclass(slots=True)
class _Batch:
    """The items of one transaction, routed and sorted by kind."""

    callbacks: list[AccountCallback] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)  # of these callbacks, among the items
    may_wait: set[int] = field(default_factory=set)  # which of these callbacks
    preferences: list[tuple[UUID, MarketingPreference]] = field(default_factory=list)
    changes: list[AccountUpdate] = field(default_factory=list)
    rejected: list[dead_letters.NewDeadLetter] = field(default_factory=list)
    accounts: set[UUID] = field(default_factory=set)  # for which live callbacks arrived
    outcomes: list[str] = field(default_factory=list)  # of each item, in order, for the metric


async def ingest(ctx: Context, items: list[Item]) -> list[str | Exception]:
    """The work of `ctx.lanes.ingest`; the platform is answered once it has committed.

    Platform changes, preferences, statuses and replies lock different rows in different orders, so
    each kind has a transaction of its own. Replies come last: a reply to a message implies that the
    message arrived. Processing an item twice, after the lane retried half a batch, has no effect.

    Live callbacks about messages that another process is sending are `EARLY`.
    """
    outcomes: dict[int, str] = {}
    for kind in (AccountUpdate, MarketingPreference, StatusUpdate, InboundMessage):
        positions = [n for n, item in enumerate(items) if _kind(item) is kind]
        if positions:
            found = await _ingest(ctx, [items[n] for n in positions])
            outcomes |= dict(zip(positions, found, strict=True))
    return [outcomes[n] for n in range(len(items))]


def _kind(item: Item) -> type:
    if isinstance(item, AccountUpdate | MarketingPreference):
        return type(item)
    return type(item.callback if isinstance(item, callbacks.MessageCallback) else item[1])


async def _ingest(ctx: Context, items: list[Item]) -> list[str]:
    work = partial(_process, ctx, items=items)
    try:
        batch, marked = await ctx.db.transact(work)
    except Overtaken:
        batch, marked = await ctx.db.transact(partial(work, load_all=True))
    ctx.called.update(marked)
    for outcome in set(batch.outcomes) - {EARLY}:
        ctx.metrics.callbacks.labels(outcome).inc(batch.outcomes.count(outcome))
    return batch.outcomes


async def _process(
    ctx: Context, tx: Tx, items: Sequence[Item], *, load_all: bool = False
) -> tuple[_Batch, dict[UUID, datetime]]:
    batch = await _route_all(tx, items)
    if batch.changes:
        await platform_changes.apply(tx, batch.changes)
    if batch.preferences:
        await opt_outs.apply_preferences(tx, batch.preferences)
    if batch.callbacks:
        early = await apply(ctx, tx, batch.callbacks, load_all=load_all, may_wait=batch.may_wait)
        for position in early:
            batch.outcomes[batch.positions[position]] = EARLY
    await dead_letters.add(tx, batch.rejected)
    marked = (
        await callback_routing.record_callbacks(tx, batch.accounts, ctx.called)
        if batch.accounts
        else {}
    )
    return batch, marked


async def _route_all(tx: Tx, items: Sequence[Item]) -> _Batch:
    batch = _Batch()
    numbers = await _find_numbers(tx, items)
    for item in items:
        if isinstance(item, AccountUpdate):
            batch.changes.append(item)
            batch.outcomes.append("account_update")
        elif isinstance(item, callbacks.MessageCallback | MarketingPreference):
            _route(item, numbers.get(item.phone_number_id), batch, tx.now)
        else:
            batch.positions.append(len(batch.outcomes))
            batch.callbacks.append(item)
            batch.outcomes.append(_OUTCOMES[type(item[1])])
    return batch


async def _find_numbers(tx: Tx, items: Sequence[Item]) -> dict[str, NumberOwner]:
    phone_number_ids = {
        item.phone_number_id
        for item in items
        if isinstance(item, callbacks.MessageCallback | MarketingPreference)
    }
    if not phone_number_ids:
        return {}
    return await find_number_owners(tx, phone_number_ids)


def _route(
    item: callbacks.MessageCallback | MarketingPreference,
    number: NumberOwner | None,
    batch: _Batch,
    now: datetime,
) -> None:
    if number is None:
        batch.rejected.append((dead_letters.UNKNOWN_NUMBER, item.raw))
        batch.outcomes.append(UNROUTED)
        return
    batch.accounts.add(number.account_id)
    if isinstance(item, MarketingPreference):
        batch.preferences.append((number.account_id, item))
        batch.outcomes.append("preference")
        return
    batch.positions.append(len(batch.outcomes))
    if item.may_wait:
        batch.may_wait.add(len(batch.callbacks))
    batch.callbacks.append((number.account_id, _normalise(item.callback, number.number, now)))
    batch.outcomes.append(_OUTCOMES[type(item.callback)])


def _normalise(callback: Callback, number: str, now: datetime) -> Callback:
    """With our number in place of the platform's id. Times ahead of our clock are capped, because a
    message from the future would keep the conversation window open for too long."""
    at = min(callback.at, now)
    if isinstance(callback, InboundMessage):
        return replace(callback, sender=number, at=at)
    return callback if at == callback.at else replace(callback, at=at)


async def apply(
    ctx: Context,
    tx: Tx,
    received: Sequence[AccountCallback],
    *,
    load_all: bool = False,
    may_wait: Collection[int] = (),
) -> list[int]:
    """Statuses before replies: a reply to a message implies that the message arrived. `load_all`:
    also messages that this process has in memory. Returns the positions of statuses that have to
    come again; only those in `may_wait` do."""
    positions = [n for n, (_, one) in enumerate(received) if isinstance(one, StatusUpdate)]
    statuses = [
        StatusCallback(account, one, n in may_wait)
        for n, (account, one) in enumerate(received)
        if isinstance(one, StatusUpdate)
    ]
    early: set[int] = set()
    inbound = [(owner, one) for owner, one in received if isinstance(one, InboundMessage)]
    if statuses:
        early = await record_statuses(ctx, tx, statuses, load_all=load_all)
    if inbound:
        await record_files(tx, inbound)
        await receive_replies(ctx, tx, inbound)
    return [positions[n] for n in early]
