"""Checks by form that a URL is https on a public host (INVALID_URL; 4.1, 4.4, 4.8, 4.10). Pure.

No DNS lookup happens here; the resolved address is checked with the same `is_public` at every
connect (engine/http/outbound/connector.py). The same parser is used for the check and for the
request, yarl with `encoded=True`: path and query stay byte for byte as the customer wrote them, and
only the host is normalized. docs/decisions/0006-egress-guard.md gives the reasons.
"""

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import quote

from yarl import URL

from tidings import limits, wording
from tidings.errors import ApiError, Code, ErrorCode

Address = IPv4Address | IPv6Address

POST_PORTS = frozenset({443, 8443})  # OPEN: docs/decisions/0006-egress-guard.md

_PRIVATE_IPV4 = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
        "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
    )
)  # fmt: skip
_PUBLIC_IPV6 = IPv6Network("2000::/3")
_PRIVATE_IPV6 = tuple(
    IPv6Network(text) for text in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
)

# Names of the local machine or network (RFC 6761, 6762, 8375; ICANN for .internal). .test, .example
# and .invalid are allowed: they never resolve, and documentation and tests use them.
_PRIVATE_NAMES = (".localhost", ".localdomain", ".local", ".internal", ".home.arpa")

_ANY = URL("https://host")
_AUTHORITY = re.compile(r"(?:\[[^\[\]@]*:[^\[\]@]*\]|[^\[\]@:]*)(?::([0-9]{0,5}))?")
_USER = re.compile(r"^([A-Za-z]+://)?.*@", re.DOTALL)
_PORTS = limits.Between(1, 65535)
_NAME_CHARS_MAX = 253
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")  # as the last label: a form of an IPv4 address
_LEGAL = "%/?#[]@!$&'()*+,;=:~"  # RFC 3986; other characters in a path or query are percent-encoded
_NO_HOST = "must have a valid host; write it as https://example.com/path"
_NOT_PUBLIC = "must be on a public host; use a name or address that the whole internet can reach"


class _Unfit(Exception):
    """Why a URL is refused: the rule and the fix. Internal to this module."""


def require_public(
    url: str, field: str, code: ErrorCode = Code.INVALID_URL, *, allow_private: bool = False
) -> str:
    """The normalized URL; refused unless it is https on a public host.

    `allow_private` (TIDINGS_ALLOW_PRIVATE_WEBHOOKS, development only) also accepts http and private
    hosts; every other rule still applies.
    """
    try:
        return str(_public(url, allow_private=allow_private))
    except _Unfit as unfit:
        raise ApiError(code, f"{field} {unfit}, got {_shown(url)}", field=field) from None


def require_postable(
    url: str, field: str, code: ErrorCode = Code.INVALID_URL, *, allow_private: bool = False
) -> str:
    """`require_public` that also checks the port: for webhookUrl and callbackUrl."""
    text = require_public(url, field, code, allow_private=allow_private)
    if not allow_private and URL(text, encoded=True).port not in POST_PORTS:
        problem = f"{field} must be on port 443 or 8443, got {_shown(url)}"
        raise ApiError(code, problem, field=field)
    return text


def find_postable(url: str, *, allow_private: bool) -> URL | None:
    """The parsed URL, or None if `require_postable` would refuse it."""
    try:
        text = require_postable(url, "url", allow_private=allow_private)
    except ApiError:
        return None
    return URL(text, encoded=True)


def is_public(address: Address) -> bool:
    """Whether an address is on the public internet. Unknown ranges are not.

    Not `ipaddress.is_global`: Python 3.11 treats multicast, NAT64 and 6to4 as global, and the last
    two can reach any IPv4 address that the sender chooses.
    """
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _PRIVATE_IPV4)
    if address.scope_id is not None:
        return False
    if address.ipv4_mapped is not None:
        return is_public(address.ipv4_mapped)
    return address in _PUBLIC_IPV6 and not any(address in network for network in _PRIVATE_IPV6)


def _shown(url: str) -> str:
    """A refused URL, shortened for the error message. Parts that may be secret are left out: user
    name, password and query."""
    address, mark, _ = url[: limits.URL_CHARS_MAX].partition("?")
    return wording.quote(_USER.sub(r"\1***@", address) + (f"{mark}…" if mark else ""))


def _public(text: str, *, allow_private: bool) -> URL:
    _check_characters(text)
    try:
        url = URL(text, encoded=True)
        _check_authority(url, allow_private=allow_private)
        host = _host(url.raw_host or "", allow_private=allow_private)
        # str() omits the scheme's default port; setting it to None also removes an empty port.
        url = url.with_host(host).with_port(url.explicit_port)
    except (ValueError, IndexError):  # from yarl, which raises IndexError for "https://[]@"
        raise _Unfit("is not a URL; write it as https://host/path") from None
    url = URL(quote(str(url), safe=_LEGAL), encoded=True)
    _check_length(str(url))
    return url


def _check_characters(text: str) -> None:
    _check_length(text)
    if "\\" in text:
        raise _Unfit("must not contain a backslash; write / or %5C")
    if " " in text or not text.isprintable():
        raise _Unfit("must not contain spaces or control characters; percent-encode them")


def _check_length(text: str) -> None:
    if len(text) > limits.URL_CHARS_MAX:
        raise _Unfit(f"must be at most {limits.URL_CHARS_MAX} characters, percent-encoded")


def _check_authority(url: URL, *, allow_private: bool) -> None:
    if url.scheme != "https" and not (allow_private and url.scheme == "http"):
        raise _Unfit("must be https; write it as https://host/path")
    if "@" in url.raw_authority:
        raise _Unfit("must not contain a user name or password; remove what stands before @")
    shape = _AUTHORITY.fullmatch(url.raw_authority)
    if shape is None:
        raise ValueError(url.raw_authority)
    if shape[1] and int(shape[1]) not in _PORTS:
        raise _Unfit(f"must have a port from {_PORTS}, or none")


@lru_cache(maxsize=1024)
def _host(raw: str, *, allow_private: bool) -> str:
    """A normalized host: lower case, IDNA, no final dot; IP addresses in canonical form."""
    if ":" in raw:
        return _address(raw, allow_private=allow_private)
    if not raw or len(raw) > _NAME_CHARS_MAX + 1:
        raise _Unfit(_NO_HOST)
    _check_letters(raw)
    # IDNA, which with_host applies, also converts full-width and circled digits to ASCII digits.
    name = (_ANY.with_host(raw).raw_host or "").removesuffix(".")
    labels = name.split(".")
    if len(name) > _NAME_CHARS_MAX or not all(map(_LABEL.fullmatch, labels)):
        raise _Unfit(_NO_HOST)
    if _NUMBER.fullmatch(labels[-1]):
        return _address(name, allow_private=allow_private)
    if not allow_private and (len(labels) == 1 or f".{name}".endswith(_PRIVATE_NAMES)):
        raise _Unfit(_NOT_PUBLIC)
    return name


def _check_letters(host: str) -> None:
    """IDNA is slow: 200 non-ASCII letters take 5 ms, so longer names must be sent encoded."""
    if not host.isascii() and sum(letter > "\x7f" for letter in host) > limits.IDNA_LETTERS_MAX:
        most = limits.IDNA_LETTERS_MAX
        raise _Unfit(f"has more than {most} letters beyond ASCII in its host; write it as xn--…")


def _address(text: str, *, allow_private: bool) -> str:
    try:
        address = ip_address(text)
    except ValueError:
        raise _Unfit("must have a host name, or an IP address as four decimal numbers") from None
    if not allow_private and not is_public(address):
        raise _Unfit(_NOT_PUBLIC)
    if "%" in text:
        raise _Unfit("must not contain a zone; write the IP address alone")
    return str(address)
