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


MOVING = ("queued", "sending")
WAITING = ("scheduled", "deferred", *MOVING)
COUNTED = ("sent", "delivered", "read", "failed", "expired", "cancelled")


def require_size(texts: int, media: int) -> None:
    for count, limit, words in (
        (texts, limits.BATCH_TEXT_MESSAGES_MAX, "text messages"),
        (media, limits.BATCH_MEDIA_MESSAGES_MAX, "media messages"),
    ):
        if count > limit:
            problem = (
                f"messages: at most {limit} {words} a batch, got {count}; send several batches"
            )
            raise ApiError(Code.BATCH_TOO_LARGE, problem, field="messages")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a batch has come. A message that was read was also delivered and sent."""

    total: int
    by_status: Mapping[str, int]

    @property
    def pending(self) -> int:
        return sum(self.by_status.get(status, 0) for status in WAITING)

    @property
    def left_us(self) -> int:
        return self.total - self.pending

    @property
    def percent(self) -> int:
        return 100 if self.total == 0 else 100 * self.left_us // self.total

    @property
    def is_moving(self) -> bool:
        """Whether something is on its way, or has its turn in a number's queue."""
        return any(self.by_status.get(status, 0) for status in MOVING)

    def has_news(self, published_percent: int) -> bool:
        """Whether progress is worth publishing after a minute: something moves, or was sent since
        the last time. In a large batch that may be less than a percent: better once too often.
        """
        small = self.total > 100 and self.left_us > 0
        return self.is_moving or self.percent > published_percent or small

    @property
    def is_complete(self) -> bool:
        return self.pending == 0


@dataclass(frozen=True, slots=True)
class Nothing:
    pass


@dataclass(frozen=True, slots=True)
class PublishProgress:
    pass


@dataclass(frozen=True, slots=True)
class PublishCompleted:
    pass


def decide_news(
    progress: Progress, *, published_percent: int, published_at: datetime, now: datetime
) -> Nothing | PublishProgress | PublishCompleted:
    """Every 5 percent or 60 seconds, these only while it goes on; completion once."""
    if progress.is_complete:
        return PublishCompleted()
    step = limits.BATCH_PROGRESS_STEP_PERCENT
    if progress.percent // step > published_percent // step:
        return PublishProgress()
    is_time = now - published_at >= limits.BATCH_PROGRESS_INTERVAL
    if is_time and progress.has_news(published_percent):
        return PublishProgress()
    return Nothing()
