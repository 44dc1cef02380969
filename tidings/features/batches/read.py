"""Read batches back: GET /batches and GET /batches/{batchId} (contract2.md D)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from tidings.engine.db.order import Order
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.messages.track import batches

from . import store
from .rules import Progress
from .store import Batch

__all__ = ["Batch", "Listed", "load", "load_page", "progress_of", "unknown"]

COUNTED_MAX = 20_000  # messages that a page counts: a page of large batches ends early


@dataclass(frozen=True, slots=True)
class Listed:
    """A page: its batches in their order, and where the next begins; None: there is none."""

    batches: Sequence[tuple[Batch, Progress]]
    before: UUID | None


async def load_page(
    tx: Tx,
    account_id: UUID,
    before: UUID | None,
    size: int,
    order: Order = Order.NEWEST_FIRST,
) -> Listed:
    """`before`: the last one of the previous page, in this order."""
    found = await store.find_page(tx, account_id, before, size + 1, order)
    page = _countable(found[:size])
    counts = await batches.count_all(tx, account_id, [batch.id for batch in page])
    shown = [(batch, progress_of(batch, counts.get(batch.id, {}))) for batch in page]
    return Listed(shown, page[-1].id if len(found) > len(page) else None)


def _countable(found: Sequence[Batch]) -> Sequence[Batch]:
    """At least one, and no more than can be counted quickly."""
    total = 0
    for index, batch in enumerate(found):
        total += batch.total
        if index and total > COUNTED_MAX:
            return found[:index]
    return found


async def load(tx: Tx, account_id: UUID, batch_id: UUID | None) -> tuple[Batch, Progress]:
    batch = None if batch_id is None else await store.find(tx, account_id, batch_id)
    if batch is None:
        raise unknown()
    return batch, progress_of(batch, await batches.count(tx, account_id, batch.id))


def unknown() -> ApiError:
    return ApiError(Code.NOT_FOUND, "the account has no batch with this batchId")


def progress_of(batch: Batch, counts: Mapping[str, int]) -> Progress:
    return Progress(batch.total + batch.to_come, counts, batch.to_come)
