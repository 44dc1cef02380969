"""Events and invitations on the wire (contract.md, "Account state", "Status"). Pure."""

from datetime import datetime

from tidings import times

from .model import Counts, Event, Invitation
from .states import state_at


def event(registered: Event, counts: Counts) -> dict[str, object]:
    settings = registered.settings
    return {
        "eventId": registered.event_id,
        "eventDate": times.to_wire(settings.event_date),
        "callbackUrl": settings.callback_url,
        "texts": {
            "invalidReply": settings.texts.invalid_reply,
            "nudge": settings.texts.nudge,
            "expired": settings.texts.expired,
        },
        "defaults": {
            "expiresAt": _wire(settings.defaults.expires_at),
            "undeliveredTimeoutMinutes": settings.defaults.undelivered_minutes,
            "nudgeAfterMinutes": settings.defaults.nudge_minutes,
            "sentFrom": settings.defaults.sent_from,
        },
        "locked": counts.sent > 0,
        "sentInvitations": counts.sent,
        "replies": {
            "invited": counts.invited,
            "delivered": counts.delivered,
            "confirmed": counts.confirmed,
            "declined": counts.declined,
            "unresolved": counts.unresolved,
            "pending": counts.pending,
            "unclear": counts.unclear,
            "late": counts.late,
            "headcount": counts.headcount,
        },
        "createdAt": times.to_wire(registered.created_at),
        "updatedAt": times.to_wire(registered.updated_at),
    }


def invitation(one: Invitation, now: datetime) -> dict[str, object]:
    """As GET /messages/{cid} shows it."""
    return {
        "eventId": one.event_id,
        "state": state_at(one.answer, one.expires_at, now).value,
        "answer": one.answer,
        "answeredAt": _wire(one.answered_at),
        "expiresAt": times.to_wire(one.expires_at),
    }


def _wire(timestamp: datetime | None) -> str | None:
    return None if timestamp is None else times.to_wire(timestamp)
