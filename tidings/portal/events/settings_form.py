"""The form of an event's settings: read into what POST /events takes, and filled from it. Pure."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from tidings import limits, times
from tidings.engine.http import fields
from tidings.errors import ApiError
from tidings.features.events import parse
from tidings.features.events.model import Event, Settings
from tidings.portal.form import Form

NAMES = {
    "eventId": "event_id",
    "eventDate": "date",
    "callbackUrl": "callback_url",
    "texts.invalidReply": "invalid_reply",
    "texts.nudge": "nudge",
    "texts.expired": "expired",
    "defaults.expiresAt": "expires_at",
    "defaults.undeliveredTimeoutMinutes": "undelivered_minutes",
    "defaults.nudgeAfterMinutes": "nudge_minutes",
    "defaults.sentFrom": "sent_from",
}
END_OF_DAY = time(23, 59)
_SHAPE = "%Y-%m-%dT%H:%M"  # of <input type="datetime-local">


@dataclass(frozen=True, slots=True)
class Reader:
    """What is needed to read the form. `before`: the settings that it changes."""

    gettext: Callable[..., str]
    zone: str
    allow_private: bool
    before: Settings | None = None


def read(form: Form, event_id: str, reader: Reader) -> Settings | None:
    """None: something is wrong, and the form says what."""
    body = _body(form, event_id, reader)
    if form.errors:
        return None
    try:
        checked = fields.decode_small(parse.EventBody, msgspec.json.encode(body))
        return parse.settings(checked, allow_private=reader.allow_private)
    except ApiError as refusal:
        refuse(form, refusal, reader.gettext)
        return None


def refuse(form: Form, refusal: ApiError, gettext: Callable[..., str]) -> None:
    """Show a refusal of POST /events beside its field, in the reader's words where we have some."""
    name = NAMES.get(refusal.field or "", "")
    form.error(name, _texts(gettext).get(name, refusal.message))


def _texts(gettext: Callable[..., str]) -> dict[str, str]:
    _ = gettext
    low, high = limits.EVENT_ID_CHARS.low, limits.EVENT_ID_CHARS.high
    a_text = _("Write a text of at most %(most)s characters.", most=limits.EVENT_TEXT_CHARS.high)
    return {
        "event_id": _("Give an id of %(low)s to %(high)s characters.", low=low, high=high),
        "date": _("Give a day and a time."),
        "callback_url": _("Give an address that begins with https:// and is open to the internet."),
        "invalid_reply": a_text,
        "nudge": a_text,
        "expired": a_text,
        "expires_at": _("Give a day and a time that is still to come, or leave it empty."),
        "undelivered_minutes": _minutes(gettext, limits.UNDELIVERED_TIMEOUT_MINUTES.high),
        "nudge_minutes": _minutes(gettext, limits.NUDGE_AFTER_MINUTES.high),
        "sent_from": _("This is not a number of the account."),
    }


def _minutes(gettext: Callable[..., str], most: int) -> str:
    return gettext("Give whole minutes, 1 to %(most)s, or leave it empty.", most=most)


def _body(form: Form, event_id: str, reader: Reader) -> dict[str, Any]:
    texts = _texts(reader.gettext)
    for name in ("date", "callback_url", "invalid_reply", "nudge", "expired"):
        if not form[name]:
            form.error(name, texts[name])
    before = reader.before
    date = _time(form, "date", reader, None if before is None else before.event_date)
    end = _time(form, "expires_at", reader, None if before is None else before.defaults.expires_at)
    given = {
        "expiresAt": None if end is None else times.to_wire(end),
        "undeliveredTimeoutMinutes": _number(form, "undelivered_minutes", texts),
        "nudgeAfterMinutes": _number(form, "nudge_minutes", texts),
        "sentFrom": form["sent_from"] or None,
    }
    return {
        "eventId": event_id,
        "eventDate": "" if date is None else times.to_wire(date),
        "callbackUrl": form["callback_url"],
        "texts": {
            "invalidReply": form["invalid_reply"],
            "nudge": form["nudge"],
            "expired": form["expired"],
        },
        "defaults": {name: value for name, value in given.items() if value is not None},
    }


def _number(form: Form, name: str, texts: dict[str, str]) -> int | None:
    given = form[name]
    if not given:
        return None
    if not (given.isascii() and given.isdigit() and len(given) < 9):
        form.error(name, texts[name])
        return None
    return int(given)


def _time(form: Form, name: str, reader: Reader, before: datetime | None) -> datetime | None:
    """In the reader's zone. What was not touched keeps its seconds, which the field cannot show."""
    given = form[name]
    if not given:
        return None
    if before is not None and given == local(before, reader.zone):
        return before
    try:
        at = datetime.fromisoformat(given)
    except ValueError:
        form.error(name, _texts(reader.gettext)[name])
        return None
    if "T" not in given.upper() and ":" not in given:
        at = datetime.combine(at, END_OF_DAY)
    if at.tzinfo is None:
        at = at.replace(tzinfo=ZoneInfo(reader.zone))
    try:
        return at.astimezone(UTC)
    except OverflowError:
        form.error(name, _texts(reader.gettext)[name])
        return None


def local(at: datetime, zone: str) -> str:
    return at.astimezone(ZoneInfo(zone)).strftime(_SHAPE)


def first_values(event: Event, zone: str) -> dict[str, object]:
    settings = event.settings
    texts, defaults = settings.texts, settings.defaults
    return {
        "event_id": event.event_id,
        "date": local(settings.event_date, zone),
        "callback_url": settings.callback_url,
        "invalid_reply": texts.invalid_reply,
        "nudge": texts.nudge,
        "expired": texts.expired,
        "expires_at": "" if defaults.expires_at is None else local(defaults.expires_at, zone),
        "undelivered_minutes": defaults.undelivered_minutes,
        "nudge_minutes": defaults.nudge_minutes,
        "sent_from": defaults.sent_from,
    }
