"""Messages on the wire: the send result (2.2), the status (4.7) and what events say (6.2). Pure."""

from datetime import datetime
from typing import Literal

import msgspec

from tidings import ids, times
from tidings.features.events import responses
from tidings.features.events.model import Invitation

from ..model import WAITING, Message, Status

# The state of an unanswered invitation whose message ended in one of these.
_UNSENT: dict[Status, Literal["failed", "expired", "cancelled"]] = {
    Status.FAILED: "failed",
    Status.EXPIRED: "expired",
    Status.CANCELLED: "cancelled",
}


def wire(timestamp: datetime | None) -> str | None:
    return None if timestamp is None else times.to_wire(timestamp)


def raw(meta: str | None) -> msgspec.Raw | None:
    """The caller's JSON as it came, big integers and all."""
    return None if meta is None else msgspec.Raw(meta.encode())


def http_status(message: Message) -> int:
    """200 once it has gone, 202 while it waits."""
    return 202 if message.status in WAITING or message.status is Status.SENDING else 200


def send_result(message: Message, *, duplicate: bool) -> dict[str, object]:
    """2.2, with what contract.md adds to an answer of 202 and to a failure."""
    result: dict[str, object] = {
        "clientMessageId": message.client_message_id,
        "messageId": message.platform_id,
        "status": message.status.value,
        "sentFrom": message.number,
        "fallbackUsed": message.fallback_used,
        "sentAt": wire(message.sent_at),
        "duplicate": duplicate,
    }
    if message.status is Status.SCHEDULED:
        result["scheduledFor"] = wire(message.scheduled_for)
    elif message.status is Status.DEFERRED:
        result["reason"] = message.reason
        result["retryAt"] = wire(message.retry_at)
    if message.error is not None and message.status is Status.FAILED:
        error = message.error
        result["error"] = {
            "code": error.code, "explanation": error.explanation, "action": error.action,
        }  # fmt: skip
    return result


def status(message: Message, invitation: Invitation | None, now: datetime) -> dict[str, object]:
    """GET /messages/{cid} (contract.md, "Status")."""
    return {
        "clientMessageId": message.client_message_id,
        "messageId": message.platform_id,
        "to": message.to,
        "kind": message.kind,
        "status": message.status.value,
        "reason": message.reason,
        "retryAt": wire(message.retry_at),
        "scheduledFor": wire(message.scheduled_for),
        "sentFrom": message.number,
        "batchId": None if message.batch_id is None else ids.batch_ref(message.batch_id),
        "eventId": message.event_id,
        "createdAt": wire(message.created_at),
        "timeline": message.timeline,
        "invitation": None if invitation is None else _invitation(message, invitation, now),
        "attempts": message.attempts,
        "error": message.error,
        "meta": raw(message.meta),
    }


def _invitation(message: Message, invitation: Invitation, now: datetime) -> responses.Invitation:
    """One whose message failed, expired or was cancelled is not open: it has its message's word."""
    shown = responses.invitation(invitation, now)
    if invitation.answer is None:
        shown.state = _UNSENT.get(message.status, shown.state)
    return shown


def about(message: Message) -> dict[str, object]:
    """What every event of a message carries."""
    return {
        "clientMessageId": message.client_message_id,
        "messageId": message.platform_id,
        "to": message.to,
        "meta": raw(message.meta),
        **belonging(message),
    }


def belonging(message: Message) -> dict[str, str]:
    """The event and the batch of a message, where there are such."""
    told = {}
    if message.event_id is not None:
        told["eventId"] = message.event_id
    if message.batch_id is not None:
        told["batchId"] = ids.batch_ref(message.batch_id)
    return told


def status_event(message: Message, at: datetime) -> dict[str, object]:
    """message.status"""
    data = about(message) | {"status": message.status.value, "at": times.to_wire(at)}
    if message.status is Status.FAILED:
        data["error"] = message.error
    elif message.status is Status.EXPIRED:
        data["neverDelivered"] = message.never_delivered
    return data


def sent_event(message: Message, platform_id: str, at: datetime) -> dict[str, object]:
    """message.status of a message that is `sent` at this time."""
    told = {"messageId": platform_id, "status": Status.SENT.value, "at": times.to_wire(at)}
    return about(message) | told


def deferred_event(message: Message, at: datetime) -> dict[str, object]:
    """message.deferred"""
    return about(message) | {
        "reason": message.reason,
        "retryAt": wire(message.retry_at),
        "at": times.to_wire(at),
    }
