"""A page: its address, its handlers, the right that it needs. The table of all is `pages.py`."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.responses import Response

from tidings.features.people.roles import Right
from tidings.limits import KIB, MIB

if TYPE_CHECKING:
    from tidings.portal.visit import Visit

Handler = Callable[["Visit"], Awaitable[Response]]

FORM_BYTES_MAX = 512 * KIB


@dataclass(frozen=True, slots=True)
class Page:
    """`path` is the address under /portal; `get` shows the page, `post` acts."""

    path: str
    get: Handler | None = None
    post: Handler | None = None
    needs: Right | None = Right.READ  # None: for anyone, signed in or not
    post_needs: Right | None = None  # None: what `needs` says
    sandbox_only: bool = False  # a live account has no such page
    form_bytes_max: int = FORM_BYTES_MAX  # of a posted form, its files included
    file_field: str = ""  # where a form that is too large is explained

    @property
    def megabytes_max(self) -> int:
        return self.form_bytes_max // MIB


@dataclass(frozen=True, slots=True)
class Route:
    """One method of a page, for `engine.http.routing`."""

    method: str
    path: str
    handle: Handler
    page: Page

    @property
    def needs(self) -> Right | None:
        acts = self.method == "POST" and self.page.post_needs is not None
        return self.page.post_needs if acts else self.page.needs


def routes_of(page: Page) -> list[Route]:
    handlers = (("GET", page.get), ("POST", page.post))
    path = f"/portal{page.path}"
    return [Route(method, path, handle, page) for method, handle in handlers if handle is not None]
