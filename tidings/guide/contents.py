"""The table of contents: `docs/contents.toml` decides which pages there are, their order and their
short titles. A key is a source, or the address of a page made from the code (`errors`)."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache

from tidings.guide import sources

_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
_NUMBERED = re.compile(r"^\d+[.:]? ")  # titles of decisions: "30. The portal", "0001 Dependencies"


@dataclass(frozen=True, slots=True)
class Entry:
    address: str  # below /guide: "sending/text"; "" is the first page
    title: str  # short, for the navigation
    source: str  # "" for a page made from the code


@dataclass(frozen=True, slots=True)
class Part:
    title: str
    entries: tuple[Entry, ...]
    is_folded: bool  # in the navigation, unless one of its pages is open
    is_background: bool  # how it was built, not how to use it: left out of llms-full.txt


@cache
def parts() -> tuple[Part, ...]:
    table = tomllib.loads(sources.read(sources.CONTENTS))
    return tuple(
        Part(
            title=part["title"],
            entries=tuple(_entries(part)),
            is_folded=part.get("folded", False),
            is_background=part.get("background", False),
        )
        for part in table["part"]
    )


@cache
def by_address() -> dict[str, Entry]:
    return {entry.address: entry for part in parts() for entry in part.entries}


@cache
def by_source() -> dict[str, Entry]:
    return {entry.source: entry for entry in by_address().values() if entry.source}


def part_of(address: str) -> Part | None:
    """The part that a page belongs to; pages below one of its pages belong to it too."""
    owner = address if address in by_address() else address.rpartition("/")[0]
    for part in parts():
        if any(entry.address == owner for entry in part.entries):
            return part
    return None


def title_of(markdown: str) -> str:
    found = _TITLE.search(markdown)
    assert found is not None, "a page begins with its title"
    return found[1]


def _entries(part: dict[str, object]) -> list[Entry]:
    pages, pattern = part.get("pages", {}), part.get("every", "")
    assert isinstance(pages, dict) and isinstance(pattern, str)
    found = [_entry(key, title) for key, title in pages.items()]
    listed = {entry.source for entry in found}
    for source in sources.matching(pattern) if pattern else ():
        if source not in listed:
            title = _NUMBERED.sub("", title_of(sources.read(source))).replace("`", "")
            found.append(_entry(source, title[:1].upper() + title[1:]))
    return found


def _entry(key: str, title: str) -> Entry:
    if not key.endswith(".md"):
        return Entry(key, title, "")
    return Entry(_address(key), title, key)


def _address(source: str) -> str:
    """`docs/sending/README.md` is `sending`, `CHANGELOG.md` is `changelog`."""
    name = source.removeprefix(f"{sources.DOCS}/").removesuffix(".md").removesuffix("/README")
    return "" if name == "index" else name.lower()
