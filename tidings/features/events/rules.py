"""Validation of events, and the defaults their messages inherit (4.10). Pure."""

from datetime import datetime, timedelta

from tidings import limits, times
from tidings.errors import ApiError, Code, ErrorCode

from .model import Event, Settings


class EventCode(ErrorCode):
    """The error codes of events (section 7)."""

    EVENT_NOT_FOUND = (
        404,
        "there is no event with this id",
        "Register the event with POST /events first, with the same key.",
    )
    EVENT_LOCKED = (
        409,
        "the date cannot change after invitations went out, unless confirmLockedChange is true",
        "Invitations went out already: repeat the request with confirmLockedChange: true to "
        "move the date.",
    )


def require_ahead(settings: Settings, before: Settings | None, now: datetime) -> None:
    """A new deadline must be in the future; an unchanged one may have passed."""
    expires_at = settings.defaults.expires_at
    unchanged = before is not None and before.defaults.expires_at == expires_at
    if expires_at is not None and not unchanged and expires_at <= now:
        problem = (
            f"defaults.expiresAt must lie in the future; the account's time is {times.to_wire(now)}"
        )
        raise ApiError(Code.VALIDATION_ERROR, problem, field="defaults.expiresAt")


def require_unlocked(
    settings: Settings, before: Settings, *, locked: bool, confirmed: bool
) -> None:
    """Guests have invitations with the old date: changing it requires confirmation."""
    if locked and not confirmed and settings.event_date != before.event_date:
        problem = (
            "eventDate cannot be changed just so: invitations with the old date went out; "
            "confirm with confirmLockedChange: true"
        )
        raise ApiError(EventCode.EVENT_LOCKED, problem, field="eventDate")


def invitation_end(event: Event) -> datetime:
    """The end of invitations that have no expiresAt of their own."""
    return event.settings.defaults.expires_at or event.settings.event_date


def moved_end(before: Event, after: Event) -> datetime | None:
    """The new end of such invitations, if it differs from the old one."""
    end = invitation_end(after)
    return end if end != invitation_end(before) else None


def undelivered_timeout(event: Event | None) -> timedelta:
    minutes = None if event is None else event.settings.defaults.undelivered_minutes
    if minutes is None:
        return limits.UNDELIVERED_TIMEOUT_DEFAULT
    return timedelta(minutes=minutes)


def nudge_after(event: Event) -> timedelta:
    minutes = event.settings.defaults.nudge_minutes
    return limits.NUDGE_AFTER_DEFAULT if minutes is None else timedelta(minutes=minutes)
