"""The examples stay small, and each can be found."""

import re
from pathlib import Path

import pytest

from tests.examples.programs import EXAMPLES

LINES_MAX = 120
README_LINES_MAX = 14
FOLDERS = sorted(path.parent for path in EXAMPLES.glob("*/README.md"))
PAGES = [EXAMPLES / "README.md", *(folder / "README.md" for folder in FOLDERS)]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_an_example_is_small_and_in_the_index(folder: Path) -> None:
    assert f"({folder.name}/README.md)" in (EXAMPLES / "README.md").read_text()
    assert len((folder / "README.md").read_text().splitlines()) <= README_LINES_MAX
    for path in folder.iterdir():
        if path.suffix in (".py", ".js", ".go", ".html"):
            assert len(path.read_text().splitlines()) <= LINES_MAX, path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
        assert (page.parent / target).exists(), f"{page} leads to {target}"
