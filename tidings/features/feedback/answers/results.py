"""Answers for charts and export, and their deletion."""

from collections.abc import Sequence
from uuid import UUID

import msgspec

from tidings import times
from tidings.engine.db.tx import Tx
from tidings.features.messages.model import Message
from tidings.features.messages.read import lookup as message_lookup
from tidings.platforms.content import Question
from tidings.platforms.whatsapp.flow_json import RATINGS

from ..forms import lookup
from ..model import Value, Version
from ..sends import store as send_store
from . import results_store
from .counts import load_counts
from .results_store import ChoiceCount, FilledForm


class Choice(msgspec.Struct, frozen=True):
    """One bar of a chart."""

    value: int | str
    count: int


class QuestionResult(msgspec.Struct, frozen=True, rename="camel"):
    """`choices`: of a rating, all five; of a choice, the options. `average` is a rating's."""

    question_id: str
    question: str
    type: str
    answered: int
    choices: list[Choice]
    average: float | None = None


class Results(msgspec.Struct, frozen=True, rename="camel"):
    """All versions of a form together; questions are distinguished by their ids."""

    form_id: str
    title: str
    sent: int
    answered: int
    questions: list[QuestionResult]


class Row(msgspec.Struct, frozen=True, rename="camel"):
    """One submitted form, as exported."""

    form_id: str
    version: int
    to: str
    client_message_id: str | None
    sent_at: str
    answered_at: str
    answers: dict[str, Value]


async def load_results(tx: Tx, account_id: UUID, form_id: str) -> Results:
    versions = await lookup.load_all_versions(tx, account_id, form_id)
    sends = await load_counts(tx, account_id)
    counted = await results_store.count_choices(tx, account_id, form_id)
    answered = await results_store.count_answered(tx, account_id, form_id)
    of_form = [counts for (form, _), counts in sends.items() if form == form_id]
    return Results(
        form_id=form_id,
        title=versions[-1].form.title,
        sent=sum(sent for sent, _ in of_form),
        answered=sum(answered for _, answered in of_form),
        questions=[
            summarise(question, counted, answered.get(question.id, 0))
            for question in questions_of(versions)
        ],
    )


def questions_of(versions: Sequence[Version]) -> list[Question]:
    """Every question of any version, as in its latest version; current questions come first."""
    found: dict[str, Question] = {}
    for version in reversed(versions):
        for question in version.form.questions:
            found.setdefault(question.id, question)
    return list(found.values())


def summarise(question: Question, counted: Sequence[ChoiceCount], answered: int) -> QuestionResult:
    """Options that nobody chose count zero; options of earlier versions come last."""
    times_chosen = {value: count for id_, value, count in counted if id_ == question.id}
    values: list[int | str] = list(question.options)
    if question.type == "rating":
        values = [int(rating) for rating in RATINGS]
    values += sorted(str(v) for v in times_chosen if v not in values and isinstance(v, str))
    choices = [Choice(value, times_chosen.get(value, 0)) for value in values]
    return QuestionResult(
        question_id=question.id,
        question=question.text,
        type=question.type,
        answered=answered,
        choices=choices,
        average=_average(choices) if question.type == "rating" else None,
    )


def _average(choices: Sequence[Choice]) -> float | None:
    people = sum(one.count for one in choices if isinstance(one.value, int))
    total = sum(one.value * one.count for one in choices if isinstance(one.value, int))
    return round(total / people, 2) if people else None


async def load_rows(tx: Tx, account_id: UUID, form_id: str) -> tuple[list[Question], list[Row]]:
    """The questions, and every submitted form, the oldest first."""
    versions = await lookup.load_all_versions(tx, account_id, form_id)
    filled = await results_store.load_filled(tx, account_id, form_id)
    keys = [(account_id, one.message_id) for one in filled]
    messages = await message_lookup.find_messages(tx, keys)
    rows = [_row(form_id, one, messages.get((account_id, one.message_id))) for one in filled]
    return questions_of(versions), rows


def _row(form_id: str, filled: FilledForm, message: Message | None) -> Row:
    return Row(
        form_id=form_id,
        version=filled.version,
        to=filled.phone if message is None else message.to,
        client_message_id=None if message is None else message.client_message_id,
        sent_at=times.to_wire(filled.created_at),
        answered_at=times.to_wire(filled.answered_at),
        answers=filled.values,
    )


async def forget(tx: Tx, account_id: UUID, phone: str) -> int:
    """Delete a person's answers in all forms of the account; returns in how many forms. The forms
    stay marked as answered, so that no later answer counts."""
    return await send_store.forget(tx, account_id, phone)
