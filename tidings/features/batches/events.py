"""The events of a batch: batch.progress and batch.completed (6.2). Pure."""

from typing import Annotated

from msgspec import Meta

from tidings import ids
from tidings.features.webhooks.event_kinds import EventData, EventKind

from .rules import COUNTED, Progress
from .store import Batch


class BatchProgressData(EventData, kw_only=True):
    """How many messages of a batch have reached each status."""

    batch_id: str
    batch_name: str | None
    total: int
    sent: Annotated[int, Meta(description="Those delivered and read included.")]
    delivered: Annotated[int, Meta(description="Those read included.")]
    read: int
    failed: int
    expired: int
    cancelled: int
    pending: int
    percent: Annotated[int, Meta(ge=0, le=100, description="Of all that have left us.")]


def progress_data(batch: Batch, progress: Progress) -> BatchProgressData:
    reached = {name: progress.by_status.get(name, 0) for name in COUNTED}
    reached["delivered"] += reached["read"]
    reached["sent"] += reached["delivered"]
    return BatchProgressData(
        batch_id=ids.batch_ref(batch.id),
        batch_name=batch.name,
        total=progress.total,
        **reached,
        pending=progress.pending,
        percent=progress.percent,
    )


def _example(percent: int) -> BatchProgressData:
    return BatchProgressData(
        batch_id="bat_00000000000070008000000000000000",
        batch_name="Example",
        total=100,
        sent=percent,
        delivered=percent - 2,
        read=percent // 2,
        failed=0,
        expired=0,
        cancelled=0,
        pending=100 - percent,
        percent=percent,
    )


PROGRESS = EventKind(
    "batch.progress",
    "A batch is under way: every 5% or 60 seconds.",
    BatchProgressData,
    _example(45),
)
COMPLETED = EventKind(
    "batch.completed", "All of a batch have left us: once.", BatchProgressData, _example(100)
)
KINDS = (PROGRESS, COMPLETED)
