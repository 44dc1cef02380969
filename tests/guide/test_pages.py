"""All pages of the guide together: each is listed, and every link leads somewhere."""

import re
from functools import cache
from pathlib import Path

import pytest

from tidings.engine.http.openapi import error_codes
from tidings.guide import contents, interface, library, links, sources
from tidings.guide.failure_codes import causes
from tidings.guide.markdown import Rendered, headings_of, render
from tidings.routes import API, EVENTS, EXTENSIONS

ROOT = Path(__file__).parents[2]
LINK = re.compile(r'(?:href|src)="([^"]+)"')
# Read in the repository, and shown elsewhere in the guide.
NOT_PAGES = {"docs/webhooks/events.md"}


@cache
def rendered() -> dict[str, Rendered]:
    return {
        page.address: render(page.markdown, links.resolver(page.source))
        for page in library.every_page()
    }


def test_the_table_of_contents_lists_every_file() -> None:
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    listed = contents.by_source().keys()
    assert files - listed == NOT_PAGES, "add the page to docs/contents.toml"
    assert {source for source in listed if source.startswith("docs/")} <= files


def test_every_link_of_every_page_leads_somewhere() -> None:
    anchors = {page: {one.id for one in found.headings} for page, found in rendered().items()}
    operations = {operation["operationId"] for _, _, operation in interface.operations()}
    broken = []
    for page, found in rendered().items():
        for link in LINK.findall(found.html):
            path, _, anchor = link.partition("#")
            if not _leads_somewhere(path, anchor, page, anchors, operations):
                broken.append(f"{page or 'index'}: {link}")
    assert broken == []


def _leads_somewhere(
    path: str, anchor: str, page: str, anchors: dict[str, set[str]], operations: set[str]
) -> bool:
    if path.startswith("https://"):
        return True
    if path == "/docs":
        return not anchor or anchor in operations or anchor.startswith("chapter-")
    below = page if not path else path.removeprefix(links.PREFIX).removeprefix("/")
    if f"docs/{below}" in sources.files():
        return not anchor
    return below in anchors and (not anchor or anchor in anchors[below])


def test_a_link_to_a_file_outside_the_docs_is_one_in_the_repository() -> None:
    for found in rendered().values():
        for place in re.findall(r'title="In the source: ([^"]+)"', found.html):
            assert (ROOT / place).exists(), place


def test_the_search_knows_the_headings_that_the_pages_have() -> None:
    for page in library.every_page():
        found = [heading for heading, _ in headings_of(page.markdown)]
        assert found == list(rendered()[page.address].headings), page.address


@pytest.mark.parametrize(
    "addresses",
    [
        [f"errors/{code.name}" for code in error_codes([*API, *EXTENSIONS])],
        [f"errors/{code}" for code in causes()],
        [f"events/{kind.name}" for kind in EVENTS],
    ],
    ids=["errors", "failures", "events"],
)
def test_every_code_and_every_event_has_a_page(addresses: list[str]) -> None:
    assert not [one for one in addresses if library.find(one) is None]
    index = rendered()[addresses[0].partition("/")[0]].html
    assert not [one for one in addresses if f"/guide/{one}" not in index]
