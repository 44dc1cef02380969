"""The bulk result (2.4) on the wire, and the finish time nobody should have to take back. Pure."""

from datetime import datetime

from tidings import ids
from tidings.features.messages.model import Message
from tidings.features.messages.present import wire
from tidings.features.messages.states import Status

from . import rules
from .parse import Rejected
from .submit import Submitted


def bulk_result(submitted: Submitted) -> dict[str, object]:
    """`held` and `atRisk` are the part of `accepted` that waits, or may miss its deadline."""
    batch, now = submitted.batch, submitted.now
    return {
        "batchId": ids.batch_ref(batch.id),
        "batchName": batch.name,
        "eventId": batch.event_id,
        "total": submitted.total,
        "accepted": [{"clientMessageId": m.client_message_id} for m in submitted.accepted],
        "held": [_held(m) for m in submitted.accepted if m.status is Status.DEFERRED],
        "atRisk": [_at_risk(m, now) for m in submitted.accepted if _is_at_risk(m, now)],
        "rejected": [_rejected(item) for item in submitted.rejected],
        "duplicates": [{"clientMessageId": cid} for cid in submitted.duplicates],
        "estimatedCompletionAt": wire(finish_estimate(submitted)),
    }


def _held(message: Message) -> dict[str, object]:
    return {
        "clientMessageId": message.client_message_id,
        "reason": message.reason,
        "until": wire(message.retry_at),
    }


def _at_risk(message: Message, now: datetime) -> dict[str, object]:
    return {
        "clientMessageId": message.client_message_id,
        "reason": message.reason or "QUEUE",
        "estimatedAt": wire(_estimate(message, now)),
        "deadline": wire(message.deadline),
    }


def _is_at_risk(message: Message, now: datetime) -> bool:
    if message.deadline is None:
        return False
    estimate = _estimate(message, now)
    return estimate is None or estimate >= message.deadline


def _rejected(rejected: Rejected) -> dict[str, object]:
    return {
        "index": rejected.index,
        "clientMessageId": rejected.client_message_id,
        "code": rejected.code,
        "message": rejected.message,
    }


def _estimate(message: Message, now: datetime) -> datetime | None:
    """When it will have gone at the latest, as far as anybody can tell; None where nobody can."""
    waits = {
        Status.SCHEDULED: message.scheduled_for,
        Status.DEFERRED: message.retry_at,
        Status.QUEUED: message.planned_at,
    }
    planned = waits.get(message.status)
    return None if planned is None else rules.conservative(now, planned)


def finish_estimate(submitted: Submitted) -> datetime | None:
    estimates = [_estimate(message, submitted.now) for message in submitted.accepted]
    known = [estimate for estimate in estimates if estimate is not None]
    if len(known) < len(estimates):
        return None  # something waits for a person: unpausing, a healthy number
    return max(known, default=submitted.now)
