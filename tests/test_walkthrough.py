"""The walk-through of CONTRIBUTING.md: its diff applies to this tree, and does what it says."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LOOK = """
import json
from tidings.engine.http.openapi import error_codes
from tidings.routes import API, EXTENSIONS, EVENTS

routes = [*API, *EXTENSIONS]
addresses = [f"{route.method} {route.path}" for route in routes]
codes = [code.name for code in error_codes(routes)]
print(json.dumps([addresses, [kind.name for kind in EVENTS], codes]))
"""


@pytest.fixture(scope="module")
def diff() -> str:
    found = re.search(r"```diff\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)
    assert found is not None
    return found[1]


def test_a_new_endpoint_touches_its_slice_a_migration_and_one_line_of_the_routes(diff: str) -> None:
    touched = re.findall(r"^diff --git a/(\S+)", diff, re.MULTILINE)
    slice_ = "tidings/features/recipients/"
    elsewhere = {path for path in touched if not path.startswith(slice_)}
    assert elsewhere == {
        "tests/api/test_recipient_notes.py",
        "tidings/migrations/0009_recipient_notes.sql",
        "tidings/routes.py",
    }
    _, _, routes = diff.partition("diff --git a/tidings/routes.py")
    changed = re.findall(r"^[+-](?![+-]).*$", routes.partition("diff --git")[0], re.MULTILINE)
    assert len(changed) == 1


def test_the_diff_applies_and_adds_the_route_the_event_and_the_code(
    diff: str, tmp_path: Path
) -> None:
    shutil.copytree(ROOT / "tidings", tmp_path / "tidings")
    subprocess.run(["git", "apply", "-C1", "-"], input=diff, text=True, cwd=tmp_path, check=True)
    done = subprocess.run(
        [sys.executable, "-c", LOOK], cwd=tmp_path, capture_output=True, text=True, check=True,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    addresses, kinds, codes = json.loads(done.stdout)
    assert "POST /api/v1/recipients/notes" in addresses
    assert "recipient.noted" in kinds
    assert "NOTE_EXISTS" in codes
