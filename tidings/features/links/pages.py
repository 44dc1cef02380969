"""The responses of /r/{code}: the redirect, or a small error page. Pure."""

import base64
import hashlib

from tidings.engine.http.endpoint import PlainResponse
from tidings.wording import counted

_STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:1.125rem/1.5 system-ui,sans-serif;margin:20vh auto 0;max-width:30rem;padding:0 1rem}"
    "h1{font-size:1.375rem;margin:0}p{margin:.5rem 0 0;opacity:.8}"
)
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_PRIVATE: tuple[tuple[bytes, bytes], ...] = (
    (b"cache-control", b"no-store"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-robots-tag", b"noindex, nofollow"),
)
_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<h1>{title}</h1>
<p>{text}</p>
</body>
</html>
"""


def redirect(url: str) -> PlainResponse:
    """302 to the destination, byte for byte as it was stored."""
    return PlainResponse(302, b"", headers=((b"location", url.encode("ascii")), *_PRIVATE))


def _page(status: int, title: str, text: str, retry_after: int | None = None) -> PlainResponse:
    headers = (*_PRIVATE, (b"content-security-policy", _POLICY.encode()))
    if retry_after is not None:
        headers += ((b"retry-after", str(retry_after).encode()),)
    html = _PAGE.format(title=title, text=text, style=_STYLE)
    return PlainResponse(status, html.encode(), "text/html; charset=utf-8", headers)


UNKNOWN = _page(
    404, "This link does not exist", "Check that the address is complete, or ask for it again."
)
GONE = _page(
    410, "This link is no longer active", "Please ask whoever sent it to you for a new one."
)
UNAVAILABLE = _page(
    503, "Please try again in a moment", "The link could not be opened just now.", 1
)


def slow_down(retry_after: int) -> PlainResponse:
    return _page(
        429,
        "Too many unknown links",
        f"Please try again in {counted(retry_after, 'second')}.",
        retry_after,
    )
