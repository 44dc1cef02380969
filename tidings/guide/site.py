"""The addresses of the guide and what each answers: pages, their Markdown, search, files.

Pages are rendered when they are first asked for, in a thread of its own, and kept: the event loop
that sends messages never waits for one.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import parse_qs, unquote

import msgspec

from tidings.clock import Clock
from tidings.engine.http.endpoint import PlainResponse
from tidings.engine.http.exchange import Exchange
from tidings.engine.http.respond import send_plain
from tidings.engine.http.unchanged import etag_of, unless_known
from tidings.engine.log import REQUEST_ID
from tidings.engine.metrics.traffic import SharedTraffic, Traffic
from tidings.guide import assistants, library, links, sources, view
from tidings.guide.search import search

HTML = "text/html; charset=utf-8"
MARKDOWN = "text/markdown; charset=utf-8"
TEXT = "text/plain; charset=utf-8"

_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    b"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = (
    (b"content-security-policy", _POLICY),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
_SECURE = (b"strict-transport-security", b"max-age=31536000")  # behind https
_REVALIDATED = (b"cache-control", b"no-cache")
_YEAR = (b"cache-control", b"public, max-age=31536000, immutable")
_TEXTS: dict[str, Callable[[str], str]] = {  # of the public URL
    "/llms.txt": assistants.index,
    "/llms-full.txt": assistants.everything,
}
_NOT_ALLOWED = PlainResponse(405, b"only GET\n", headers=((b"allow", b"GET, HEAD"),))


@dataclass(frozen=True, slots=True)
class _Content:
    """What an address holds."""

    body: bytes
    content_type: str
    status: int = 200
    is_kept: bool = True  # the same for everybody, until the service is replaced
    caching: tuple[bytes, bytes] = _REVALIDATED


class Guide:
    """Answers /guide and everything below it, /llms.txt and /llms-full.txt."""

    def __init__(self, public_url: str, clock: Clock, traffic: Traffic | SharedTraffic) -> None:
        self._url = public_url
        self._clock = clock
        self._traffic = traffic
        is_secure = public_url.startswith("https://")
        self._headers = (*_HEADERS, _SECURE) if is_secure else _HEADERS
        self._kept: dict[str, PlainResponse] = {}
        self._renderer = ThreadPoolExecutor(1, thread_name_prefix="guide")

    async def __call__(self, exchange: Exchange) -> None:
        REQUEST_ID.set(exchange.id)
        started = self._clock.monotonic()
        self._traffic.in_flight += 1
        try:
            response = await self._respond(exchange)
            exchange.status = response.status
            await send_plain(exchange, response)
        finally:
            self._traffic.in_flight -= 1
            seconds = self._clock.monotonic() - started
            self._traffic.record(links.PREFIX, exchange.status, seconds)

    async def _respond(self, exchange: Exchange) -> PlainResponse:
        if exchange.method not in ("GET", "HEAD"):
            exchange.must_close = True  # a body is not read
            return _NOT_ALLOWED
        path = unquote(exchange.raw_path.decode("latin-1"))
        response = self._kept.get(path)
        if response is None:
            loop = asyncio.get_running_loop()
            query = exchange.raw_query.decode("latin-1")
            response = await loop.run_in_executor(self._renderer, self._make, path, query)
        return unless_known(response, exchange.headers)

    def _make(self, path: str, query: str) -> PlainResponse:
        """In the renderer's thread."""
        content = self._find(path, query)
        headers = (*self._headers, content.caching)
        if content.is_kept:
            headers = (*headers, etag_of(content.body))
        made = PlainResponse(content.status, content.body, content.content_type, headers)
        if content.is_kept:
            self._kept[path] = made
        return made

    def _find(self, path: str, query: str) -> _Content:
        below = path.removeprefix(links.PREFIX).removeprefix("/")
        if path in _TEXTS:
            return _Content(_TEXTS[path](self._url).encode(), TEXT)
        if path in (f"{links.PREFIX}/search", f"{links.PREFIX}/search.json"):
            return _search(query, as_json=path.endswith(".json"))
        if path.startswith(view.STATIC_PREFIX):
            return _static(path.removeprefix(view.STATIC_PREFIX))
        if f"{sources.DOCS}/{below}" in sources.files():
            return _file(f"{sources.DOCS}/{below}")
        return self._page(below)

    def _page(self, below: str) -> _Content:
        address = below.removesuffix(".md").removesuffix("/")
        found = library.find("" if address == "index" else address)
        if found is None:
            return _Content(view.missing().encode(), HTML, status=404, is_kept=False)
        if below.endswith(".md"):
            return _Content(library.as_markdown(found, self._url).encode(), MARKDOWN)
        return _Content(view.page(found).encode(), HTML)


def _search(query: str, *, as_json: bool) -> _Content:
    wanted = parse_qs(query).get("q", [""])[0]
    found = search(wanted)
    if not as_json:
        return _Content(view.results(wanted, found).encode(), HTML, is_kept=False)
    shown = [
        {
            "url": one.section.url,
            "page": one.section.page,
            "heading": one.section.heading,
            "excerpt": one.excerpt,
        }
        for one in found
    ]
    return _Content(msgspec.json.encode({"results": shown}), "application/json", is_kept=False)


def _static(name: str) -> _Content:
    kind = view.STATIC_TYPES.get(PurePosixPath(name).suffix)
    if kind is None or name not in {path.name for path in view.STATIC.iterdir()}:
        return _Content(b"not found\n", TEXT, status=404, is_kept=False)
    return _Content((view.STATIC / name).read_bytes(), kind, caching=_YEAR)


def _file(source: str) -> _Content:
    return _Content(sources.read_file(source), sources.FILE_TYPES[PurePosixPath(source).suffix])
