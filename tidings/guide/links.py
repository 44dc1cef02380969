"""Links of a page, as they are in its file, to addresses of the site. Pure.

Files link to each other by their place in the repository, so that they can be read there too.
"""

import posixpath
from collections.abc import Callable
from dataclasses import dataclass

from tidings.guide import contents, sources

PREFIX = "/guide"
# Pages that are made from the code: the files of the same content are for readers of the source.
_INSTEAD = {"docs/webhooks/events.md": "events", "README.md": ""}


@dataclass(frozen=True, slots=True)
class Target:
    """Where a link leads. Without an address: to a file that is only in the source."""

    address: str | None
    text: str = ""


def resolver(source: str) -> Callable[[str], Target]:
    """Resolves the links of one page. Pages made from the code link by addresses."""

    def resolve(link: str) -> Target:
        path, hash_, anchor = link.partition("#")
        if not path or "://" in path or path.startswith(("/", "mailto:")):
            return Target(link)
        place = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        found = _page(place)
        if found is not None:
            return Target(page_address(found) + hash_ + anchor)
        if place in sources.files():
            return Target(f"{PREFIX}/{place.removeprefix(sources.DOCS + '/')}")
        return Target(None, place)

    return resolve


def page_address(address: str) -> str:
    return f"{PREFIX}/{address}" if address else PREFIX


def _page(place: str) -> str | None:
    if place in _INSTEAD:
        return _INSTEAD[place]
    by_source = contents.by_source()
    for candidate in (place, f"{place}/README.md"):
        if candidate in by_source:
            return by_source[candidate].address
    return None
