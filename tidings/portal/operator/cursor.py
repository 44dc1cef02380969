"""The key of a list's page in the address; one that is not ours begins the list anew."""

from typing import TypeVar

from tidings.engine.http.pagination import decode_cursor
from tidings.errors import ApiError
from tidings.portal.visit import Visit

T = TypeVar("T")


def page_key(visit: Visit, kind: type[T]) -> T | None:
    given = visit.query.get("cursor", "")
    if not given:
        return None
    try:
        return decode_cursor(given, kind)
    except ApiError:
        return None
