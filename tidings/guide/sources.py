"""Where the documentation's files are: in the wheel beside this module, in a checkout at its root.

Paths are relative to that root: `docs/webhooks.md`, `CHANGELOG.md`.
"""

from functools import cache
from pathlib import Path

_PACKAGED = Path(__file__).parent / "source"
ROOT = _PACKAGED if _PACKAGED.is_dir() else Path(__file__).parents[2]
DOCS = "docs"
CONTENTS = "docs/contents.toml"
# Files beside the pages that a page may show or link to.
FILE_TYPES = {
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}


def read(source: str) -> str:
    return (ROOT / source).read_text(encoding="utf-8")


def read_file(source: str) -> bytes:
    return (ROOT / source).read_bytes()


@cache
def files() -> frozenset[str]:
    """The pictures and data files of the documentation. Only these are served, by their names."""
    found = (path for path in (ROOT / DOCS).rglob("*") if path.suffix in FILE_TYPES)
    return frozenset(path.relative_to(ROOT).as_posix() for path in found)


def matching(pattern: str) -> list[str]:
    """The sources that a pattern of the table of contents names, in order."""
    return sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(pattern))
