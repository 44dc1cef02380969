"""Lists: iteration over all items, page after page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from .exchange import Request
from .transport import AsyncTransport, SyncTransport

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    """Some items, and where to go on; None: this is the last page."""

    items: list[T]
    next_cursor: str | None


class Pages(Generic[T]):
    """`for item in client.messages.list():` asks for the next page when it is needed."""

    def __init__(self, transport: SyncTransport, request: Request, cursor: str) -> None:
        self._transport = transport
        self._request = request
        self._cursor = cursor

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.items

    def pages(self) -> Iterator[Page[T]]:
        """Page by page; each has `items` and `next_cursor`."""
        request: Request | None = self._request
        while request is not None:
            page: Page[T] = Page(*self._transport.fetch_page(request))
            yield page
            request = _following(request, page, self._cursor)


class AsyncPages(Generic[T]):
    """`async for item in client.messages.list():`, the same for asyncio."""

    def __init__(self, transport: AsyncTransport, request: Request, cursor: str) -> None:
        self._transport = transport
        self._request = request
        self._cursor = cursor

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page.items:
                yield item

    async def pages(self) -> AsyncIterator[Page[T]]:
        """Page by page; each has `items` and `next_cursor`."""
        request: Request | None = self._request
        while request is not None:
            page: Page[T] = Page(*await self._transport.fetch_page(request))
            yield page
            request = _following(request, page, self._cursor)


def _following(request: Request, page: Page[Any], cursor: str) -> Request | None:
    """The request of the page after; `cursor` is the parameter that says where to go on."""
    if page.next_cursor is None:
        return None
    return replace(request, query={**request.query, cursor: page.next_cursor})
