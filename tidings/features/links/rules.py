"""What a link's code is, when it leads on, and which template buttons it can serve (4.1, 4.8). Pure.

docs/decisions/0012-links.md
"""

import re
from datetime import datetime
from ipaddress import IPv6Address, ip_address

from yarl import URL

from tidings import limits, times
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account

from .model import Link

_CODE = re.compile(f"[0-9A-Za-z]{{{limits.LINK_CODE_CHARS}}}")
_VARIABLE = re.compile(r"\{\{[0-9]+\}\}\Z")
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


def is_active(link: Link, account: Account, now: datetime) -> bool:
    """Whether it leads on: not switched off, not expired, and its account not disabled."""
    return link.active and account.active and (link.expires_at is None or now < link.expires_at)


def is_ours(button_url: str, public_url: str) -> bool:
    """Whether a template's URL button can carry a link: `{public_url}/r/` and then its variable.

    Host and port are TIDINGS_PUBLIC_URL's. An https button also suits a service that calls itself
    http (development); the other way round the guest would travel unprotected.
    """
    variable = _VARIABLE.search(button_url)
    if variable is None:
        return False
    try:
        button, ours = URL(button_url[: variable.start()], encoded=True), URL(public_url + "/r/")
        same_place = _place(button) == _place(ours)
    except ValueError:
        return False
    return (
        same_place
        and button.raw_path_qs == ours.raw_path_qs
        and not button.raw_user
        and button.scheme in ("https", ours.scheme)
    )


def _place(url: URL) -> tuple[str, int | None]:
    """Host and port; the scheme's own port counts as none."""
    port = None if url.is_default_port() else url.explicit_port
    return (url.raw_host or "").removesuffix("."), port


def neighbours(address: str) -> str:
    """Whom misses are counted for: an IPv4 address, or the network an IPv6 address lies in."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        return str(int(parsed) >> (parsed.max_prefixlen - _NEIGHBOURS_BITS))
    return address
