"""Rows of a sheet: which column is what, and every mistake with its place."""

from uuid import UUID

import pytest

from tidings.features.batches.csv_file import Sheet, SheetRow
from tidings.features.batches.sheet_rows import (
    CheckedRows,
    Columns,
    Mistake,
    Slip,
    check,
    guess,
    letter,
)
from tidings.features.templates.model import Template

ACCOUNT, BATCH = UUID(int=1), UUID(int=2)
TEMPLATE = Template("hello", "en", "UTILITY", "APPROVED", body="Hello {{1}}")
COLUMNS = Columns(1, 0, (2,))
HEADING = ["id", "phone", "name"]


def checked(*rows: list[str], columns: Columns = COLUMNS) -> CheckedRows:
    sheet = Sheet(HEADING, [SheetRow(number, cells) for number, cells in enumerate(rows, 2)])
    steps = check(ACCOUNT, BATCH, sheet, columns, TEMPLATE)
    try:
        while True:
            next(steps)
    except StopIteration as ended:
        found: CheckedRows = ended.value
        return found


def test_a_good_row_is_a_request() -> None:
    [request] = checked(["guest-0001", "+972 (50) 123-4567", " Dana "]).requests.values()
    assert (request.account_id, request.batch_id) == (ACCOUNT, BATCH)
    assert (request.client_message_id, request.to) == ("guest-0001", "972501234567")
    assert request.template is not None and request.template.params == ("Dana",)


@pytest.mark.parametrize(
    ("cells", "column", "slip"),
    [
        (["guest-0001", "", "Dana"], "phone", Slip.NUMBER_MISSING),
        (["guest-0001", "0501234567x", "Dana"], "phone", Slip.NUMBER_INVALID),
        (["guest-0001", "9.72501E+11", "Dana"], "phone", Slip.NUMBER_ROUNDED),
        (["", "972501234567", "Dana"], "id", Slip.ID_MISSING),
        (["guest", "972501234567", "Dana"], "id", Slip.ID_LENGTH),
        (["x" * 129, "972501234567", "Dana"], "id", Slip.ID_LENGTH),
        (["guest\u200b0001", "972501234567", "Dana"], "id", Slip.ID_UNREADABLE),
        (["guest-0001", "972501234567"], "name", Slip.VALUE_MISSING),
        (["guest-0001", "972501234567", "a\nb"], "name", Slip.VALUE_LINES),
        (["guest-0001", "972501234567", "x" * 1025], "name", Slip.VALUE_LENGTH),
        (["guest-0001", "972501234567", "Levi", " Dana"], "", Slip.CELLS),
    ],
)
def test_each_mistake_has_its_place(cells: list[str], column: str, slip: Slip) -> None:
    found = checked(cells)
    assert found.requests == {}
    assert [(one.row, one.column, one.slip) for one in found.mistakes] == [(2, column, slip)]


def test_all_mistakes_of_a_row_are_told() -> None:
    found = checked(["", "", ""]).mistakes
    assert [one.column for one in found] == ["phone", "id", "name"]


def test_a_repeated_id_names_the_first_row() -> None:
    good = ["guest-0001", "972501234567", "Dana"]
    found = checked(good, good)
    assert list(found.requests) == [2]
    assert found.mistakes == [Mistake(3, "id", "guest-0001", Slip.ID_REPEATED, "2")]


def test_without_a_column_ids_are_those_of_the_file() -> None:
    columns = Columns(1, None, (2,))
    row = ["", "972501234567", "Dana"]
    first = checked(row, row, columns=columns)
    again = checked(row, row, columns=columns)
    other = checked(row, columns=columns)
    ids = [one.client_message_id for one in first.requests.values()]
    assert len(set(ids)) == 2
    assert ids == [one.client_message_id for one in again.requests.values()]
    assert ids[0] != other.requests[2].client_message_id


@pytest.mark.parametrize(
    ("heading", "columns"),
    [
        (["id", "phone", "name"], Columns(1, 0, (2,))),
        (["Name", "Mobile number"], Columns(1, None, (0,))),
        (["שם", "טלפון נייד", "מזהה"], Columns(1, 2, (0,))),
        (["a"], Columns(0, None, (0,))),
        (["clientMessageId", "to", "first name"], Columns(1, 0, (2,))),
    ],
)
def test_headings_suggest_columns(heading: list[str], columns: Columns) -> None:
    assert guess(heading, 1) == columns


def test_columns_without_a_heading_have_letters() -> None:
    assert [letter(index) for index in (0, 25, 26, 99)] == ["A", "Z", "AA", "CV"]
