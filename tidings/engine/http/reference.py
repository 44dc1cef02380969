"""The browsable reference at /docs: one page, no external resources, a strict CSP.

The page loads the OpenAPI document and shows it. The error codes are in the page itself, so that
`/docs#CODE` finds its place even without scripts. Its parts are in `reference_page/`.
"""

import base64
import hashlib
from collections.abc import Iterable
from functools import cache
from html import escape
from importlib import resources

from tidings.engine.http.endpoint import PlainResponse
from tidings.engine.http.unchanged import etag_of
from tidings.errors import ErrorCode

_SCRIPTS = ("describe.js", "samples.js", "try.js", "page.js")
_REVALIDATED = (b"cache-control", b"no-cache")


@cache
def page(codes: tuple[ErrorCode, ...]) -> PlainResponse:
    """The whole page with inline style and script; the CSP allows exactly these two by hash."""
    style = _read("style.css")
    script = f'"use strict";\n(() => {{\n{"".join(_read(name) for name in _SCRIPTS)}}})();\n'
    html = _read("page.html").replace("{{errors}}", _errors(codes))
    html = html.replace("{{style}}", style).replace("{{script}}", script)
    policy = "; ".join(
        (
            "default-src 'none'",
            f"style-src '{_hash(style)}'",
            f"script-src '{_hash(script)}'",
            "connect-src 'self'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )
    body = html.encode()
    headers = (
        _REVALIDATED,
        etag_of(body),
        (b"content-security-policy", policy.encode()),
        (b"referrer-policy", b"no-referrer"),
    )
    return PlainResponse(200, body, "text/html; charset=utf-8", headers)


def _errors(codes: Iterable[ErrorCode]) -> str:
    return "\n".join(
        f'<article class="error" id="{code.name}" data-code="{code.name}">'
        f'<h3><a href="#{code.name}">{code.name}</a><span class="status">{code.status}</span></h3>'
        f"<p><b>Cause:</b> {escape(code.condition)}.</p>"
        f"<p><b>Fix:</b> {escape(code.remedy)}"
        f' <a href="guide/errors/{code.name}">More</a></p></article>'
        for code in codes
    )


def _read(name: str) -> str:
    return resources.files(__package__).joinpath("reference_page", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
