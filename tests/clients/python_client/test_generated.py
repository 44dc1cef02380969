"""The generated files are what the generator makes of the service's description now."""

import runpy
from pathlib import Path

import pytest

from tests.support.house_rules import (
    files_and_functions_stay_small,
    modules_say_what_they_are_for,
    names_say_something,
    nobody_catches_everything,
)
from tests.support.service import TestService

PROJECT = Path(__file__).parents[3] / "clients" / "python"
PACKAGE = PROJECT / "tidings_client"


def test_the_types_are_those_of_the_description(service: TestService, tmp_path: Path) -> None:
    generator = runpy.run_path(str(PROJECT / "generate.py"))
    generator["write"](service.http.get("/api/v1/openapi.json").json(), tmp_path)
    for made in sorted(tmp_path.glob("*.py")):
        kept = PACKAGE / "generated" / made.name
        assert kept.read_text() == made.read_text(), f"{made.name} is old: run make client-types"


@pytest.mark.parametrize(
    "file",
    [path for path in sorted(PROJECT.rglob("*.py")) if "generated" not in path.parts],
    ids=lambda path: str(path.relative_to(PROJECT)),
)
def test_the_rules_of_the_house_hold_for_the_client(file: Path) -> None:
    name, source = file.relative_to(PROJECT).as_posix(), file.read_text()
    for rule in (
        files_and_functions_stay_small,
        names_say_something,
        modules_say_what_they_are_for,
        nobody_catches_everything,
    ):
        assert list(rule(name, source)) == []
