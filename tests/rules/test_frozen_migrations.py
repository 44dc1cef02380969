"""Released migrations stay as they are: databases out there were made by exactly these files."""

import hashlib
import re
from pathlib import Path

from tidings import __version__
from tidings.engine.db.schema.files import read_migrations

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tidings" / "migrations"
CHANGELOG = (ROOT / "CHANGELOG.md").read_text()


def frozen() -> list[tuple[str, str, str]]:
    """Version, sha256 and name of each released file."""
    lines = (FOLDER / "frozen.txt").read_text().splitlines()
    fields = [line.split() for line in lines if not line.startswith("#")]
    return [(version, sha256, name) for version, sha256, name in fields]


def test_no_released_migration_was_changed_or_removed() -> None:
    for version, sha256, name in frozen():
        file = FOLDER / name
        assert file.exists(), f"{name} was released with {version}: put it back."
        assert hashlib.sha256(file.read_bytes()).hexdigest() == sha256, (
            f"{name} was released with {version}: undo the change, and make it in a new file."
        )


def test_a_release_freezes_its_migrations() -> None:
    """A file that is not frozen yet belongs to changes that are not released yet."""
    unreleased = CHANGELOG.partition("## Unreleased\n")[2].partition("\n## ")[0].strip()
    names = {path.name for path in FOLDER.glob("*.sql")}
    left = names - {name for _, _, name in frozen()}
    assert not left or unreleased, f"add to frozen.txt, with {__version__}: {sorted(left)}"


def test_the_list_is_in_the_order_of_the_files() -> None:
    names = [name for _, _, name in frozen()]
    assert names == sorted(set(names))


def test_every_file_after_the_first_says_which_programs_it_suits() -> None:
    for migration in read_migrations(FOLDER)[1:]:
        assert migration.head.programs_from is not None, (
            f"{migration.name}: its head must say `-- compatible` or `-- needs programs from X`."
        )


def test_the_newest_released_heading_is_the_version_of_the_program() -> None:
    headings = re.findall(r"^## (\d\S*) \(\d{4}-\d\d-\d\d\)$", CHANGELOG, re.MULTILINE)
    assert headings[0] == __version__
