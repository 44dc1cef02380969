"""The addresses of an event's pages. Pure: an id may hold any sign, also a slash."""

from urllib.parse import quote


def event_path(event_id: str, page: str = "") -> str:
    """Under /portal."""
    return f"/events/{quote(event_id, safe='')}{page}"
