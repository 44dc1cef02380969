"""Link codes, when a link redirects, and which template buttons can use it (4.1, 4.8). Pure.

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
_SUBSCRIBER_BITS = 64  # the IPv6 prefix that one household or phone gets


def is_code(text: str) -> bool:
    """Whether the text has the format of a code; anything else needs no database query."""
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
    """Whether a link redirects. `switched_on`: neither it nor its account is disabled."""
    return switched_on and (expires_at is None or now < expires_at)


def is_ours(button_url: str, public_url: str) -> bool:
    """Whether a template's URL button can carry a link: `{public_url}/r/` and then its variable.

    Host and port must be those of TIDINGS_PUBLIC_URL. An https button is accepted for an http
    service (development), but not the reverse: the guest's request would be unencrypted.
    """
    shape = _BUTTON.fullmatch(button_url)
    if shape is None:
        return False
    try:
        button, ours = URL(shape[1], encoded=True), URL(public_url + "/r/")
        same_host = _host_and_port(button) == _host_and_port(ours)
    except ValueError:
        return False
    return (
        same_host and button.raw_path == ours.raw_path and button.scheme in ("https", ours.scheme)
    )


def _host_and_port(url: URL) -> tuple[str, int | None]:
    """The normalized host, and the port; None for the scheme's default port."""
    host = url.with_host(url.raw_host or "").raw_host or ""  # lower case, IDNA
    return host.removesuffix("."), None if url.is_default_port() else url.explicit_port


def rate_limit_key(address: str) -> str:
    """What misses are counted by: the IPv4 address, or the /64 network of the IPv6 address."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv4Address):
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return f"{int(parsed) >> (parsed.max_prefixlen - _SUBSCRIBER_BITS):x}::"
