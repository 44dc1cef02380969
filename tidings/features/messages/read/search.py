"""Search messages by an id that somebody has at hand, theirs or the platform's, or by a number."""

from uuid import UUID

from tidings.engine.db.order import Order
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account

from ..accept import idempotency_store
from ..model import Message
from . import listing, lookup_store
from .filters import Filter
from .listing import Listed


async def load_page(
    tx: Tx,
    account: Account,
    wanted: Filter,
    text: str,
    before: UUID | None,
    size: int,
    order: Order = Order.NEWEST_FIRST,
) -> Listed:
    """As `listing.load_page`, of what was searched for; all digits may be a number and an id, so
    the message with that id comes first. `text` is empty where nothing was."""
    if not text:
        return await listing.load_page(tx, account, wanted, before, size, order)
    named = await find_by_id(tx, account.id, text) if before is None else None
    found = Listed([], None)
    if wanted.to is not None:
        found = await listing.load_page(tx, account, wanted, before, size, order)
    if named is None or not _passes(named, wanted):
        return found
    others = [message for message in found.messages if message.id != named.id]
    return Listed([named, *others], found.before)


async def find_by_id(tx: Tx, account_id: UUID, text: str) -> Message | None:
    """The newest message with this clientMessageId, or the one that the platform calls so."""
    message = await idempotency_store.find_newest(tx, account_id, text)
    if message is not None:
        return message
    key = (account_id, text)
    return (await lookup_store.find_quoted(tx, [key])).get(key)


def _passes(message: Message, wanted: Filter) -> bool:
    """Whatever its number is."""
    return (
        (not wanted.statuses or message.status in wanted.statuses)
        and (wanted.kind in (None, message.kind))
        and (wanted.event_id in (None, message.event_id))
        and (wanted.batch_id in (None, message.batch_id))
        and (wanted.since is None or message.created_at >= wanted.since)
        and (wanted.until is None or message.created_at < wanted.until)
    )
