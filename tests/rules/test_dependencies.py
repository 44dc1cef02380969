"""What we stand on is locked, listed and known: the audit's checks, and that each can fail."""

import json
from pathlib import Path

import pytest

from proof.audit import advisories, imported, listed, locked
from proof.audit.locked import Locked

HASH = "0" * 64
GOOD = Locked("run.txt", "aiohttp", "3.14.5", (HASH,))


@pytest.fixture(scope="module")
def found() -> list[Locked]:
    return locked.read_all()


def test_every_requirement_is_pinned_with_hashes(found: list[Locked]) -> None:
    assert len(found) > 200
    assert locked.faults(found) == []


def test_the_list_names_every_package_with_its_licence_and_purpose(found: list[Locked]) -> None:
    assert listed.faults(found) == []


def test_nothing_is_imported_that_is_not_locked(found: list[Locked]) -> None:
    assert imported.faults(found) == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("aiohttp>=3.13 --hash=sha256:" + HASH, "not pinned"),
        ("aiohttp==3.14.5", "no hash"),
        ("aiohttp @ https://example.com/aiohttp.whl", "not pinned"),
        ("-r other.txt", "not pinned"),
    ],
)
def test_a_requirement_that_could_be_replaced_is_a_fault(
    tmp_path: Path, line: str, fault: str
) -> None:
    file = tmp_path / "run.txt"
    file.write_text(f"{line}\n")
    assert any(fault in one for one in locked.faults(list(locked.read(file))))


def test_a_package_that_is_not_on_the_list_is_a_fault(found: list[Locked]) -> None:
    new = Locked("run.txt", "left-pad", "1.0", (HASH,))
    assert any("left-pad is locked" in one for one in listed.faults([*found, new]))
    fewer = [one for one in found if one.name != "aiohttp"]
    assert any("aiohttp is in" in one for one in listed.faults(fewer))


def test_an_import_of_what_is_not_locked_is_a_fault(found: list[Locked]) -> None:
    fewer = [one for one in found if one.name != "asyncpg"]
    assert any("imports asyncpg" in one for one in imported.faults(fewer))


def test_two_versions_of_one_package_are_a_fault() -> None:
    other = Locked("dev.txt", "aiohttp", "3.0", (HASH,))
    assert locked.faults([GOOD, other]) == ["aiohttp is locked at 3.0, 3.14.5: run make lock"]


def test_what_was_skipped_was_not_looked_up() -> None:
    """pip-audit says "no known vulnerabilities" of a package that it could not ask about."""
    skipped = {"name": "aiohttp", "skip_reason": "Dependency not found on PyPI"}
    fault = {"id": "PYSEC-1", "fix_versions": ["2.0"]}
    faulty = {"name": "yarl", "version": "1.0", "vulns": [fault]}
    fine = {"name": "rich", "version": "15.0.0", "vulns": []}
    answer = advisories.read(json.dumps({"dependencies": [skipped, faulty, fine]}))
    assert (answer.looked_up, answer.skipped) == (2, ["aiohttp"])
    assert answer.known == ["yarl 1.0: PYSEC-1, mended in 2.0"]
