"""The public listener's application: pages under /portal and /guide, the API everywhere else.

The pages are imported with the first visit, or by `prepare` once the process is idle: with their
templates and languages they are a quarter of what there is to import, and no message needs them.
"""

import asyncio
from typing import TYPE_CHECKING

from tidings.app import Service
from tidings.engine.http.endpoint import PlainResponse
from tidings.engine.http.exchange import Exchange
from tidings.engine.http.respond import send_plain

if TYPE_CHECKING:
    from tidings.guide.site import Guide
    from tidings.portal.portal import Portal

_PREFIX = b"/portal"
_GUIDE = b"/guide"
_FOR_ASSISTANTS = (b"/llms.txt", b"/llms-full.txt")
_TO_PORTAL = ((b"location", b"/portal/"),)


class Front:
    """`GET /` leads a browser to the portal."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._api = service.shell if "api" in service.roles else None
        self._has_portal = "portal" in service.roles
        self._portal: Portal | None = None
        self._guide: Guide | None = None

    async def __call__(self, exchange: Exchange) -> None:
        path = exchange.raw_path
        if _is_below(path, _GUIDE) or path in _FOR_ASSISTANTS:
            guide = self._guide or await self._open_guide()
            await guide(exchange)
            return
        if self._has_portal:
            if _is_below(path, _PREFIX):
                portal = self._portal or await self._open_portal()
                await portal(exchange)
                return
            if path == b"/" and exchange.method in ("GET", "HEAD") and _is_browser(exchange):
                await _send(exchange, PlainResponse(302, b"", headers=_TO_PORTAL))
                return
        if self._api is None:
            await _send(exchange, PlainResponse(404, b"not found\n"))
            return
        await self._api(exchange)

    async def _open_portal(self) -> "Portal":
        await asyncio.to_thread(_import_pages)  # not on the loop: it takes most of a second
        from tidings.portal.portal import Portal

        if self._portal is None:  # another visit may have come meanwhile
            self._portal = Portal(self._service.ctx, self._service.intake.proxies)
        return self._portal

    async def _open_guide(self) -> "Guide":
        await asyncio.to_thread(_import_guide)
        from tidings.guide.site import Guide

        if self._guide is None:
            ctx = self._service.ctx
            self._guide = Guide(ctx.settings.public_url, ctx.clock, ctx.metrics.traffic)
        return self._guide


def prepare() -> None:
    """Load all that pages need, so that no visitor waits for it. It is called in a thread of its
    own, while the service serves already."""
    _import_pages()
    from tidings.portal import render

    render.prepare()


def _import_pages() -> None:
    import tidings.portal.portal  # noqa: F401 - only loads the pages


def _import_guide() -> None:
    import tidings.guide.site  # noqa: F401 - only loads the documentation


def _is_below(path: bytes, prefix: bytes) -> bool:
    return path.startswith(prefix) and path[len(prefix) :][:1] in (b"", b"/")


async def _send(exchange: Exchange, response: PlainResponse) -> None:
    exchange.status = response.status
    await send_plain(exchange, response)


def _is_browser(exchange: Exchange) -> bool:
    return b"text/html" in exchange.headers.get(b"accept", b"")
