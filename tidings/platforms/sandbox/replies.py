"""`POST /sandbox/v1/replies`: a developer acts as the guest. Pure.

Turns the request into the callback that the platform would send. Replies that no phone could send
are refused: a button that the message does not have, an answer that the form does not offer.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from tidings import limits
from tidings.errors import ApiError, Code
from tidings.platforms.content import Button, Content, Form, Question
from tidings.platforms.port import InboundMessage
from tidings.platforms.sandbox.guest_messages import (
    SAMPLES,
    Envelope,
    button_press,
    form_response,
    media_message,
    reply_buttons,
    text_message,
)

STOP_WORD = "STOP"
_COMMENT = f"{limits.FORM_COMMENT_CHARS_MAX} characters"
RATINGS = ("1", "2", "3", "4", "5")


@dataclass(frozen=True, slots=True)
class ButtonPress:
    """A button, selected by its text, its payload or both."""

    text: str | None = None
    payload: str | None = None


@dataclass(frozen=True, slots=True)
class Attachment:
    type: str  # image or document
    caption: str = ""


@dataclass(frozen=True, slots=True)
class GuestReply:
    """What the guest sends; exactly one field is set."""

    text: str | None = None
    button: ButtonPress | None = None
    media: Attachment | None = None
    answers: Mapping[str, Any] | None = None  # of a form, by question id
    stop: bool = False


def write_reply(
    reply: GuestReply, envelope: Envelope, message: Content | None = None
) -> InboundMessage:
    """The callback for this reply. `message` is the message whose button or form is used.

    `envelope.quoted` is the platform id of that message, or of the one that text or media quotes.
    """
    _require_one(reply)
    if reply.text is not None:
        return text_message(envelope, reply.text)
    if reply.button is not None:
        return _press(reply.button, envelope, message)
    if reply.media is not None:
        _require(reply.media.type in SAMPLES, "media.type", f"Give one of {_listed(SAMPLES)}.")
        return media_message(envelope, reply.media.type, reply.media.caption)
    if reply.answers is not None:
        return _fill(reply.answers, envelope, message)
    return text_message(envelope, STOP_WORD)


def _require_one(reply: GuestReply) -> None:
    parts = (reply.text, reply.button, reply.media, reply.answers, reply.stop or None)
    given = sum(part is not None for part in parts)
    _require(given == 1, None, "Give exactly one of text, button, media, form, stop: true.")


def _press(pressed: ButtonPress, envelope: Envelope, message: Content | None) -> InboundMessage:
    selected = pressed.text is not None or pressed.payload is not None
    _require(selected, "button", "Give the button's text or payload.")
    buttons = reply_buttons(message) if message is not None else ()
    for button in buttons:
        if pressed.text in (None, button.text) and pressed.payload in (None, _payload(button)):
            assert message is not None
            return button_press(envelope, message, button)
    texts = _listed(button.text for button in buttons)
    have = f"The message has {texts}." if buttons else "No message with reply buttons was sent."
    raise ApiError(Code.VALIDATION_ERROR, f"There is no such button. {have}", field="button")


def _payload(button: Button) -> str:
    return button.payload or button.text


def _fill(
    answers: Mapping[str, Any], envelope: Envelope, message: Content | None
) -> InboundMessage:
    if not isinstance(message, Form):
        text = "No form was sent to this number. Send one with POST /feedback/send first."
        raise ApiError(Code.VALIDATION_ERROR, text, field="form")
    questions = {question.id: question for question in message.questions}
    if questions:
        answers = {id_: _answer(questions, id_, value) for id_, value in answers.items()}
    else:
        for id_, value in answers.items():
            size = len(msgspec.json.encode(value))
            short = size <= limits.FORM_COMMENT_CHARS_MAX
            _require(short, f"form.answers.{id_}", f"Give at most {_COMMENT}, got {size} bytes.")
    return form_response(envelope, message, answers)


def _answer(questions: Mapping[str, Question], id_: str, value: Any) -> Any:
    """One answer in the platform's format: ratings as strings, multiple choices as a list."""
    field = f"form.answers.{id_}"
    _require(id_ in questions, field, f"The form has the questions {_listed(questions)}.")
    question = questions[id_]
    if question.type == "rating":
        rating = str(value)
        _require(rating in RATINGS, field, "Give a rating from 1 to 5.")
        return rating
    if question.type == "single":
        _require(value in question.options, field, f"Give one of {_listed(question.options)}.")
    elif question.type == "multi":
        chosen = (
            isinstance(value, list)
            and len(value) <= len(question.options)
            and all(each in question.options for each in value)
        )
        _require(chosen, field, f"Give a list of some of {_listed(question.options)}.")
    else:
        short = isinstance(value, str) and len(value) <= limits.FORM_COMMENT_CHARS_MAX
        _require(short, field, f"Give a text of at most {_COMMENT}.")
    return value


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f'"{word}"' for word in words)


def _require(holds: bool, field: str | None, message: str) -> None:
    if not holds:
        raise ApiError(Code.VALIDATION_ERROR, message, field=field)
