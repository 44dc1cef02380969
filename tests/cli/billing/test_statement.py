"""`tidings billing export`, as an operator meets it."""

import csv
import io
import json

import pytest

from tests.support.billing import sent, subscribed
from tests.support.database import url_of
from tests.support.service import TestService
from tidings.cli.billing import statement as billing
from tidings.cli.output import Refused


@pytest.fixture
def on_service(service: TestService, monkeypatch: pytest.MonkeyPatch) -> TestService:
    """The command looks for its database where the service's is."""
    url = url_of(service._dsn)
    monkeypatch.setenv("TIDINGS_DATABASE_URL", url)
    monkeypatch.setenv("TIDINGS_DATA", str(service.settings.data))
    return service


def test_the_statement_is_printed(
    on_service: TestService, capsys: pytest.CaptureFixture[str]
) -> None:
    account = subscribed(on_service)
    [row] = on_service.sql("SELECT name FROM accounts WHERE id = $1", account.id)
    sent(account, 1)
    sent(account, 2)
    listed = account.get("/charges").json()["data"]
    billing.export_charges(row["name"], None, None, as_json=False)
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert rows == [{name: value or "" for name, value in one.items()} for one in listed]
    billing.export_charges(row["name"], None, None, as_json=True)
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == listed
    billing.export_charges(row["name"], None, "2020-01-01", as_json=True)
    assert capsys.readouterr().out == ""


def test_a_day_that_is_none_and_an_account_that_is_none_are_refused(
    on_service: TestService,
) -> None:
    with pytest.raises(Refused, match="--from is not a date"):
        billing.export_charges("x", "soon", None, as_json=False)
    with pytest.raises(Refused, match="There is no account"):
        billing.export_charges("nobody-at-all", None, None, as_json=False)
