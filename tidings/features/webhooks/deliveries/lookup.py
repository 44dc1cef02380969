"""What became of an account's events: a page of them, those that failed, or one in full."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tidings import times
from tidings.engine.db.order import Order
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts import credentials
from tidings.secrets import Sealer

from .. import rules
from . import store
from .store import Delivery, Position

__all__ = ["Delivery", "Position", "Posting", "load_delivery", "load_failed", "load_page"]


@dataclass(frozen=True, slots=True)
class Posting:
    """An event with its body and the headers of its last post; without a post, of one now.
    `is_resigned`: the secret was changed since, so the signatures are others than were sent."""

    delivery: Delivery
    body: bytes
    headers: dict[str, str]
    is_resigned: bool

    def next_at(self) -> datetime | None:
        """When the next attempt follows the last one, in the account's time."""
        last = self.delivery.last
        if last is None or self.delivery.state != "pending" or last.cycle != self.delivery.cycle:
            return None
        verdict = rules.after_attempt(last.attempt, succeeded=False, now=times.parse(last.at))
        return verdict.timestamp if isinstance(verdict, rules.RetryAt) else None


async def load_page(
    tx: Tx,
    account_id: UUID,
    before: Position | None,
    limit: int,
    order: Order = Order.NEWEST_FIRST,
) -> list[Delivery]:
    return await store.load_page(tx, account_id, before, limit, order)


async def load_failed(
    tx: Tx,
    account_id: UUID,
    before: tuple[datetime, str] | None,
    limit: int,
    order: Order = Order.NEWEST_FIRST,
) -> list[Delivery]:
    return await store.load_failed(tx, account_id, before, limit, order)


async def load_delivery(tx: Tx, sealer: Sealer, account_id: UUID, webhook_id: str) -> Posting:
    found = await store.find(tx, account_id, webhook_id)
    if found is None:
        raise ApiError(Code.NOT_FOUND)
    delivery, body = found
    current, previous = (await credentials.signing_secrets(tx, sealer, [account_id]))[account_id]
    since = (await credentials.load_rotation(tx, account_id)).since
    last = delivery.last
    timestamp = last.timestamp if last is not None else None
    headers = rules.signed_headers(
        delivery.id,
        body,
        attempt=1 if last is None else last.attempt,
        timestamp=int(tx.now.timestamp()) if timestamp is None else timestamp,
        secret=current.reveal(),
        previous=previous.reveal() if previous else None,
    )
    is_resigned = timestamp is not None and since is not None and timestamp < since.timestamp()
    return Posting(delivery, body, headers, is_resigned)
