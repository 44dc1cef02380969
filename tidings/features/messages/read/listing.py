"""List messages, newest first: GET /messages (contract2.md D).

A list follows one index, chosen by the filters, in the order of ids, which is the order of time;
the other filters let rows through or not. So that no filter reads a whole account, a page looks at
WINDOW rows at most: it may end early, or be empty, and its cursor leads on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from tidings import ids
from tidings.engine.db.order import Order
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.features.events import invitations
from tidings.features.events.model import Invitation

from ..model import Message, MessageKind
from ..state import side_effects
from . import list_store, responses
from .filters import Filter
from .responses import MessageItem

WINDOW = 10_000  # rows that a page looks at
# An id is made in the transaction that creates the message, a little after its timestamp.
SLACK = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Listed:
    """A page: its messages in their order, and where the next one begins; None: there is none."""

    messages: Sequence[Message]
    before: UUID | None


async def load_page(
    tx: Tx,
    account: Account,
    wanted: Filter,
    before: UUID | None,
    size: int,
    order: Order = Order.NEWEST_FIRST,
) -> Listed:
    """`before`: the last one that the previous page looked at, in this order."""
    span = _span(account, wanted, before, order)
    await list_store.order_by_index(tx)
    found = await list_store.find(tx, account.id, wanted, span, WINDOW, size + 1)
    if len(found) > size:
        return Listed(found[:size], found[size - 1].id)
    return Listed(found, await list_store.find_end(tx, account.id, wanted, span, WINDOW))


def _span(account: Account, wanted: Filter, before: UUID | None, order: Order) -> list_store.Span:
    """Ids hold real time; a sandbox account's own time is ahead of it by its clock at most."""
    low, high = ids.FIRST_ID, ids.LAST_ID
    if wanted.since is not None:
        low = ids.first_id(wanted.since - account.clock - SLACK)
    if wanted.until is not None:
        high = ids.first_id(wanted.until + SLACK)
    if before is not None and order is Order.NEWEST_FIRST:
        high = min(high, before)
    elif before is not None and before < ids.LAST_ID:
        low = max(low, UUID(int=before.int + 1))
    return list_store.Span(low, high, order)


async def items(tx: Tx, account: Account, messages: Sequence[Message]) -> list[MessageItem]:
    """As GET /messages shows them."""
    invited = [message for message in messages if message.kind == MessageKind.INVITATION]
    found = await invitations.find_all(tx, [(account.id, message.id) for message in invited])
    now = account.now(tx.now)
    return [responses.item(message, _invitation(message, found), now) for message in messages]


def _invitation(message: Message, found: dict[invitations.Key, Invitation]) -> Invitation | None:
    if message.kind != MessageKind.INVITATION or message.expires_at is None:
        return None
    kept = found.get((message.account_id, message.id))
    return kept or side_effects.invitation(message, message.expires_at)
