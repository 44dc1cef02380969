"""`tidings billing export`, as an operator runs it."""

import csv
import io
import json
from collections.abc import Callable

import pytest

from tests.support.billing import sent, subscribed
from tests.support.commands import Done, commands
from tests.support.service import TestService

Export = Callable[..., Done]


@pytest.fixture
def export(service: TestService) -> Export:
    tidings = commands(service)
    return lambda account, *words: tidings("billing", "export", "--account", account, *words)


def test_the_statement_is_printed(service: TestService, export: Export) -> None:
    account = subscribed(service)
    [row] = service.sql("SELECT name FROM accounts WHERE id = $1", account.id)
    sent(account, 1)
    sent(account, 2)
    listed = account.get("/charges").json()["data"]
    rows = list(csv.DictReader(io.StringIO(export(row["name"]).good())))
    assert rows == [{name: value or "" for name, value in one.items()} for one in listed]
    lines = export(row["name"], "--json").good().splitlines()
    assert [json.loads(line) for line in lines] == listed
    assert export(row["name"], "--to", "2020-01-01", "--json").good() == ""


def test_an_invalid_day_and_an_unknown_account_are_refused(export: Export) -> None:
    export("x", "--from", "soon").refused("--from is not a date")
    export("nobody-at-all").refused("There is no account")
