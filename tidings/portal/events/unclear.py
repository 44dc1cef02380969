"""Replies that wait for a person: the words, and why they were not understood. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup, escape

from tidings.features.events.model import Guest
from tidings.features.replies.reading.reader import read
from tidings.features.replies.reading.reasons import reasons


@dataclass(frozen=True, slots=True)
class Waiting:
    """One guest of the queue."""

    phone: str
    state: str
    words: str  # empty: a picture, a voice message and the like
    why: str | Markup
    at: datetime | None
    seen: str  # of the last reply, so that a newer one is not settled unread
    client_message_id: str

    @property
    def field(self) -> str:
        """The name of its field for the number of guests."""
        return field_of(self.phone)


def field_of(phone: str) -> str:
    return f"guests-{phone}"


def waiting(guest: Guest, gettext: Callable[..., str]) -> Waiting:
    words = (guest.text or "").strip()
    return Waiting(
        phone=guest.phone,
        state=guest.state.value,
        words=words,
        why=gettext("It came after the end.") if guest.late else _why(words, guest, gettext),
        at=guest.replied_at,
        seen="" if guest.replied_at is None else guest.replied_at.isoformat(),
        client_message_id=guest.client_message_id,
    )


def _why(words: str, guest: Guest, gettext: Callable[..., str]) -> str | Markup:
    _ = gettext
    if not words:
        kinds = {
            "image": _("A picture, without words."),
            "audio": _("A voice message: it is not listened to."),
            "video": _("A video, without words."),
            "document": _("A document, without words."),
            "sticker": _("A sticker, without words."),
            "location": _("A place, without words."),
        }
        return kinds.get(guest.reply_type or "", _("Nothing to read in it."))
    reading = read(words)
    percent = round(reading.confidence * 100)
    if reading.leaning is None or not percent:
        return _("Neither a yes nor a no was found in it.")
    because = _quoted(reasons(words), gettext)
    if not because:
        if reading.leaning == "yes":
            return _("Rather a yes, but only %(percent)s%% sure.", percent=percent)
        return _("Rather a no, but only %(percent)s%% sure.", percent=percent)
    if reading.leaning == "yes":
        said = _("Rather a yes, %(percent)s%% sure, because of %(reasons)s.")
    else:
        said = _("Rather a no, %(percent)s%% sure, because of %(reasons)s.")
    return escape(said) % {"percent": percent, "reasons": because}


def _quoted(phrases: Sequence[str], gettext: Callable[..., str]) -> Markup:
    """The guest's words in quotation marks, each in its own direction of writing."""
    quotes = escape(gettext("“%(words)s”"))
    one = Markup("<bdi>{}</bdi>")
    return Markup(", ").join(quotes % {"words": one.format(phrase)} for phrase in phrases)
