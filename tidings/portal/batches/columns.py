"""New batch, second step: which column is the number, the id, and each variable."""

from functools import partial
from uuid import UUID

from starlette.responses import Response

from tidings.errors import ApiError, Code
from tidings.features.batches import drafts, sheet_rows
from tidings.features.batches.csv_file import SheetRow
from tidings.features.batches.drafts import Draft
from tidings.features.batches.sheet_rows import Columns
from tidings.features.people.roles import Right
from tidings.portal import bubbles
from tidings.portal.bubbles import Bubble
from tidings.portal.page import Page
from tidings.portal.visit import Visit


async def show(visit: Visit) -> Response:
    """The headings suggest the columns, until they are chosen."""
    draft = await load_draft(visit)
    columns = draft.columns or sheet_rows.guess(draft.sheet.heading, draft.template.variables)
    return _page(visit, draft, columns)


async def choose(visit: Visit) -> Response:
    draft = await load_draft(visit)
    columns = _read(visit, draft)
    if columns is None:
        guessed = sheet_rows.guess(draft.sheet.heading, draft.template.variables)
        return _page(visit, draft, guessed)
    await visit.transact(
        partial(
            drafts.choose_columns,
            account_id=visit.chosen.id,
            draft_id=draft.id,
            columns=columns,
        )
    )
    return visit.redirect(f"/batches/new/{draft.id.hex}/check")


async def load_draft(visit: Visit) -> Draft:
    try:
        draft_id = UUID(hex=visit.params["draft"])
    except ValueError:
        raise ApiError(Code.NOT_FOUND) from None
    return await visit.transact(partial(drafts.load, account_id=visit.chosen.id, draft_id=draft_id))


def _page(visit: Visit, draft: Draft, columns: Columns) -> Response:
    names = {"number": columns.number, "id": "" if columns.id is None else columns.id}
    visit.form.fill(names | {f"v{i}": one for i, one in enumerate(columns.variables, 1)})
    heading = draft.sheet.heading
    return visit.page(
        "batches/columns.html",
        draft=draft,
        choices=[(i, sheet_rows.label(heading, i)) for i in range(len(heading))],
        labels=[sheet_rows.label(heading, i) for i in range(len(heading))],
        sample=[row.cells for row in draft.sheet.rows[:3]],
        row=draft.sheet.rows[0],
        bubble_shown=preview_of(draft, columns, draft.sheet.rows[0]),
    )


def preview_of(draft: Draft, columns: Columns, row: SheetRow) -> Bubble:
    """The message of a row."""
    cells = row.cells
    values = [cells[one].strip() if one < len(cells) else "" for one in columns.variables]
    shown = [" ".join(value.split()) or "…" for value in values]
    return bubbles.of_template(draft.template, shown)


def _read(visit: Visit, draft: Draft) -> Columns | None:
    """What was chosen; None where a column is none of the file's."""
    width = len(draft.sheet.heading)

    def column(name: str) -> int | None:
        text = visit.form[name]
        if text.isascii() and text.isdigit() and len(text) < 4 and int(text) < width:
            return int(text)
        visit.form.error(name, visit.gettext("Choose a column."))
        return None

    number = column("number")
    found = column("id") if visit.form["id"] else None
    variables = [column(f"v{i}") for i in range(1, draft.template.variables + 1)]
    if visit.form.errors or number is None:
        return None
    return Columns(number, found, tuple(one for one in variables if one is not None))


PAGES = [Page("/batches/new/{draft}", get=show, post=choose, needs=Right.SEND)]
