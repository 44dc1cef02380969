"""The replies of the magic recipients 9101 to 9110, fitted to the message they answer. Pure."""

from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from tidings.platforms.content import Form, Question
from tidings.platforms.port import InboundMessage, Send
from tidings.platforms.sandbox.guest import (
    Envelope,
    attach,
    fill,
    platform_id,
    press,
    reply_buttons,
    say,
)


class MagicReply(StrEnum):
    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"
    YES_FOUR = "yes, four guests"
    STOP = "stop"
    PHOTO = "a photo"
    FORM_BEST = "form, rating 5"
    FORM_WORST = "form, rating 1"


_WORDS = {
    MagicReply.YES: "Yes",
    MagicReply.NO: "No",
    MagicReply.UNCLEAR: "Who is this?",
    MagicReply.YES_FOUR: "Yes, we will be 4",
    MagicReply.STOP: "STOP",
}
_BUTTON_PRESSED = {MagicReply.YES: 0, MagicReply.NO: 1}
_RATINGS = {MagicReply.FORM_BEST: "5", MagicReply.FORM_WORST: "1"}
_COMMENTS = {"5": "Lovely, thank you.", "1": "We waited for an hour."}


def write(
    reply: MagicReply, send: Send, quoted: str, *, index: int, at: datetime
) -> InboundMessage | None:
    """The guest's message number `index` about this send; None if there is nothing to answer.

    Buttons and forms quote our message, as on a phone; whoever types does not.
    """
    id_ = platform_id(f"{send.send_id}.reply.{index}")
    envelope = Envelope(id_, send.to, send.sender.number, at)
    answering = replace(envelope, quoted=quoted)
    if reply in _RATINGS:
        if not isinstance(send.content, Form):
            return None
        return fill(answering, send.content, form_answers(send.content, _RATINGS[reply]))
    if reply is MagicReply.PHOTO:
        return attach(envelope, "image")
    buttons = reply_buttons(send.content)
    place = _BUTTON_PRESSED.get(reply, len(buttons))
    if place < len(buttons):
        return press(answering, send.content, buttons[place])
    return say(envelope, _WORDS[reply])


def form_answers(form: Form, rating: str) -> dict[str, Any]:
    """Every question answered; the platform gives ratings as strings, several choices as a list."""
    if not form.questions:
        return {"rating": rating}
    return {question.id: _answer(question, rating) for question in form.questions}


def _answer(question: Question, rating: str) -> Any:
    if question.type == "rating":
        return rating
    if question.type == "single":
        return question.options[0] if question.options else ""
    if question.type == "multi":
        return list(question.options[:2])
    return _COMMENTS[rating]
