"""Answers as CSV: a line for each form that came back, a column for each question. Pure."""

import csv
import io
from collections.abc import Sequence

from tidings.platforms.content import Question

from .model import Value
from .results import Row

HEAD = ("version", "to", "clientMessageId", "sentAt", "answeredAt")
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would work these out
BETWEEN = "; "


def to_csv(questions: Sequence[Question], rows: Sequence[Row]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([*HEAD, *(_safe(question.id) for question in questions)])
    for row in rows:
        writer.writerow(
            [
                row.version,
                row.to,
                _safe(row.client_message_id or ""),
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
        return _safe(BETWEEN.join(value))
    return value if isinstance(value, int) else _safe(value)


def _safe(text: str) -> str:
    """What a guest writes is text, whatever a spreadsheet would make of it."""
    return f"'{text}" if text.startswith(FORMULA) else text
