"""Cells of CSV files that are opened in spreadsheets. Pure."""

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet evaluates cells that begin with these


def text_cell(text: str) -> str:
    """Untrusted text, escaped so that a spreadsheet does not evaluate it (CSV injection)."""
    return f"'{text}" if text.startswith(FORMULA) else text
