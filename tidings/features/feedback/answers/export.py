"""Answers as CSV: a row per submitted form, a column per question. Pure."""

import csv
import io
from collections.abc import Sequence

from tidings.platforms.content import Question
from tidings.spreadsheets import text_cell

from ..model import Value
from .results import Row

HEAD = ("version", "to", "clientMessageId", "sentAt", "answeredAt")
OPTION_SEPARATOR = "; "


def to_csv(questions: Sequence[Question], rows: Sequence[Row]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([*HEAD, *(text_cell(question.id) for question in questions)])
    for row in rows:
        writer.writerow(
            [
                row.version,
                row.to,
                text_cell(row.client_message_id or ""),
                row.sent_at,
                row.answered_at,
                *(_cell(row.answers.get(question.id)) for question in questions),
            ]
        )
    return out.getvalue()


def _cell(value: Value | None) -> str | int:
    if value is None:
        return ""
    if isinstance(value, list):
        return text_cell(OPTION_SEPARATOR.join(value))
    return value if isinstance(value, int) else text_cell(value)
