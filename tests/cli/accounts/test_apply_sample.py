"""The samples of the account file work as they are printed."""

import json
import re
import tomllib
from pathlib import Path

import jsonschema
import pytest

from tests.support.commands import database_environment, run
from tests.support.database import fresh_database

DOCS = Path(__file__).parents[3] / "docs"
SCHEMA = json.loads((DOCS / "account-file.schema.json").read_text())


def sample(page: str) -> str:
    (text, *_) = re.findall(r"```toml\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)
    return text


@pytest.mark.parametrize("page", ["account-file.md", "operating/accounts.md"])
def test_a_sample_fits_the_schema_and_is_applied_as_its_diff_says(
    tmp_path: Path, page: str
) -> None:
    text, env = sample(page), database_environment(fresh_database(), tmp_path)
    jsonschema.validate(tomllib.loads(text), SCHEMA)
    before = run("apply", "-", "--diff", env=env, text=text)
    assert before.code == 2, before.err
    assert "+ acme: account (sandbox)" in before.out
    run("apply", "-", env=env, text=text).good()
    after = run("apply", "-", "--diff", env=env, text=text)
    assert (after.code, after.out) == (0, "")
