"""A link's code, when it leads on, and which template buttons it can serve (4.1, 4.8). Pure.

docs/decisions/0012-links.md
"""

import re
from datetime import datetime
from ipaddress import IPv4Address, ip_address

from yarl import URL

from tidings import limits, times
from tidings.errors import ApiError, Code, ErrorCode


class LinkCode(ErrorCode):
    """The error codes of links (section 7)."""

    LINK_NOT_FOUND = (
        404,
        "there is no link with this code",
        "Use the code from the answer to POST /links of the same account.",
    )


_CODE = re.compile(f"[0-9A-Za-z]{{{limits.LINK_CODE_CHARS}}}")
_BUTTON = re.compile(r"([^?#@]+/r/)\{\{[0-9]+\}\}")
_NEIGHBOURS_BITS = 64  # of an IPv6 address: what one household or phone is given


def is_code(text: str) -> bool:
    """Whether we could have given this code out. Only then is it worth a look-up."""
    return _CODE.fullmatch(text) is not None


def short_url(public_url: str, code: str) -> str:
    return f"{public_url}/r/{code}"


def require_future(expires_at: datetime, now: datetime) -> None:
    if expires_at <= now:
        problem = (
            f"expiresAt must lie in the future; the account's time is {times.to_wire(now)}. "
            "Leave it out for a link without an end"
        )
        raise ApiError(Code.VALIDATION_ERROR, problem, field="expiresAt")


def is_active(expires_at: datetime | None, now: datetime, *, switched_on: bool) -> bool:
    """Whether a link leads on. `switched_on`: neither it nor its account has been disabled."""
    return switched_on and (expires_at is None or now < expires_at)


def is_ours(button_url: str, public_url: str) -> bool:
    """Whether a template's URL button can carry a link: `{public_url}/r/` and then its variable.

    Host and port are TIDINGS_PUBLIC_URL's. An https button also suits a service that calls itself
    http (development); the other way round the guest would travel unprotected.
    """
    shape = _BUTTON.fullmatch(button_url)
    if shape is None:
        return False
    try:
        button, ours = URL(shape[1], encoded=True), URL(public_url + "/r/")
        same_place = _place(button) == _place(ours)
    except ValueError:
        return False
    return (
        same_place and button.raw_path == ours.raw_path and button.scheme in ("https", ours.scheme)
    )


def _place(url: URL) -> tuple[str, int | None]:
    """Host, in its one spelling, and port; the scheme's own port counts as none."""
    host = url.with_host(url.raw_host or "").raw_host or ""  # lower case, IDNA
    return host.removesuffix("."), None if url.is_default_port() else url.explicit_port


def neighbours(address: str) -> str:
    """Whom misses are counted for: an IPv4 address, or the network an IPv6 address lies in."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv4Address):
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return f"{int(parsed) >> (parsed.max_prefixlen - _NEIGHBOURS_BITS):x}::"
