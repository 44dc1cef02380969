"""The public listener's application: pages under /portal, the API everywhere else."""

from typing import Any

from starlette.responses import PlainTextResponse, RedirectResponse

from tidings.app import Service
from tidings.portal.portal import Portal

_PREFIX = b"/portal"


class Front:
    """`GET /` leads a browser to the portal."""

    def __init__(self, service: Service) -> None:
        roles = service.roles
        self._api = service.shell if "api" in roles else None
        self._portal = Portal(service.ctx, service.intake.proxies) if "portal" in roles else None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        path: bytes = scope["raw_path"]
        if self._portal is not None:
            if path.startswith(_PREFIX) and path[len(_PREFIX) :][:1] in (b"", b"/"):
                await self._portal(scope, receive, send)
                return
            if path == b"/" and scope["method"] in ("GET", "HEAD") and _is_browser(scope):
                await RedirectResponse("/portal/", 302)(scope, receive, send)
                return
        if self._api is None:
            await PlainTextResponse("not found\n", 404)(scope, receive, send)
            return
        await self._api(scope, receive, send)


def _is_browser(scope: Any) -> bool:
    return any(name == b"accept" and b"text/html" in value for name, value in scope["headers"])
