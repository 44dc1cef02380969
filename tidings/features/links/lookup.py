"""Read access to links: one, a page of them, and the opens of one by day."""

from collections.abc import Sequence
from datetime import date
from uuid import UUID

from tidings.engine.db.order import Order
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError

from . import store
from .model import DayOpens, Link, LinkFilter, LinkKey
from .rules import LinkCode, is_code


async def load_link(tx: Tx, account_id: UUID, code: str) -> Link:
    """The account's link with this code; links of other accounts are not found."""
    link = await store.find(tx, account_id, code) if is_code(code) else None
    if link is None:
        problem = "the account has no link with this code; upper and lower case are different"
        raise ApiError(LinkCode.LINK_NOT_FOUND, problem)
    return link


async def load_page(
    tx: Tx,
    account_id: UUID,
    wanted: LinkFilter,
    before: LinkKey | None,
    size: int,
    order: Order = Order.NEWEST_FIRST,
) -> tuple[list[Link], LinkKey | None]:
    """A page, and the key to continue after; None on the last page."""
    found = await store.load_page(tx, account_id, wanted, before, size + 1, order)
    page = found[:size]
    return page, (page[-1].created_at, page[-1].code) if len(found) > size else None


async def load_days(tx: Tx, account_id: UUID, code: str, since: date) -> list[DayOpens]:
    """The opens of a link by day, the oldest first."""
    return (await store.load_days(tx, account_id, [code], since))[code]


async def load_days_of(
    tx: Tx, account_id: UUID, links: Sequence[Link], since: date
) -> dict[str, list[DayOpens]]:
    """The same of a page of links, by code."""
    return await store.load_days(tx, account_id, [link.code for link in links], since)
