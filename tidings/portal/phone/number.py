"""Numbers as people write them. Pure."""

from tidings import phone
from tidings.phone import as_digits

__all__ = ["as_digits", "require_guest"]


def require_guest(written: str) -> str:
    return phone.require(as_digits(written), "number")
