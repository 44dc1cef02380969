"""Words about uploaded files: why one is refused, and what is wrong with a row. For translation."""

from tidings.features.batches.csv_file import Fault
from tidings.features.batches.sheet_rows import Slip


def _(text: str) -> str:
    return text


FAULTS = {
    Fault.EMPTY: _("The file is empty. The first row is the heading, people come below it."),
    Fault.WORKBOOK: _("This is an Excel workbook. Save it as CSV, and choose that file."),
    Fault.ENCODING: _("The letters of this file cannot be read. Save it as CSV UTF-8."),
    Fault.NUL: _("Row %(row)s has characters that are no text. Save the file as CSV UTF-8."),
    Fault.QUOTES: _(
        'The quotation marks of row %(row)s do not match. Close each one, and write "" for one '
        "inside a cell."
    ),
    Fault.LONG_CELL: _("Row %(row)s has a cell that is far too long for a message."),
    Fault.NO_ROWS: _("The file has only a heading. Add a row for each person."),
    Fault.TOO_MANY_ROWS: _("The file has more than 10,000 rows. Divide it into several files."),
    Fault.TOO_MANY_COLUMNS: _("The file has more than 100 columns. Leave out those not needed."),
    Fault.SAME_HEADINGS: _('Two columns are called "%(value)s". Give each its own heading.'),
}
SLIPS = {  # what is wrong, and what to do
    Slip.NUMBER_MISSING: (_("There is no number."), _("Fill in the number.")),
    Slip.NUMBER_INVALID: (
        _("This is not a number in international format."),
        _("Write the country code first, such as 972501234567."),
    ),
    Slip.NUMBER_ROUNDED: (
        _("The spreadsheet has shortened the number."),
        _("Format the column as text, and enter the number again."),
    ),
    Slip.ID_MISSING: (_("There is no id."), _("Fill in an id, or choose no column for ids.")),
    Slip.ID_LENGTH: (_("An id has 8 to 128 characters."), _("Use a longer or shorter id.")),
    Slip.ID_UNREADABLE: (_("The id has characters that cannot be seen."), _("Type the id again.")),
    Slip.ID_REPEATED: (_("Row %(detail)s has the same id."), _("Give each row its own id.")),
    Slip.ID_USED: (
        _("A message with this id was sent before."),
        _("Nothing is sent twice. Use another id if it should be."),
    ),
    Slip.VALUE_MISSING: (_("The cell is empty."), _("Fill it in.")),
    Slip.VALUE_LINES: (
        _("The text has several lines, a tab or five spaces in a row."),
        _("Write it on one line."),
    ),
    Slip.VALUE_LENGTH: (_("The text has more than 1,024 characters."), _("Shorten it.")),
    Slip.CELLS: (
        _("The row has more cells than the heading."),
        _("Put text with a comma in quotation marks."),
    ),
    Slip.REFUSED: ("%(detail)s", _("Correct it, or leave the row out.")),
}
