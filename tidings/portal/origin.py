"""Where a form was sent from. Browsers say it with every form they send, and no page can change
what they say: the second belt beside the token of the form (CSRF). Pure."""

from collections.abc import Mapping
from urllib.parse import urlsplit


def is_own(headers: Mapping[str, str], public_url: str) -> bool:
    """Whether the site is this one, by the name it was asked under or its public one. Programs
    that are no browsers say nothing."""
    if headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        return False
    origin = headers.get("origin")
    return origin is None or _host(origin) in (headers.get("host", ""), _host(public_url))


def _host(address: str) -> str:
    try:
        return urlsplit(address).netloc
    except ValueError:
        return ""
