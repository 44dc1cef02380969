"""The JSON Schema and the reference page of the account file follow from its declarations."""

import json
import re
import tomllib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from tests.rules.test_account_file import CONTRACT
from tests.support.accounts import MINIMAL, ONE_NUMBER, TEMPLATE, errors_of, read
from tests.support.commands import run
from tidings.account_file import reference, schema
from tidings.account_file.declare import ListOf, Rule, Table, fields_of
from tidings.account_file.format import AccountEntry
from tidings.cli.running import demo

DOCS = Path(__file__).parents[2] / "docs"
TOML = re.compile(r"```toml\n(.*?)```", re.DOTALL)
VALIDATOR = Draft7Validator(schema.json_schema(), format_checker=Draft7Validator.FORMAT_CHECKER)


def errors(text: str) -> list[str]:
    """What an editor would underline."""
    return [error.message for error in VALIDATOR.iter_errors(plain(tomllib.loads(text)))]


def plain(value: Any) -> Any:
    """TOML values as a language server gives them to a validator."""
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return value.isoformat() if isinstance(value, datetime) else value


def tables(kind: type[Table]) -> Iterator[type[Table]]:
    yield kind
    for field in fields_of(kind):
        shape = field.shape.items if isinstance(field.shape, ListOf) else field.shape
        if not isinstance(shape, Rule):
            yield from tables(shape)


def test_every_table_and_field_is_described() -> None:
    for kind in tables(AccountEntry):
        assert kind.__doc__ and kind.__doc__ != Table.__doc__, kind
        for field in fields_of(kind):
            assert field.description.endswith("."), (kind, field.name)


def test_the_pages_are_what_the_command_prints() -> None:
    for option, name in (
        ("--schema", "account-file.schema.json"), ("--reference", "account-file.md"),
    ):  # fmt: skip
        printed = run("apply", option)
        assert (printed.code, printed.err) == (0, "")
        assert (DOCS / name).read_text() == printed.out, (
            f"run: tidings apply {option} > docs/{name}"
        )


def test_the_schema_is_one() -> None:
    Draft7Validator.check_schema(schema.json_schema())
    assert json.loads(schema.schema_text()) == schema.json_schema()


def test_the_page_lists_every_field() -> None:
    page = reference.page()
    for kind in tables(AccountEntry):
        for field in fields_of(kind):
            assert f"| `{field.name}` |" in page


def test_files_that_can_be_applied_are_valid(tmp_path: Path) -> None:
    assert errors(CONTRACT) == []
    assert errors(demo.read_or_make(tmp_path)) == []
    assert errors(MINIMAL + "[accounts.subscription]\n") == [], "it removes the subscription"
    found = [one for page in DOCS.rglob("*.md") for one in TOML.findall(page.read_text())]
    whole = [one for one in found if "[[accounts]]" in one]
    assert len(whole) > 4
    for text in whole:
        assert errors(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "accounts = []",
        "accounts = [3]",
        "[[acounts]]\nname = 'a'",
        "[[accounts]]\nname = 'a'\n",
        MINIMAL + "apikey = 'x'",
        MINIMAL + "replies = 'both'",
        MINIMAL + "active = 'yes'",
        MINIMAL + "requestsPerMinute = 0",
        MINIMAL + "requestsPerMinute = 1.5",
        MINIMAL + "dailyLimit = 3000000000",
        MINIMAL + "allowlist = ['+972501234567']",
        MINIMAL + "allowlist = '972501234567'",
        MINIMAL + "apiKey = 'td_sandbox_a b'",
        MINIMAL + "signingSecret = 'abc'",
        MINIMAL + "sendWindow = { from = '8:00', to = '21:00', timezone = 'UTC' }",
        MINIMAL + "partner = { ratePerMessage = 0.05, creditLimit = '1' }",
        MINIMAL + "partner = { ratePerMessage = '0.0000001', creditLimit = '1' }",
        MINIMAL + "partner = { ratePerMessage = '1', creditLimit = '1.001' }",
        MINIMAL + "partner = { ratePerMessage = '1', creditLimit = '-1' }",
        MINIMAL + "partner = { ratePerMessage = '1', creditLimit = '1', currency = 'shekel' }",
        MINIMAL + "[accounts.subscription]\npackage = 'x'\nbillingType = 'YEARLY'",
        MINIMAL + "[accounts.subscription]\npackage = 'x'\nbillingType = 'USAGE'\nvatPct = 101",
        ONE_NUMBER + "perSecond = 0",
        TEMPLATE + "body = ''",
        TEMPLATE + "body = 'x'\nbuttons = [{ type = 'COPY_CODE', text = 'x' }]",
    ],
)
def test_what_one_field_alone_makes_wrong_is_underlined(text: str) -> None:
    assert errors_of(text)
    assert errors(text)


@pytest.mark.parametrize(
    "field",
    [
        "vatPct = 17.5", "vatPct = 18", "creditLimit = '-0'", "creditLimit = '1.000'",
        "pricePerUnique = '0.05000000'", "pricePerUnique = '12'",
        "endsAt = 2027-01-01T00:00:00+02:00", "endsAt = '2027-01-01T00:00:00.5Z'",
    ],
)  # fmt: skip
def test_every_way_to_write_a_value_is_valid_in_both(field: str) -> None:
    text = f"{MINIMAL}[accounts.subscription]\npackage = 'x'\nbillingType = 'USAGE'\n{field}"
    assert read(text) and errors(text) == []
