"""The size of a batch, when to publish progress, when it is complete (4.3, 6.2). Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from tidings import limits
from tidings.errors import ApiError, Code, ErrorCode


class BatchCode(ErrorCode):
    """The error codes of batches (section 7)."""

    FIELD_NOT_ALLOWED_IN_BULK = (
        400,
        "a message's field stands on the batch envelope",
        "Move the field into each item of messages.",
    )


IN_PROGRESS = ("queued", "sending")
WAITING = ("scheduled", "deferred", *IN_PROGRESS)
COUNTED = ("sent", "delivered", "read", "failed", "expired", "cancelled")


def require_size(texts: int, media: int) -> None:
    for count, limit, name in (
        (texts, limits.BATCH_TEXT_MESSAGES_MAX, "text messages"),
        (media, limits.BATCH_MEDIA_MESSAGES_MAX, "media messages"),
    ):
        if count > limit:
            problem = f"messages: at most {limit} {name} a batch, got {count}; send several batches"
            raise ApiError(Code.BATCH_TOO_LARGE, problem, field="messages")


@dataclass(frozen=True, slots=True)
class Progress:
    """The counts of a batch by status. A message that was read was also delivered and sent."""

    total: int
    by_status: Mapping[str, int]
    to_come: int = 0  # of the total: rows of an upload that are still to be accepted

    @property
    def pending(self) -> int:
        return self.to_come + sum(self.by_status.get(status, 0) for status in WAITING)

    @property
    def processed(self) -> int:
        return self.total - self.pending

    @property
    def percent(self) -> int:
        return 100 if self.total == 0 else 100 * self.processed // self.total

    @property
    def in_progress(self) -> bool:
        """Whether a message is being sent, or has a slot in a number's queue."""
        return any(self.by_status.get(status, 0) for status in IN_PROGRESS)

    def should_publish(self, published_percent: int) -> bool:
        """Whether to publish after a minute: messages are in progress, or were processed since the
        last time. In a large batch a change may be below one percent, so it is always assumed.
        """
        may_have_changed = self.total > 100 and self.processed > 0
        return self.in_progress or self.percent > published_percent or may_have_changed

    @property
    def is_complete(self) -> bool:
        return self.pending == 0


@dataclass(frozen=True, slots=True)
class NoPublication:
    pass


@dataclass(frozen=True, slots=True)
class PublishProgress:
    pass


@dataclass(frozen=True, slots=True)
class PublishCompleted:
    pass


def decide_publication(
    progress: Progress, *, published_percent: int, published_at: datetime, now: datetime
) -> NoPublication | PublishProgress | PublishCompleted:
    """Every 5 percent, or every 60 seconds while there is progress; completion once."""
    if progress.is_complete:
        return PublishCompleted()
    step = limits.BATCH_PROGRESS_STEP_PERCENT
    if progress.percent // step > published_percent // step:
        return PublishProgress()
    is_time = now - published_at >= limits.BATCH_PROGRESS_INTERVAL
    if is_time and progress.should_publish(published_percent):
        return PublishProgress()
    return NoPublication()
