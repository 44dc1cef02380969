"""CSV files as spreadsheets write them: encodings, separators, and what is refused."""

from contextlib import suppress

import pytest

from tidings import limits
from tidings.engine.http.outline import Steps
from tidings.features.batches.csv_file import (
    ROW_CHARS_MAX,
    SHEET_ROWS_MAX,
    Fault,
    FileRefused,
    Sheet,
    decode,
    read_sheet,
)


def read(raw: bytes | str) -> Sheet:
    return run(read_sheet(raw.encode() if isinstance(raw, str) else raw))


def run(steps: Steps[Sheet]) -> Sheet:
    try:
        while True:
            next(steps)
    except StopIteration as ended:
        sheet: Sheet = ended.value
        return sheet


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_separator_is_that_of_the_heading(separator: str) -> None:
    sheet = read(separator.join(["phone", "a name"]) + "\r\n" + separator.join(["1", "x"]) + "\r\n")
    assert sheet.heading == ["phone", "a name"]
    assert [row.cells for row in sheet.rows] == [["1", "x"]]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8", "דנה, Zoë, سلام"),
        ("utf-8-sig", "דנה"),
        ("utf-16", "דנה"),
        ("cp1255", "שלום לדנה ולמשפחת כהן"),
        ("cp1252", "Zoë Müller à Orléans"),
        ("cp1252", "plain"),
    ],
)
def test_encodings_of_spreadsheets(encoding: str, text: str) -> None:
    assert decode(text.encode(encoding)) == text


def test_rows_are_numbered_as_in_the_spreadsheet() -> None:
    sheet = read('phone,name\n1,"two\nlines"\n\n,,\n2,x\n')
    assert [row.number for row in sheet.rows] == [2, 5]
    assert sheet.rows[0].cells[1] == "two\nlines"


def test_quotation_marks_and_separators_inside_cells() -> None:
    assert read('phone,name\n1,"Dana ""D"", Levi"\n').rows[0].cells[1] == 'Dana "D", Levi'


def test_a_formula_is_a_text() -> None:
    assert read("phone,name\n1,=1+1\n").rows[0].cells[1] == "=1+1"


@pytest.mark.parametrize(
    ("raw", "fault", "row"),
    [
        (b"", Fault.EMPTY, 0),
        (b" \r\n\n", Fault.EMPTY, 0),
        (b"\xef\xbb\xbf,,\n", Fault.EMPTY, 0),
        (b"PK\x03\x04", Fault.WORKBOOK, 0),
        (b"a,b\n1,\x81\n", Fault.ENCODING, 0),
        (b"a,b\n1,2\n1,\x00\n", Fault.NUL, 3),
        ("a,b\n1,2\n".encode("utf-16-le"), Fault.NUL, 1),
        (b'a,b\n1,2\n3,"open\n5,6\n', Fault.QUOTES, 3),
        (b'a,b\n1,"x"y\n', Fault.QUOTES, 2),
        (b"a,b\n1," + b"x" * 200_000, Fault.LONG_CELL, 2),
        (b"a,b\n\n,\n", Fault.NO_ROWS, 0),
        (b"a\n" + b"1\n" * (limits.UPLOAD_ROWS_MAX + 1), Fault.TOO_MANY_ROWS, 0),
        (b"," * limits.UPLOAD_COLUMNS_MAX + b"a\n1\n", Fault.TOO_MANY_COLUMNS, 0),
        (b"Name,phone, name \n1,2,3\n", Fault.SAME_HEADINGS, 1),
        (b"a\n" + b"\n" * SHEET_ROWS_MAX + b"1\n", Fault.TOO_MANY_ROWS, 0),
        (b"a,b\n1,2\n" + b"," * (ROW_CHARS_MAX + 1), Fault.TOO_MANY_COLUMNS, 3),
        (b"a,b\n" + b'"x\n",' * ROW_CHARS_MAX, Fault.TOO_MANY_COLUMNS, 2),
        (b"a,b\n1," + b"y" * ROW_CHARS_MAX, Fault.LONG_CELL, 2),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_row(raw: bytes, fault: Fault, row: int) -> None:
    with pytest.raises(FileRefused) as refused:
        read(raw)
    assert (refused.value.fault, refused.value.row) == (fault, row)


@pytest.mark.parametrize("row", [b"\n", b",\n", b"1," + b"x" * 1000 + b"\n"])
def test_reading_pauses_often_whatever_the_rows_are(row: bytes) -> None:
    size = 1 << 20
    steps = read_sheet(b"a,b\n" + row * (size // len(row)))
    pauses = 0
    with suppress(FileRefused, StopIteration):
        while True:
            next(steps)
            pauses += 1
    assert pauses >= size // (256 << 10)


def test_the_widest_rows_are_read() -> None:
    wide = ",".join(["y" * 1024] * limits.UPLOAD_COLUMNS_MAX)
    heading = ",".join(f"c{n}" for n in range(limits.UPLOAD_COLUMNS_MAX))
    assert [len(row.cells) for row in read(f"{heading}\n{wide}\n{wide}").rows] == [100, 100]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_any_machine_ends_them(end: str) -> None:
    rows = read(end.join(["phone,name", "1,Dana", "", '2,"No\r\na"'])).rows
    assert [(row.number, row.cells) for row in rows] == [(2, ["1", "Dana"]), (4, ["2", "No\r\na"])]


def test_the_largest_file_is_read() -> None:
    assert len(read(b"a\n" + b"1\n" * limits.UPLOAD_ROWS_MAX).rows) == limits.UPLOAD_ROWS_MAX
