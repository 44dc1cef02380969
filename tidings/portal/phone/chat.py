"""A conversation for the phone: its bubbles with the days between them, and a form that is open.
Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from tidings.features.sandbox.conversation import Phone
from tidings.portal import bubbles
from tidings.portal.bubbles import Bubble

MOVING = timedelta(seconds=10)  # for so long the ticks of a message move by themselves
_MOVES = ("sent", "delivered")


@dataclass(frozen=True, slots=True)
class Line:
    """A bubble; `day` where a new day begins with it."""

    bubble: Bubble
    day: datetime | None


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    type: str
    text: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpenForm:
    """A form that the guest has opened."""

    client_message_id: str
    title: str
    questions: tuple[Question, ...]


def lines(phone: Phone, zone: str) -> list[Line]:
    made, last, local = [], None, ZoneInfo(zone)
    for message in phone.messages:
        day = message.at.astimezone(local).date()
        made.append(Line(bubbles.of_phone(message), None if day == last else message.at))
        last = day
    return made


def is_moving(phone: Phone) -> bool:
    """Whether something is about to change without an event: ticks of our own texts, a reply."""
    newest = [message for message in phone.messages if message.ours is not None][-1:]
    return phone.is_typing or any(
        bubbles.of_phone(message).tick in _MOVES and phone.now - message.at < MOVING
        for message in newest
    )


def find_form(phone: Phone, client_message_id: str) -> OpenForm | None:
    """The form of this message, if it is one on the phone."""
    for message in reversed(phone.messages):
        shown = message.shown
        if shown.client_message_id == client_message_id and shown.type == "form" and shown.form:
            return _open(client_message_id, shown.text or "", shown.form)
    return None


def _open(client_message_id: str, title: str, form: dict[str, Any]) -> OpenForm:
    questions = tuple(
        Question(one["id"], one["type"], one["text"], tuple(one["options"]))
        for one in form["questions"]
    )
    return OpenForm(client_message_id, title, questions)
