"""Read a CSV file that a person made with a spreadsheet: its encoding, separator and cells. Pure.

A file that cannot be read is refused as a whole, with what to correct; nothing is guessed that
could send a wrong text to somebody.
"""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from tidings import limits
from tidings.engine.http.outline import Steps

SEPARATORS = (",", ";", "\t")
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # xlsx, xls
_WIDE = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}  # by byte order mark
_NOT_ASCII = re.compile(rb"[\x80-\xff]+")
_HEBREW = re.compile(rb"[\xe0-\xfa]{2,}")  # two letters in a row, in Windows-1255
_YIELD_EVERY = 200  # rows


class Fault(StrEnum):
    """Why a file is refused."""

    EMPTY = "empty"
    WORKBOOK = "workbook"
    ENCODING = "encoding"
    NUL = "nul"
    QUOTES = "quotes"  # not closed, or text after the closing one
    LONG_CELL = "long_cell"
    NO_ROWS = "no_rows"  # only a heading
    TOO_MANY_ROWS = "too_many_rows"
    TOO_MANY_COLUMNS = "too_many_columns"
    SAME_HEADINGS = "same_headings"


class FileRefused(Exception):
    def __init__(self, fault: Fault, row: int = 0, value: str = "") -> None:
        super().__init__(fault)
        self.fault, self.row, self.value = fault, row, value


@dataclass(frozen=True, slots=True)
class SheetRow:
    """`number` is that of the spreadsheet: the heading is row 1, empty rows count."""

    number: int
    cells: list[str]


@dataclass(frozen=True, slots=True)
class Sheet:
    heading: list[str]
    rows: list[SheetRow]


def read_sheet(raw: bytes) -> Steps[Sheet]:
    """The whole file, or FileRefused. A generator, because 10,000 rows take a while."""
    text = decode(raw)
    records = _records(text, _separator(text))
    heading = next(records, SheetRow(1, []))
    if not heading.cells:
        raise FileRefused(Fault.EMPTY)
    _require_heading(heading.cells)
    rows: list[SheetRow] = []
    for row in records:
        if len(rows) == limits.UPLOAD_ROWS_MAX:
            raise FileRefused(Fault.TOO_MANY_ROWS)
        rows.append(row)
        if len(rows) % _YIELD_EVERY == 0:
            yield
    if not rows:
        raise FileRefused(Fault.NO_ROWS)
    return Sheet([cell.strip() for cell in heading.cells], rows)


def decode(raw: bytes) -> str:
    """UTF-8, with or without a byte order mark; else Windows-1255 if words look Hebrew, or 1252."""
    if not raw.strip():
        raise FileRefused(Fault.EMPTY)
    if raw.startswith(_WORKBOOKS):
        raise FileRefused(Fault.WORKBOOK)
    for encoding in (_WIDE.get(raw[:2], "utf-8-sig"), _windows(raw)):
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" in text:
            raise FileRefused(Fault.NUL, row=text.count("\n", 0, text.index("\0")) + 1)
        return text
    raise FileRefused(Fault.ENCODING)


def _windows(raw: bytes) -> str:
    """Hebrew words are runs of letters beyond ASCII; in Western words such letters stand alone."""
    beyond = sum(map(len, _NOT_ASCII.findall(raw)))
    hebrew = sum(map(len, _HEBREW.findall(raw)))
    return "cp1255" if 2 * hebrew > beyond else "cp1252"


def _separator(text: str) -> str:
    """The one that makes most cells of the heading."""

    def cells(separator: str) -> int:
        try:
            return len(next(csv.reader(io.StringIO(text[:65536], ""), delimiter=separator), []))
        except csv.Error:
            return 0

    return max(SEPARATORS, key=cells)


def _records(text: str, separator: str) -> Iterator[SheetRow]:
    """Those with something in them. A cell may have lines; `number` counts records, not lines."""
    number = 0
    reader = csv.reader(io.StringIO(text, ""), delimiter=separator, strict=True)
    while True:
        number += 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            fault = Fault.LONG_CELL if "field limit" in str(error) else Fault.QUOTES
            raise FileRefused(fault, row=number) from None
        if any(cell.strip() for cell in cells):
            yield SheetRow(number, cells)


def _require_heading(cells: list[str]) -> None:
    if len(cells) > limits.UPLOAD_COLUMNS_MAX:
        raise FileRefused(Fault.TOO_MANY_COLUMNS)
    seen: set[str] = set()
    for cell in cells:
        name = cell.strip().casefold()
        if name and name in seen:
            raise FileRefused(Fault.SAME_HEADINGS, row=1, value=cell.strip())
        seen.add(name)
