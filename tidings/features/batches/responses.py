"""The responses about batches: bulk result (2.4), cancellation (4.9), status. Pure."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings import ids, times
from tidings.features.accounts.model import Account
from tidings.features.accounts.send_window import next_open
from tidings.features.messages.model import Message, Reason, Status
from tidings.features.messages.read.responses import Cost
from tidings.features.messages.track import batches

from .parse import RejectedItem
from .rules import Progress
from .store import Batch
from .submit import BatchOutcome, Duplicate


class Named(msgspec.Struct, rename="camel"):
    client_message_id: str


class DuplicateItem(msgspec.Struct, rename="camel"):
    client_message_id: str
    mismatch: (
        Annotated[Literal["to"], Meta(description="The original went to another number.")]
        | UnsetType
    ) = UNSET


class Held(msgspec.Struct, rename="camel"):
    client_message_id: str
    reason: str
    until: str | None


class AtRisk(msgspec.Struct, rename="camel"):
    client_message_id: str
    reason: str
    estimated_at: str | None
    deadline: str


class BulkResult(msgspec.Struct, rename="camel"):
    """2.4; `cost` only with X-Dry-Run."""

    batch_id: str | None
    batch_name: str
    event_id: str | None
    total: int
    accepted: list[Named]
    held: list[Held]
    at_risk: list[AtRisk]
    rejected: list[RejectedItem]
    duplicates: list[DuplicateItem]
    estimated_completion_at: str | None
    cost: Cost | UnsetType = UNSET


class Cancelled(msgspec.Struct, rename="camel"):
    batch_id: str
    cancelled: int
    in_flight: int
    already_sent: int
    refunded: int


class BatchStatus(msgspec.Struct, rename="camel"):
    """A batch and how far it is."""

    batch_id: str
    batch_name: str
    created_at: str
    state: Annotated[
        Literal["running", "completed", "cancelled"],
        Meta(description="cancelled: nothing is pending, and some of it was cancelled."),
    ]
    total: Annotated[int, Meta(description="Items that were given.")]
    accepted: Annotated[int, Meta(description="How many were accepted.")]
    rejected: Annotated[int, Meta(description="How many were refused.")]
    duplicates: Annotated[int, Meta(description="How many had an id that was used before.")]
    counts: Annotated[
        dict[Status, int], Meta(description="The accepted messages, by their status now.")
    ]
    percent: Annotated[int, Meta(ge=0, le=100, description="Of the accepted that have left us.")]
    estimated_completion_at: str | None
    completed_at: Annotated[str | None, Meta(description="When the last one left us.")]


def batch_status(batch: Batch, progress: Progress, now: datetime) -> BatchStatus:
    """An estimate that has passed says nothing any more."""
    estimate = batch.estimated_at
    if batch.completed_at is None and estimate is not None and estimate < now:
        estimate = None
    return BatchStatus(
        batch_id=ids.batch_ref(batch.id),
        batch_name=batch.name,
        created_at=times.to_wire(batch.created_at),
        state=state_of(batch, progress),
        total=progress.total + batch.rejected + batch.duplicates,
        accepted=batch.total,
        rejected=batch.rejected,
        duplicates=batch.duplicates,
        counts={status: progress.by_status.get(status, 0) for status in Status},
        percent=progress.percent,
        estimated_completion_at=times.to_wire_or_none(estimate),
        completed_at=times.to_wire_or_none(batch.completed_at),
    )


def state_of(batch: Batch, progress: Progress) -> Literal["running", "completed", "cancelled"]:
    if batch.completed_at is None:
        return "running"
    return "cancelled" if progress.by_status.get(Status.CANCELLED) else "completed"


def bulk_result(outcome: BatchOutcome) -> BulkResult:
    """`held` and `at_risk` are the accepted items that wait, or may miss their deadline."""
    batch, estimates, accepted = outcome.batch, outcome.estimates, outcome.accepted
    return BulkResult(
        batch_id=ids.batch_ref(batch.id),
        batch_name=batch.name,
        event_id=batch.event_id,
        total=outcome.total,
        accepted=[Named(message.client_message_id) for message in accepted],
        held=[_held(message) for message in accepted if message.status is Status.DEFERRED],
        at_risk=[
            _at_risk(outcome.account, message, message.send_by, estimates[message.id])
            for message in accepted
            if message.send_by is not None and _is_late(message.send_by, estimates[message.id])
        ],
        rejected=outcome.rejected,
        duplicates=[_duplicate(item) for item in outcome.duplicates],
        estimated_completion_at=times.to_wire_or_none(batch.estimated_at),
    )


def preview(outcome: BatchOutcome, cost: Cost) -> BulkResult:
    """The result of a dry run: no batch id, and the cost is added."""
    result = bulk_result(outcome)
    result.batch_id, result.cost = None, cost
    return result


def cancelled(batch_id: UUID, counts: Mapping[str, int]) -> Cancelled:
    """`counts`: the messages of the batch by status."""
    return Cancelled(
        batch_id=ids.batch_ref(batch_id),
        cancelled=counts.get("cancelled", 0),
        in_flight=counts.get(batches.IN_FLIGHT, 0),
        already_sent=sum(counts.get(status, 0) for status in batches.SENT),
        refunded=counts.get("cancelled", 0),
    )


def _held(message: Message) -> Held:
    assert message.reason is not None, "a deferred message has a reason"
    return Held(message.client_message_id, message.reason, times.to_wire_or_none(message.retry_at))


def _at_risk(
    account: Account, message: Message, send_by: datetime, estimate: datetime | None
) -> AtRisk:
    return AtRisk(
        client_message_id=message.client_message_id,
        reason=message.reason or _reason(account, message, estimate),
        estimated_at=times.to_wire_or_none(estimate),
        deadline=times.to_wire(send_by),
    )


def _is_late(send_by: datetime, estimate: datetime | None) -> bool:
    return estimate is None or estimate >= send_by


def _duplicate(duplicate: Duplicate) -> DuplicateItem:
    return DuplicateItem(duplicate.client_message_id, "to" if duplicate.mismatch else UNSET)


def _reason(account: Account, message: Message, estimate: datetime | None) -> Reason:
    """Why a message that is not deferred yet may be late."""
    if not account.may_send:
        return Reason.SENDING_PAUSED
    if estimate is None:
        return Reason.NUMBER_UNHEALTHY
    window, due = account.send_window, message.scheduled_for
    if window is not None and due is not None and next_open(window, due) > due:
        return Reason.SEND_WINDOW
    return Reason.NUMBER_LIMIT  # the rate of its number
