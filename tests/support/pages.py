"""The platform's own API as a table of pages, for tests of what we read there.

with Pages() as pages:
    pages.show("106540352242922", {"id": "106540352242922", "status": "CONNECTED"})
    pages.answer("media-7", hang)
    ...
    assert pages.asked == [...]
"""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any
from urllib.parse import urlencode

from aiohttp import web

from tests.support.threaded import ThreadedSite

Page = Callable[[web.Request], Awaitable[web.StreamResponse]]
VERSION = "v25.0"


class Pages(ThreadedSite):
    """Listens from `with` on, in a thread of its own. What has no page is refused as unknown."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []  # paths, without the version
        self.tokens: list[str] = []
        self._pages: dict[str, Page] = {}

    def show(self, path: str, found: Any, status: int = 200) -> None:
        async def page(_request: web.Request) -> web.StreamResponse:
            return web.json_response(found, status=status)

        self._pages[path] = page

    def answer(self, path: str, page: Page) -> None:
        self._pages[path] = page

    def refuse(self, path: str, code: int, status: int = 400, **error: Any) -> None:
        words = {"message": f"(#{code}) no", "type": "OAuthException", "code": code} | error
        self.show(path, {"error": words}, status)

    def forget(self, path: str) -> None:
        self._pages.pop(path, None)

    def file(self, media_id: str, data: bytes, mimetype: str) -> None:
        """A file that a guest sent: its page, and its bytes elsewhere."""

        async def send(_request: web.Request) -> web.StreamResponse:
            return web.Response(body=data, content_type=mimetype)

        found = {"id": media_id, "url": f"{self.url}/{VERSION}/files/{media_id}"}
        self.show(media_id, found | {"mime_type": mimetype, "file_size": str(len(data))})
        self.answer(f"files/{media_id}", send)

    def list(self, path: str, items: list[Any], page_size: int = 100) -> None:
        """A list in pages, with cursors as the platform has them."""

        async def page(request: web.Request) -> web.StreamResponse:
            start = int(request.query.get("after", "0"))
            end = start + page_size
            found: dict[str, Any] = {"data": items[start:end]}
            found["paging"] = {"cursors": {"before": str(start), "after": str(end)}}
            if end < len(items):
                query = urlencode({**request.query, "after": str(end)})
                found["paging"]["next"] = f"{self.url}/{VERSION}/{path}?{query}"
            return web.json_response(found)

        self._pages[path] = page

    def _routes(self) -> Iterable[web.RouteDef]:
        yield web.get(f"/{VERSION}/{{path:.+}}", self._get)

    async def _get(self, request: web.Request) -> web.StreamResponse:
        path = request.match_info["path"]
        self.asked.append(path)
        self.tokens.append(request.headers.get("Authorization", ""))
        page = self._pages.get(path)
        if page is None:
            words = {"message": "Unsupported get request", "code": 100, "error_subcode": 33}
            return web.json_response({"error": words}, status=400)
        return await page(request)
