"""Answers for charts and export, and their deletion."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from tidings import limits, times
from tidings.engine.db.pages import read_pages
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.features.messages.model import Message
from tidings.features.messages.read import lookup as message_lookup
from tidings.platforms.content import Question
from tidings.platforms.whatsapp.flow_json import RATINGS

from .. import rules
from ..forms import lookup
from ..model import Value, Version
from ..sends import store as send_store
from . import results_store
from .counts import load_counts_of
from .results_store import ChoiceCount, Comment, FilledForm

PAGE_ROWS = 1000  # forms that one transaction of an export reads
Cursor = tuple[datetime, UUID]  # of the last submitted form


class Choice(msgspec.Struct, frozen=True):
    """One bar of a chart."""

    value: int | str
    count: int


class QuestionResult(msgspec.Struct, frozen=True, rename="camel"):
    """`choices`: of a rating, all five; of a choice, the options. `average` is a rating's, the
    newest `comments` a comment's."""

    question_id: str
    question: str
    type: str
    answered: int
    choices: list[Choice]
    average: float | None = None
    comments: list[Comment] = msgspec.field(default_factory=list)


class Results(msgspec.Struct, frozen=True, rename="camel"):
    """All versions of a form together; questions are distinguished by their ids. `version` is the
    one that is sent, else the latest."""

    form_id: str
    version: int
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


async def load_results(tx: Tx, account: Account, form_id: str) -> Results:
    versions = await lookup.load_all_versions(tx, account.id, form_id)
    counts = await load_counts_of(tx, account.id, [form_id])
    sent, filled = counts.get(form_id, (0, 0))
    counted, answered = await results_store.load_tallies(tx, account.id, form_id)
    questions = questions_of(versions)
    comments = {
        one.id: await results_store.load_comments(
            tx, account.id, form_id, one.id, limits.FORM_COMMENTS_SHOWN_MAX
        )
        for one in questions
        if one.type == "comment"
    }
    shown = rules.decide_shown(versions, sandbox=account.is_sandbox)
    return Results(
        form_id=form_id,
        version=shown.version,
        title=shown.form.title,
        sent=sent,
        answered=filled,
        questions=[
            summarise(one, counted, answered.get(one.id, 0), comments.get(one.id, []))
            for one in questions
        ],
    )


def questions_of(versions: Sequence[Version]) -> list[Question]:
    """Every question of any version, as in its latest version; current questions come first."""
    found: dict[str, Question] = {}
    for version in reversed(versions):
        for question in version.form.questions:
            found.setdefault(question.id, question)
    return list(found.values())


def summarise(
    question: Question,
    counted: Sequence[ChoiceCount],
    answered: int,
    comments: list[Comment],
) -> QuestionResult:
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
        comments=comments,
    )


def _average(choices: Sequence[Choice]) -> float | None:
    people = sum(one.count for one in choices if isinstance(one.value, int))
    total = sum(one.value * one.count for one in choices if isinstance(one.value, int))
    return round(total / people, 2) if people else None


async def load_questions(tx: Tx, account_id: UUID, form_id: str) -> list[Question]:
    return questions_of(await lookup.load_all_versions(tx, account_id, form_id))


async def load_rows(
    tx: Tx, account_id: UUID, form_id: str, after: Cursor | None, size: int
) -> tuple[list[Row], Cursor | None]:
    """A page of submitted forms, the oldest first, and where the next one continues."""
    filled = await results_store.load_filled(tx, account_id, form_id, after, size)
    keys = [(account_id, one.message_id) for one in filled]
    messages = await message_lookup.find_messages(tx, keys)
    rows = [
        _row(form_id, one, messages.get((account_id, one.message_id)))
        for one in filled
        if one.values
    ]
    last = (filled[-1].answered_at, filled[-1].send_id) if len(filled) == size else None
    return rows, last


def pages(db: Database, account_id: UUID, form_id: str) -> AsyncIterator[Sequence[Row]]:
    """Every submitted form, except those whose answers were deleted."""
    return read_pages(db, lambda tx, after: load_rows(tx, account_id, form_id, after, PAGE_ROWS))


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
