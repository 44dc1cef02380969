"""Parse a submitted form from the platform's `response_json`. Pure.

It is a JSON string with the answers by name, our constants and the token; any of them may be
missing, of another type, or not ours. Unreadable values count as no answer; nothing here raises.
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

NUL, REPLACEMENT = "\0", "\ufffd"  # PostgreSQL text cannot contain NUL


class FormResponse(msgspec.Struct, frozen=True):
    """A submitted form, not yet matched to a send."""

    given: dict[str, Any]
    token: str | None
    form_id: str | None


def parse(response_json: str) -> FormResponse | None:
    """None: not a submitted form."""
    given = _decode(response_json)
    if isinstance(given, str):  # JSON-encoded twice
        given = _decode(given)
    if not isinstance(given, dict):
        return None
    return FormResponse(given, _text(given.get(TOKEN_KEY)), _text(given.get(FORM_KEY)))


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
    """Whether the submission counts: at least one answer, or no question is required."""
    answered = any(answer.value is not None for answer in answers)
    return answered or not any(answer.question.required for answer in answers)


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
    values = given if isinstance(given, list) else [given]
    known = dict(zip(option_ids(question.options), question.options, strict=True))
    known |= {_folded(option): option for option in question.options}
    known |= {option: option for option in question.options}
    chosen = {_match(value, known) for value in values}
    return [option for option in question.options if option in chosen]


def _match(value: object, known: dict[str, str]) -> str | None:
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    text = str(value)
    return known.get(text) or known.get(_folded(text))


def _folded(text: str) -> str:
    return text.strip().casefold()


def _comment(given: object) -> str | None:
    if isinstance(given, bool) or not isinstance(given, str | int | float):
        return None
    text = str(given).replace(NUL, REPLACEMENT).strip()
    return text[: limits.FORM_COMMENT_CHARS_MAX] or None
