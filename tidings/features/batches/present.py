"""The bulk result (2.4) on the wire. Pure."""

from datetime import datetime

from tidings import ids
from tidings.features.accounts.model import Account
from tidings.features.messages.model import Message, Reason, Status
from tidings.features.messages.read.present import wire
from tidings.features.senders.windows import next_open

from .parse import Rejected
from .submit import Duplicate, Submitted


def bulk_result(submitted: Submitted) -> dict[str, object]:
    """`held` and `atRisk` are the part of `accepted` that waits, or may miss its deadline."""
    batch, estimates = submitted.batch, submitted.estimates
    return {
        "batchId": ids.batch_ref(batch.id),
        "batchName": batch.name,
        "eventId": batch.event_id,
        "total": submitted.total,
        "accepted": [{"clientMessageId": m.client_message_id} for m in submitted.accepted],
        "held": [_held(m) for m in submitted.accepted if m.status is Status.DEFERRED],
        "atRisk": [
            _at_risk(submitted.account, m, estimates[m.id])
            for m in submitted.accepted
            if _is_at_risk(m, estimates[m.id])
        ],
        "rejected": [_rejected(item) for item in submitted.rejected],
        "duplicates": [_duplicate(item) for item in submitted.duplicates],
        "estimatedCompletionAt": wire(finish_estimate(submitted)),
    }


def _held(message: Message) -> dict[str, object]:
    return {
        "clientMessageId": message.client_message_id,
        "reason": message.reason,
        "until": wire(message.retry_at),
    }


def _at_risk(account: Account, message: Message, estimate: datetime | None) -> dict[str, object]:
    return {
        "clientMessageId": message.client_message_id,
        "reason": message.reason or _reason(account, message, estimate),
        "estimatedAt": wire(estimate),
        "deadline": wire(message.send_by),
    }


def _reason(account: Account, message: Message, estimate: datetime | None) -> Reason:
    """What will hold a message that nothing holds yet: it is scheduled, or waits for its turn."""
    if not account.may_send:
        return Reason.SENDING_PAUSED
    if estimate is None:
        return Reason.NUMBER_UNHEALTHY
    window, due = account.send_window, message.scheduled_for
    if window is not None and due is not None and next_open(window, due) > due:
        return Reason.SEND_WINDOW
    return Reason.NUMBER_LIMIT  # the rate of its number


def _is_at_risk(message: Message, estimate: datetime | None) -> bool:
    if message.send_by is None:
        return False
    return estimate is None or estimate >= message.send_by


def _duplicate(duplicate: Duplicate) -> dict[str, object]:
    named: dict[str, object] = {"clientMessageId": duplicate.client_message_id}
    return named | {"mismatch": "to"} if duplicate.mismatch else named


def _rejected(rejected: Rejected) -> dict[str, object]:
    return {
        "index": rejected.index,
        "clientMessageId": rejected.client_message_id,
        "code": rejected.code,
        "message": rejected.message,
    }


def finish_estimate(submitted: Submitted) -> datetime | None:
    """When the last has gone; of a batch of which nothing was taken, now."""
    known = [estimate for estimate in submitted.estimates.values() if estimate is not None]
    if len(known) < len(submitted.estimates):
        return None
    return max(known, default=submitted.now)
