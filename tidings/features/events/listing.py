"""Registered events with their counts: one, or a page of the account's. Changes nothing."""

from datetime import datetime

import msgspec

from tidings.engine.db.order import Order
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account

from . import counting, store
from .lookup import unknown_event
from .model import Counts, Event, Figures


class Counted(msgspec.Struct, frozen=True):
    event: Event
    figures: Figures

    @property
    def counts(self) -> Counts:
        return self.figures.counts


class EventPage(msgspec.Struct, frozen=True):
    events: list[Counted]
    following: tuple[datetime, str] | None  # where the next page begins; None: there is none


async def load_event(tx: Tx, account: Account, event_id: str) -> Counted:
    found = (await store.load(tx, [(account.id, event_id)])).get((account.id, event_id))
    if found is None:
        raise unknown_event()
    figures = await counting.load_figures(tx, account, [event_id])
    return Counted(found, figures[event_id])


async def load_page(
    tx: Tx,
    account: Account,
    before: tuple[datetime, str] | None,
    size: int,
    order: Order = Order.NEWEST_FIRST,
) -> EventPage:
    """`before`: the last one of the previous page, in this order."""
    found = await store.load_page(tx, account.id, before, size + 1, order)
    page = found[:size]
    figures = await counting.load_figures(tx, account, [one.event_id for one in page])
    following = (page[-1].created_at, page[-1].event_id) if len(found) > size else None
    return EventPage([Counted(one, figures[one.event_id]) for one in page], following)
