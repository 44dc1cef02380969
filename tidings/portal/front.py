"""The public listener's application: pages under /portal, the API everywhere else.

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
    from tidings.portal.portal import Portal

_PREFIX = b"/portal"
_TO_PORTAL = ((b"location", b"/portal/"),)


class Front:
    """`GET /` leads a browser to the portal."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._api = service.shell if "api" in service.roles else None
        self._has_portal = "portal" in service.roles
        self._portal: Portal | None = None

    async def __call__(self, exchange: Exchange) -> None:
        path = exchange.raw_path
        if self._has_portal:
            if path.startswith(_PREFIX) and path[len(_PREFIX) :][:1] in (b"", b"/"):
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


def prepare() -> None:
    """Load all that pages need, so that no visitor waits for it. It is called in a thread of its
    own, while the service serves already."""
    _import_pages()
    from tidings.portal import render

    render.prepare()


def _import_pages() -> None:
    import tidings.portal.portal  # noqa: F401 - only loads the pages


async def _send(exchange: Exchange, response: PlainResponse) -> None:
    exchange.status = response.status
    await send_plain(exchange, response)


def _is_browser(exchange: Exchange) -> bool:
    return b"text/html" in exchange.headers.get(b"accept", b"")
