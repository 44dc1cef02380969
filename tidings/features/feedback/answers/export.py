"""Answers as CSV: a row per submitted form, a column per question."""

from collections.abc import AsyncIterator, Sequence
from functools import partial
from uuid import UUID

from tidings.engine.db.pool import Database
from tidings.platforms.content import Question
from tidings.spreadsheets import BYTE_ORDER_MARK, csv_text, text_cell

from ..model import Value
from . import results
from .results import Row

HEAD = ("version", "to", "clientMessageId", "sentAt", "answeredAt")
OPTION_SEPARATOR = "; "


async def csv_bytes(db: Database, account_id: UUID, form_id: str) -> AsyncIterator[bytes]:
    """All of them as a file. The byte order mark tells a spreadsheet that it is UTF-8."""
    questions = await db.transact(
        partial(results.load_questions, account_id=account_id, form_id=form_id)
    )
    yield BYTE_ORDER_MARK + csv_text([heading(questions)]).encode()
    async for rows in results.pages(db, account_id, form_id):
        yield csv_text(csv_row(questions, row) for row in rows).encode()


def heading(questions: Sequence[Question]) -> list[str]:
    return [*HEAD, *(text_cell(question.id) for question in questions)]


def csv_row(questions: Sequence[Question], row: Row) -> list[str | int]:
    return [
        row.version,
        row.to,
        text_cell(row.client_message_id or ""),
        row.sent_at,
        row.answered_at,
        *(_cell(row.answers.get(question.id)) for question in questions),
    ]


def _cell(value: Value | None) -> str | int:
    if value is None:
        return ""
    if isinstance(value, list):
        return text_cell(OPTION_SEPARATOR.join(value))
    return value if isinstance(value, int) else text_cell(value)
