"""What a line typed on the phone means: a text, or an act that begins with a slash. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from difflib import get_close_matches
from typing import Any

from .durations import parse_duration
from .transcript import Message, ShownButton

HELP = """\
A line is a message to the business. A slash begins something else:
  /1             press button 1
  /form          fill in the newest form, a line for each question
  /photo TEXT    send a photo, with a caption if you like
  /file TEXT     send a document
  /stop          ask for no more messages
  /advance 2h    move the account's clock on
  /help          this text
  /quit          leave; so does Ctrl-D
Two slashes begin a message that starts with one."""
WORDS = ("form", "photo", "file", "stop", "advance", "help", "quit")
PLACE_DIGITS_MAX = 9  # of a button or an option


class NotUnderstood(Exception):
    """Its text says why."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A body for POST /sandbox/v1/replies, without the guest's number."""

    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Advance:
    by: timedelta


@dataclass(frozen=True, slots=True)
class Plain:
    """`form`, `help` or `quit`; `nothing` for an empty line."""

    word: str


Act = Reply | Advance | Plain


def read_act(line: str, buttons: Sequence[ShownButton]) -> Act:
    text = line.strip()
    if not text:
        return Plain("nothing")
    if text.startswith("//"):
        return Reply({"text": text[1:]})
    if not text.startswith("/"):
        return Reply({"text": text})
    word, _, rest = text[1:].partition(" ")
    if _is_place(word):
        return _press(int(word), buttons)
    acts: Mapping[str, Callable[[], Act]] = {
        "photo": lambda: _attach("image", rest),
        "file": lambda: _attach("document", rest),
        "stop": lambda: Reply({"stop": True}),
        "advance": lambda: _advance(rest),
    }
    if word in acts:
        return acts[word]()
    if word in WORDS:
        return Plain(word)
    near = get_close_matches(word, WORDS, 1)
    raise NotUnderstood(
        f"There is no /{word}. " + (f"Did you mean /{near[0]}?" if near else "/help lists what is.")
    )


def _press(number: int, buttons: Sequence[ShownButton]) -> Act:
    if not 1 <= number <= len(buttons):
        raise NotUnderstood(
            f"There is no button {number}."
            if buttons
            else "No message with buttons to press is here."
        )
    button = buttons[number - 1]
    return Reply({"button": {"text": button.text, "clientMessageId": button.client_message_id}})


def _attach(kind: str, caption: str) -> Act:
    return Reply({"media": {"type": kind} | ({"caption": caption} if caption else {})})


def _advance(text: str) -> Act:
    try:
        return Advance(parse_duration(text))
    except ValueError as reason:
        raise NotUnderstood(f"/advance: {reason}.") from None


def questions_of(form: Message | None) -> list[dict[str, Any]]:
    if form is None:
        raise NotUnderstood("No form is here.")
    questions: list[dict[str, Any]] = form["form"]["questions"]
    return questions


def ask(question: Mapping[str, Any]) -> str:
    """A question with what may be answered."""
    kind, options = question["type"], question["options"]
    if kind == "rating":
        return f"{question['text']} (1 to 5)"
    if not options:
        return str(question["text"])
    listed = ", ".join(f"{place} {option}" for place, option in enumerate(options, 1))
    several = "; several: 1,2" if kind == "multi" else ""
    return f"{question['text']} ({listed}{several})"


def read_answer(question: Mapping[str, Any], line: str) -> str | list[str] | None:
    """None: not answered. An option may be given by its place."""
    text, options = line.strip(), question["options"]
    if not text:
        return None
    if question["type"] == "multi":
        return [_option(options, part.strip()) for part in text.split(",")]
    return _option(options, text)


def _option(options: Sequence[str], text: str) -> str:
    if text in options or not _is_place(text) or not 1 <= int(text) <= len(options):
        return text
    return options[int(text) - 1]


def _is_place(text: str) -> bool:
    return text.isdecimal() and len(text) <= PLACE_DIGITS_MAX
