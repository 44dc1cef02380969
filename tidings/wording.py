"""Formats values and counts for error messages and command output. Pure."""

SHOWN_CHARS_MAX = 40


def quote(text: str) -> str:
    """A received value in quotation marks, truncated to 40 characters, with invisible characters
    (control, direction and zero-width) escaped."""
    shown = "".join(map(_visible, text[:SHOWN_CHARS_MAX]))
    if len(text) <= SHOWN_CHARS_MAX:
        return f'"{shown}"'
    return f'"{shown}…" ({len(text):,} characters)'


def escaped(text: str) -> str:
    """A received name, with invisible characters escaped."""
    return "".join(one if one.isprintable() else _escape(one) for one in text)


def counted(number: int, noun: str) -> str:
    """`1 variable`, `2 variables`, `1,000 variables`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _visible(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    return character if character.isprintable() else _escape(character)


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode()
