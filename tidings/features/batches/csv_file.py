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

ROW_CHARS_MAX = 256 * limits.KIB  # of one row, which is read in one go
SHEET_ROWS_MAX = 1_048_576  # with the empty ones: as many as a spreadsheet has
SEPARATORS = (",", ";", "\t")
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # xlsx, xls
_WIDE = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}  # by byte order mark
_NOT_ASCII = re.compile(rb"[\x80-\xff]+")
_HEBREW = re.compile(rb"[\xe0-\xfa]{2,}")  # two letters in a row, in Windows-1255
_LINE = re.compile(r"[^\r\n]*+(?:\r\n?|\n|\Z)")
_SAMPLE_BYTES = 64 * limits.KIB  # of letters beyond ASCII, to tell the encoding by
_PAUSE_CHARS = 64 * limits.KIB  # read between two pauses
_ROW_OVERHEAD_CHARS = 64  # what an empty row costs, in characters


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
    yield
    rows: list[SheetRow] = []
    heading: list[str] | None = None
    for row in _records(text, _separator(text)):
        if row is None:
            yield
        elif heading is None:
            heading = row.cells
            _require_heading(heading)
        elif len(rows) == limits.UPLOAD_ROWS_MAX:
            raise FileRefused(Fault.TOO_MANY_ROWS)
        else:
            rows.append(row)
    if heading is None:
        raise FileRefused(Fault.EMPTY)
    if not rows:
        raise FileRefused(Fault.NO_ROWS)
    return Sheet([cell.strip() for cell in heading], rows)


def decode(raw: bytes) -> str:
    """UTF-8, with or without a byte order mark; else Windows-1255 if words look Hebrew, or 1252."""
    if not raw.strip():
        raise FileRefused(Fault.EMPTY)
    if raw.startswith(_WORKBOOKS):
        raise FileRefused(Fault.WORKBOOK)
    for encoding in _encodings(raw):
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" in text:
            raise FileRefused(Fault.NUL, row=text.count("\n", 0, text.index("\0")) + 1)
        return text
    raise FileRefused(Fault.ENCODING)


def _encodings(raw: bytes) -> Iterator[str]:
    """The likely one, then the other."""
    yield _WIDE.get(raw[:2], "utf-8-sig")
    yield _windows(raw)


def _windows(raw: bytes) -> str:
    """Hebrew words are runs of letters beyond ASCII; in Western words such letters stand alone."""
    first = _NOT_ASCII.search(raw)
    sample = raw[first.start() :][:_SAMPLE_BYTES] if first else b""
    beyond = sum(map(len, _NOT_ASCII.findall(sample)))
    hebrew = sum(map(len, _HEBREW.findall(sample)))
    return "cp1255" if 2 * hebrew > beyond else "cp1252"


def _separator(text: str) -> str:
    """The one that makes most cells of the heading."""

    def cells(separator: str) -> int:
        try:
            return len(next(csv.reader(io.StringIO(text[:65536], ""), delimiter=separator), []))
        except csv.Error:
            return 0

    return max(SEPARATORS, key=cells)


class _Lines:
    """The lines of a text for the CSV reader, which reads a row in one call: none is long."""

    def __init__(self, text: str, separator: str) -> None:
        self._text, self._separator = text, separator
        self._at = 0
        self.row_chars = self._row_cells = 0

    def begin_row(self) -> None:
        self.row_chars = self._row_cells = 0

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        found = _LINE.match(self._text, self._at)
        if found is None or self._at == len(self._text):
            raise StopIteration
        start, self._at = self._at, found.end()
        self.row_chars += self._at - start
        self._row_cells += self._text.count(self._separator, start, self._at)
        if self.row_chars > ROW_CHARS_MAX:
            is_wide = self._row_cells >= limits.UPLOAD_COLUMNS_MAX
            raise FileRefused(Fault.TOO_MANY_COLUMNS if is_wide else Fault.LONG_CELL)
        return found.group()


def _records(text: str, separator: str) -> Iterator[SheetRow | None]:
    """Those with something in them, and None where a pause is due. A cell may have lines; `number`
    counts records, not lines."""
    number = since_pause = 0
    lines = _Lines(text, separator)
    reader = csv.reader(lines, delimiter=separator, strict=True)
    while True:
        number += 1
        if number > SHEET_ROWS_MAX:
            raise FileRefused(Fault.TOO_MANY_ROWS)
        lines.begin_row()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except FileRefused as refused:
            raise FileRefused(refused.fault, row=number) from None
        except csv.Error as error:
            fault = Fault.LONG_CELL if "field limit" in str(error) else Fault.QUOTES
            raise FileRefused(fault, row=number) from None
        if any(cell.strip() for cell in cells):
            yield SheetRow(number, cells)
        since_pause += lines.row_chars + _ROW_OVERHEAD_CHARS
        if since_pause > _PAUSE_CHARS:
            since_pause = 0
            yield None


def _require_heading(cells: list[str]) -> None:
    if len(cells) > limits.UPLOAD_COLUMNS_MAX:
        raise FileRefused(Fault.TOO_MANY_COLUMNS)
    seen: set[str] = set()
    for cell in cells:
        name = cell.strip().casefold()
        if name and name in seen:
            raise FileRefused(Fault.SAME_HEADINGS, row=1, value=cell.strip())
        seen.add(name)
