"""Cells of CSV files, which people open with a spreadsheet. Pure."""

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would evaluate what begins so


def text_cell(text: str) -> str:
    """What somebody else wrote is text, whatever a spreadsheet would make of it."""
    return f"'{text}" if text.startswith(FORMULA) else text
