"""Validate a form; each fault names its field and question. Pure.

The limits are those of the platform's flows, for sandbox accounts too: a form that works in the
sandbox also works live.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from tidings import limits
from tidings.platforms.content import Question
from tidings.platforms.whatsapp.flow_json import RESERVED

from ..model import Form
from .names import VERSION_SEPARATOR

Fault = tuple[str, str]  # field and problem: "questions[2].options", "must be at most 20"

CHOICES = ("single", "multi")
_LANGUAGE = re.compile("[a-z]{2,3}(_[A-Z]{2,3})?")
_OPTIONS_MAX = {
    "single": limits.FORM_SINGLE_OPTIONS_MAX,
    "multi": limits.FORM_MULTI_OPTIONS_MAX,
}
# The platform evaluates these as expressions instead of displaying them.
_EXPRESSION = re.compile(r"\$\{|^\s*`")


def find_faults(form_id: str, form: Form) -> Iterator[Fault]:
    yield from _id("id", form_id)
    yield from _text("title", form.title)
    yield from _message(form)
    if not _LANGUAGE.fullmatch(form.language):
        yield "language", f'must be a code such as "en" or "pt_BR", not "{form.language}"'
    yield from _questions(form.questions)


def _message(form: Form) -> Iterator[Fault]:
    if form.text:
        yield from _text("text", form.text)
    if len(form.text) > limits.FORM_TEXT_CHARS_MAX:
        yield "text", f"must be at most {limits.FORM_TEXT_CHARS_MAX} characters"
    if not form.button:
        return
    yield from _text("button", form.button)
    if len(form.button) > limits.FORM_BUTTON_CHARS_MAX:
        yield "button", f"must be at most {limits.FORM_BUTTON_CHARS_MAX} characters"
    if any(unicodedata.category(char) in ("So", "Cc", "Cs") for char in form.button):
        yield "button", "must be plain words, without emoji: the platform refuses them there"


def _questions(questions: Sequence[Question]) -> Iterator[Fault]:
    if not questions:
        yield "questions", "must hold at least one question"
    if len(questions) > limits.FORM_QUESTIONS_MAX:
        yield "questions", f"must be at most {limits.FORM_QUESTIONS_MAX}"
    for id_ in _repeated(question.id for question in questions):
        yield "questions", f'name "{id_}" twice; remove one'
    for index, question in enumerate(questions):
        for where, problem in _question(question):
            named = f' (question "{question.id}")'
            yield f"questions[{index}].{where}", problem + named


def _question(question: Question) -> Iterator[Fault]:
    yield from _id("id", question.id)
    if question.id in RESERVED:
        yield "id", "is a name the platform's answers use themselves; choose another"
    yield from _text("text", question.text)
    if question.type not in CHOICES:
        if question.options:
            yield "options", f"must be left out of a {question.type} question"
        return
    if not question.options:
        yield "options", f"is required for a {question.type} question"
    if len(question.options) > _OPTIONS_MAX[question.type]:
        most = _OPTIONS_MAX[question.type]
        yield "options", f"must be at most {most} in a {question.type} question"
    for option in _repeated(option.strip().casefold() for option in question.options):
        yield "options", f'hold "{option}" twice; remove one'
    for index, option in enumerate(question.options):
        yield from _text(f"options[{index}]", option)


def _id(where: str, value: str) -> Iterator[Fault]:
    if VERSION_SEPARATOR in value or not value.isprintable() or value.strip() != value or not value:
        yield where, f"must be printable, without {VERSION_SEPARATOR} and without spaces at an end"
    elif _EXPRESSION.search(value):
        yield where, "must not hold ${ nor begin with a backtick: the platform computes those"


def _text(where: str, value: str) -> Iterator[Fault]:
    if not value.strip():
        yield where, "must not be blank"
    elif _EXPRESSION.search(value):
        yield where, "must not hold ${ nor begin with a backtick: the platform computes those"


def _repeated(values: Iterable[str]) -> list[str]:
    return [value for value, count in Counter(values).items() if count > 1]
