"""The ingest lane: everything the platform tells us, in one grouped transaction.

The sandbox's callbacks come with their account (`Told`); those of the live platform name a number
by its id there, and are routed here. What is about a number that is none of ours is put aside.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from msgspec.structs import replace

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.media.inbound import keep as keep_media
from tidings.features.messages.track.status_callbacks import StatusCallback, record_statuses
from tidings.features.senders import callback_routing
from tidings.features.senders.callback_routing import NumberOwner, find_number_owners
from tidings.platforms.port import Callback, InboundMessage, StatusUpdate
from tidings.platforms.whatsapp import callbacks
from tidings.platforms.whatsapp.account_updates import AccountUpdate
from tidings.platforms.whatsapp.callbacks import MarketingPreference

from . import news, parked, preferences
from .receive import receive

Told = tuple[UUID, Callback]  # whose it is, and what it says
Item = Told | callbacks.MessageCallback | MarketingPreference | AccountUpdate

UNROUTED = "unrouted"


@dataclass(slots=True)
class _Heard:
    """One batch, sorted out."""

    told: list[Told] = field(default_factory=list)
    wishes: list[tuple[UUID, MarketingPreference]] = field(default_factory=list)
    news: list[AccountUpdate] = field(default_factory=list)
    aside: list[parked.Piece] = field(default_factory=list)
    called: set[UUID] = field(default_factory=set)  # accounts whose callbacks reached us
    outcomes: list[str] = field(default_factory=list)  # for the counts, in the order of the items


async def ingest(ctx: Context, items: list[Item]) -> list[str | Exception]:
    """The work of the lane; the platform is answered once it has committed.

    News, wishes, statuses and replies lock other rows, in another order: each kind has transactions
    of its own, replies last, because an answer presupposes that its question arrived. A batch that
    is taken twice, because its second half failed, does no harm.
    """
    outcomes: dict[int, str] = {}
    for phase in (AccountUpdate, MarketingPreference, StatusUpdate, InboundMessage):
        places = [n for n, item in enumerate(items) if _phase(item) is phase]
        if places:
            found = await _ingest(ctx, [items[n] for n in places])
            outcomes |= dict(zip(places, found, strict=True))
    return [outcomes[n] for n in range(len(items))]


def _phase(item: Item) -> type:
    if isinstance(item, AccountUpdate | MarketingPreference):
        return type(item)
    return type(item.callback if isinstance(item, callbacks.MessageCallback) else item[1])


async def _ingest(ctx: Context, items: list[Item]) -> list[str]:
    heard, marked = await ctx.db.transact(lambda tx: _take(ctx, tx, items))
    ctx.called.update(marked)
    for outcome in set(heard.outcomes):
        ctx.metrics.callbacks.labels(outcome).inc(heard.outcomes.count(outcome))
    return heard.outcomes


async def _take(ctx: Context, tx: Tx, items: Sequence[Item]) -> tuple[_Heard, dict[UUID, datetime]]:
    heard = await _sort(tx, items)
    if heard.news:
        await news.learn(tx, heard.news)
    if heard.wishes:
        await preferences.heed(tx, heard.wishes)
    if heard.told:
        await apply(ctx, tx, heard.told)
    await parked.park(tx, heard.aside)
    marked = (
        await callback_routing.record_callbacks(tx, heard.called, ctx.called)
        if heard.called
        else {}
    )
    return heard, marked


async def _sort(tx: Tx, items: Sequence[Item]) -> _Heard:
    heard = _Heard()
    lines = await _lines(tx, items)
    for item in items:
        if isinstance(item, AccountUpdate):
            heard.news.append(item)
            heard.outcomes.append("news")
        elif isinstance(item, callbacks.MessageCallback | MarketingPreference):
            _route(item, lines.get(item.phone_number_id), heard, tx.now)
        else:
            heard.told.append(item)
            heard.outcomes.append(type(item[1]).__name__.lower())
    return heard


async def _lines(tx: Tx, items: Sequence[Item]) -> dict[str, NumberOwner]:
    asked = {
        item.phone_number_id
        for item in items
        if isinstance(item, callbacks.MessageCallback | MarketingPreference)
    }
    if not asked:
        return {}
    await load_accounts(tx, [])  # tells the version, and so what is remembered still
    return await find_number_owners(tx, asked)


def _route(
    item: callbacks.MessageCallback | MarketingPreference,
    line: NumberOwner | None,
    heard: _Heard,
    now: datetime,
) -> None:
    if line is None:
        heard.aside.append((parked.UNKNOWN_NUMBER, item.raw))
        heard.outcomes.append(UNROUTED)
        return
    heard.called.add(line.account_id)
    if isinstance(item, MarketingPreference):
        heard.wishes.append((line.account_id, item))
        heard.outcomes.append("preference")
        return
    heard.told.append((line.account_id, _settled(item.callback, line.number, now)))
    heard.outcomes.append(type(item.callback).__name__.lower())


def _settled(callback: Callback, number: str, now: datetime) -> Callback:
    """With our number in it. A clock ahead of ours would keep a window open for too long."""
    at = min(callback.at, now)
    if isinstance(callback, InboundMessage):
        return replace(callback, sender=number, at=at)
    return callback if at == callback.at else replace(callback, at=at)


async def apply(ctx: Context, tx: Tx, told: Sequence[Told]) -> None:
    """Statuses before replies: an answer presupposes that its question arrived."""
    reports = [
        StatusCallback(account, item) for account, item in told if isinstance(item, StatusUpdate)
    ]
    inbound = [(account, item) for account, item in told if isinstance(item, InboundMessage)]
    if reports:
        await record_statuses(ctx, tx, reports)
    if inbound:
        await keep_media(tx, inbound)
        await receive(ctx, tx, inbound)
