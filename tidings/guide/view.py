"""A page as HTML: the text in the middle, the navigation left of it, its own headings right."""

import base64
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from tidings import __version__
from tidings.guide import contents, library, links, markdown
from tidings.guide.contents import Entry, Part
from tidings.guide.library import Page
from tidings.guide.search import Result

STATIC = Path(__file__).parent / "static"
STATIC_PREFIX = f"{links.PREFIX}/static/"
_CHILDREN_MAX = 20
STATIC_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class Item:
    url: str
    title: str
    is_current: bool
    is_code: bool = False
    children: tuple["Item", ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    title: str
    items: tuple[Item, ...]
    is_folded: bool
    is_open: bool


def page(found: Page) -> str:
    text = markdown.render(found.markdown, links.resolver(found.source))
    part = contents.part_of(found.address)
    before, after = _neighbours(found.address)
    is_code = "/" in found.address and found.address not in contents.by_address()
    return _fill(
        "page.html",
        title=found.title.replace("`", ""),
        groups=navigation(found.address),
        body=Markup(text.html),  # noqa: S704 - made by our renderer from our own files
        headings=[one for one in text.headings if one.level in (2, 3)],
        part="" if part is None else part.title,
        parent=_parent(found.address) if is_code else None,
        markdown_url=library.markdown_address(links.page_address(found.address)),
        before=before,
        after=after,
        kind=found.address.partition("/")[0] if is_code else "",
    )


def results(query: str, found: list[Result]) -> str:
    return _fill("results.html", title="Search", groups=navigation(None), query=query, found=found)


@cache
def missing() -> str:
    return _fill("missing.html", title="Not found", groups=navigation(None))


def navigation(address: str | None) -> list[Group]:
    current = None if address is None else contents.part_of(address)
    return [
        Group(
            title=part.title,
            items=tuple(_item(entry, address) for entry in part.entries),
            is_folded=part.is_folded,
            is_open=part is current,
        )
        for part in contents.parts()
    ]


def _item(entry: Entry, address: str | None) -> Item:
    below = library.children(entry.address)
    is_inside = address is not None and (address == entry.address or address in below)
    if not is_inside:
        below = []
    elif len(below) > _CHILDREN_MAX:  # a hundred codes would push everything else out of sight
        below = [one for one in below if one == address]
    inner = tuple(
        Item(links.page_address(one), one.rpartition("/")[2], one == address, is_code=True)
        for one in below
    )
    url = links.page_address(entry.address)
    return Item(url, entry.title, entry.address == address, children=inner)


def _parent(address: str) -> Item:
    entry = contents.by_address()[address.rpartition("/")[0]]
    return Item(links.page_address(entry.address), entry.title, is_current=False)


def _neighbours(address: str) -> tuple[Item | None, Item | None]:
    """The pages before and after this one in the table of contents, within its part."""
    part: Part | None = contents.part_of(address)
    places = [] if part is None else [entry.address for entry in part.entries]
    if part is None or address not in places:
        return None, None
    at = places.index(address)
    around = (part.entries[at - 1 : at], part.entries[at + 1 : at + 2])
    before, after = (_item(found[0], None) if found else None for found in around)
    return before, after


def _fill(template: str, **values: object) -> str:
    return _environment().get_template(template).render(values)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "layout"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {"script": _script, "stylesheet": _stylesheet, "version": __version__}
    made.globals |= {"static": lambda name: _asset(name)[0]}
    return made


@cache
def _asset(name: str) -> tuple[str, str]:
    """Its address, which changes with its content, and its digest."""
    content = (STATIC / name).read_bytes()
    version = hashlib.sha256(content).hexdigest()[:12]
    digest = base64.b64encode(hashlib.sha384(content).digest()).decode()
    return f"{STATIC_PREFIX}{name}?v={version}", f"sha384-{digest}"


def _script(name: str, *, deferred: bool = True) -> Markup:
    url, integrity = _asset(name)
    late = Markup(' defer="defer"') if deferred else ""
    element = Markup('<script src="{}" integrity="{}"{}></script>')
    return element.format(url, integrity, late)


def _stylesheet(name: str) -> Markup:
    url, integrity = _asset(name)
    return Markup('<link rel="stylesheet" href="{}" integrity="{}">').format(url, integrity)
