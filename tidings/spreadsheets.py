"""CSV files that are opened in spreadsheets. Pure."""

import csv
import io
from collections.abc import Iterable, Sequence

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet evaluates cells that begin with these
BYTE_ORDER_MARK = b"\xef\xbb\xbf"  # tells a spreadsheet that a file is UTF-8


def text_cell(text: str) -> str:
    """Untrusted text, escaped so that a spreadsheet does not evaluate it (CSV injection)."""
    return f"'{text}" if text.startswith(FORMULA) else text


def csv_text(rows: Iterable[Sequence[str | int | float]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(rows)
    return out.getvalue()
