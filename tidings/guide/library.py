"""Every page of the guide as Markdown: the files of the table of contents, and those made from the
code. `find` and `every_page` are how the rest of the package comes to them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial

from tidings.guide import contents, error_pages, event_pages, links, sources

_LINK = re.compile(r"(?<=\]\()([^)\s]+)(?=\))")


@dataclass(frozen=True, slots=True)
class Page:
    address: str
    title: str  # as in its heading
    source: str
    markdown: str


@cache
def _made() -> dict[str, Callable[[], str]]:
    """The pages made from the code, by address."""
    found: dict[str, Callable[[], str]] = {
        error_pages.FOLDER: error_pages.index,
        event_pages.FOLDER: event_pages.index,
    }
    for code in error_pages.codes():
        found[f"{error_pages.FOLDER}/{code}"] = partial(error_pages.page, code)
    for name, kind in event_pages.kinds().items():
        found[f"{event_pages.FOLDER}/{name}"] = partial(event_pages.page, kind)
    return found


def find(address: str) -> Page | None:
    entry = contents.by_address().get(address)
    if address in _made() or (entry is not None and entry.source):
        return load(address)
    return None


@cache
def load(address: str) -> Page:
    """Only addresses of pages come here: what is kept for others would grow without end."""
    entry = contents.by_address().get(address)
    source = "" if entry is None else entry.source
    text = sources.read(source) if source else _made()[address]()
    return Page(address, contents.title_of(text), source, text)


def children(address: str) -> list[str]:
    """The pages made from the code that are below another."""
    return [one for one in _made() if one.startswith(f"{address}/")] if address else []


def addresses() -> Iterator[str]:
    """All of them, in the order of the table of contents."""
    for address in contents.by_address():
        yield address
        yield from children(address)


def every_page() -> Iterator[Page]:
    for address in addresses():
        page = find(address)
        assert page is not None, f"{address} is in the table of contents and is no page"
        yield page


def as_markdown(page: Page, site: str) -> str:
    """The page's own text with links that work from anywhere; those to pages lead to Markdown."""
    resolve = links.resolver(page.source)

    def absolute(found: re.Match[str]) -> str:
        target = resolve(found[1]).address
        if target is None or not target.startswith("/"):
            return found[1]
        path, hash_, anchor = target.partition("#")
        if path == links.PREFIX or path.startswith(f"{links.PREFIX}/"):
            path = markdown_address(path)
        return site + path + hash_ + anchor

    return _LINK.sub(absolute, page.markdown)


def markdown_address(path: str) -> str:
    """/guide/webhooks is also at /guide/webhooks.md; pictures have no other address."""
    below = path.removeprefix(links.PREFIX).removeprefix("/")
    if below and find(below) is None:
        return path
    return f"{links.PREFIX}/{below or 'index'}.md"
