"""What a guest filled in, read from what the platform brings back. Pure.

`response_json` is a JSON string: the answers by name, our constants, and the token, any of which
may be missing, of another type, or not ours. What cannot be read is no answer; nothing here fails.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from tidings import limits
from tidings.platforms.content import Question
from tidings.platforms.whatsapp.flow_json import (
    FORM_KEY,
    RATINGS,
    TOKEN_KEY,
    answer_names,
    option_ids,
)

from ..model import Answer, Value

NUL, REPLACEMENT = "\0", "\ufffd"  # what no text of the database holds


class Filled(msgspec.Struct, frozen=True):
    """A form that came back, before anybody knows which."""

    given: dict[str, Any]
    token: str | None
    form_id: str | None


def parse(response_json: str) -> Filled | None:
    """None: this is no form that anybody filled in."""
    given = _decode(response_json)
    if isinstance(given, str):  # wrapped twice
        given = _decode(given)
    if not isinstance(given, dict):
        return None
    return Filled(given, _text(given.get(TOKEN_KEY)), _text(given.get(FORM_KEY)))


def _decode(text: str) -> object:
    try:
        return msgspec.json.decode(text.encode(errors="replace"))
    except (msgspec.DecodeError, RecursionError):
        return None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def read(questions: Sequence[Question], given: dict[str, Any]) -> list[Answer]:
    """An answer to each question, in the form's order."""
    names = answer_names(questions)
    return [
        Answer(question, _value(question, given.get(name, given.get(question.id))))
        for name, question in zip(names, questions, strict=True)
    ]


def counts(answers: Sequence[Answer]) -> bool:
    """Whether it is an answer at all: something was said, or nothing had to be."""
    said = any(answer.value is not None for answer in answers)
    return said or not any(answer.question.required for answer in answers)


def _value(question: Question, given: object) -> Value | None:
    if question.type == "rating":
        return _rating(given)
    if question.type == "single":
        chosen = _chosen(question, given)
        return chosen[0] if len(chosen) == 1 else None
    if question.type == "multi":
        return _chosen(question, given) or None
    return _comment(given)


def _rating(given: object) -> int | None:
    if isinstance(given, bool):
        return None
    if isinstance(given, float) and given.is_integer():
        given = int(given)
    text = given.strip() if isinstance(given, str) else str(given)
    return int(text) if text in RATINGS else None


def _chosen(question: Question, given: object) -> list[str]:
    """The options that were chosen, by their texts or their ids, in the form's order."""
    words = given if isinstance(given, list) else [given]
    known = dict(zip(option_ids(question.options), question.options, strict=True))
    known |= {_folded(option): option for option in question.options}
    known |= {option: option for option in question.options}
    meant = {_meant(word, known) for word in words}
    return [option for option in question.options if option in meant]


def _meant(word: object, known: dict[str, str]) -> str | None:
    if isinstance(word, bool) or not isinstance(word, str | int):
        return None
    text = str(word)
    return known.get(text) or known.get(_folded(text))


def _folded(text: str) -> str:
    return text.strip().casefold()


def _comment(given: object) -> str | None:
    if isinstance(given, bool) or not isinstance(given, str | int | float):
        return None
    text = str(given).replace(NUL, REPLACEMENT).strip()
    return text[: limits.FORM_COMMENT_CHARS_MAX] or None
