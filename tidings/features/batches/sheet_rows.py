"""Rows of an uploaded sheet as message requests; every mistake has its row and column. Pure."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

import msgspec

from tidings import limits, phone
from tidings.engine.http.outline import Steps
from tidings.features.messages.model import MessageRequest, TemplateRequest
from tidings.features.templates.model import Template
from tidings.features.templates.rules import is_sendable

from .csv_file import Sheet, SheetRow

_SCIENTIFIC = re.compile(r"[0-9][.,]?[0-9]*[eE]\+?[0-9]+")
_YIELD_EVERY = 100
_GUESSES = {
    "number": ("phone", "number", "mobile", "to", "tel", "cell", "טלפון", "נייד", "מספר"),
    "id": ("clientmessageid", "id", "reference", "ref", "key", "מזהה"),
}


class Slip(StrEnum):
    """What is wrong with a cell."""

    NUMBER_MISSING = "number_missing"
    NUMBER_INVALID = "number_invalid"
    NUMBER_ROUNDED = "number_rounded"  # a spreadsheet has written it as 9.72E+11
    ID_MISSING = "id_missing"
    ID_LENGTH = "id_length"
    ID_UNREADABLE = "id_unreadable"
    ID_REPEATED = "id_repeated"
    VALUE_MISSING = "value_missing"
    VALUE_LINES = "value_lines"
    VALUE_LENGTH = "value_length"
    CELLS = "cells"  # more than the heading has
    ID_USED = "id_used"  # by a message before
    REFUSED = "refused"  # by the same rules as a request of the API


class Columns(msgspec.Struct, frozen=True):
    """Which column is what, from 0; without one for ids they are made of the file and the row."""

    number: int
    id: int | None
    variables: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Mistake:
    """`column` is its heading; `detail`: the other row of a repeated id, or a refusal's words."""

    row: int
    column: str
    value: str
    slip: Slip
    detail: str = ""


@dataclass(slots=True)
class CheckedRows:
    """Requests by row number; rows with mistakes are not among them."""

    requests: dict[int, MessageRequest] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)


def label(heading: Sequence[str], column: int) -> str:
    """A column without a heading is called by its letter."""
    return heading[column] or letter(column)


def letter(column: int) -> str:
    """A, B … Z, AA, as spreadsheets do."""
    first, last = divmod(column, 26)
    return (chr(64 + first) if first else "") + chr(65 + last)


def guess(heading: Sequence[str], variables: int) -> Columns:
    """The columns that their headings suggest, the others in order as variables."""
    names = [re.sub(r"[\s_-]", "", cell.casefold()) for cell in heading]
    number = _guess(names, "number", set())
    number = 0 if number is None else number
    found = _guess(names, "id", {number})
    rest = [column for column in range(len(heading)) if column not in (number, found)]
    chosen = (rest + [len(heading) - 1] * variables)[:variables]
    return Columns(number, found, tuple(chosen))


def _guess(names: Sequence[str], what: str, taken: set[int]) -> int | None:
    free = [column for column in range(len(names)) if column not in taken]
    for word in _GUESSES[what]:
        for column in free:
            if names[column] == word:
                return column
    for word in _GUESSES[what]:
        for column in free:
            if len(word) > 2 and word in names[column]:
                return column
    return None


def check(
    account_id: UUID, batch_id: UUID, sheet: Sheet, columns: Columns, template: Template
) -> Steps[CheckedRows]:
    """A generator, because 10,000 rows take a while."""
    checked, ids = CheckedRows(), _Ids(sheet, columns, template)
    for index, row in enumerate(sheet.rows):
        mistakes, content = _check_row(row, sheet.heading, columns, ids)
        checked.mistakes += mistakes
        if not mistakes:
            client_id, number, values = content
            request = TemplateRequest(template.name, template.language, values)
            checked.requests[row.number] = MessageRequest(
                account_id, client_id, number, request, batch_id=batch_id
            )
        if index % _YIELD_EVERY == 0:
            yield
    return checked


class _Ids:
    """The id of each row, and those that were met."""

    def __init__(self, sheet: Sheet, columns: Columns, template: Template) -> None:
        self._column = columns.id
        self._met: dict[str, int] = {}
        self._stem = _stem(sheet, template) if columns.id is None else ""

    def read(self, row: SheetRow) -> tuple[str, Slip | None, str]:
        """The id, and what is wrong with it."""
        if self._column is None:
            return f"{self._stem}-{row.number}", None, ""
        text = _cell(row, self._column).strip()
        if not text:
            return text, Slip.ID_MISSING, ""
        if len(text) not in limits.CLIENT_MESSAGE_ID_CHARS:
            return text, Slip.ID_LENGTH, ""
        if not text.isprintable():
            return text, Slip.ID_UNREADABLE, ""
        first = self._met.setdefault(text, row.number)
        return text, None if first == row.number else Slip.ID_REPEATED, str(first)


def _stem(sheet: Sheet, template: Template) -> str:
    """The same file with the same template has the same ids: uploaded twice, it is sent once."""
    parts = [sheet.heading, [row.cells for row in sheet.rows], template.name, template.language]
    return "csv-" + hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:16]


def _check_row(
    row: SheetRow, heading: Sequence[str], columns: Columns, ids: _Ids
) -> tuple[list[Mistake], tuple[str, str, tuple[str, ...]]]:
    """Its mistakes; its id, number and values."""
    found: list[Mistake] = []

    def note(slip: Slip | None, column: int | None, value: str, detail: str = "") -> None:
        if slip is not None:
            name = "" if column is None else label(heading, column)
            found.append(Mistake(row.number, name, value, slip, detail))

    if any(cell.strip() for cell in row.cells[len(heading) :]):
        note(Slip.CELLS, None, row.cells[len(heading)])
    written = _cell(row, columns.number).strip()
    number = phone.find(phone.as_digits(written))
    note(_number_slip(written, number), columns.number, written)
    client_id, slip, detail = ids.read(row)
    note(slip, columns.id, client_id, detail)
    values = []
    for column in columns.variables:
        values.append(_cell(row, column).strip())
        note(_value_slip(values[-1]), column, values[-1])
    return found, (client_id, number or "", tuple(values))


def _cell(row: SheetRow, column: int) -> str:
    return row.cells[column] if column < len(row.cells) else ""


def _number_slip(written: str, number: str | None) -> Slip | None:
    if number is not None:
        return None
    if not written:
        return Slip.NUMBER_MISSING
    return Slip.NUMBER_ROUNDED if _SCIENTIFIC.fullmatch(written) else Slip.NUMBER_INVALID


def _value_slip(value: str) -> Slip | None:
    if not value:
        return Slip.VALUE_MISSING
    if len(value) > limits.TEMPLATE_PARAM_CHARS.high:
        return Slip.VALUE_LENGTH
    return None if is_sendable(value) else Slip.VALUE_LINES
