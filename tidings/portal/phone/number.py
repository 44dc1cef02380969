"""Numbers as people write them. Pure."""

from tidings import phone

_SIGNS = str.maketrans("", "", "+-() \u200e\u200f\u202a\u202c")


def as_digits(written: str) -> str:
    """Without the spaces, dashes, brackets and + that people write, and signs of direction."""
    return written.translate(_SIGNS)


def require_guest(written: str) -> str:
    return phone.require(as_digits(written), "number")
