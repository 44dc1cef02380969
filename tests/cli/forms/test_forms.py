"""`tidings forms`, as an operator runs it beside a running service."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.commands import Done, commands
from tests.support.forms import fill, form_toml, sent
from tests.support.service import GUEST, TestAccount, TestService

SECOND = "972501234568"
Forms = Callable[..., Done]
_count = iter(range(1, 100))


@pytest.fixture
def forms(service: TestService) -> Forms:
    tidings = commands(service)
    return lambda *words: tidings("forms", *words)


@pytest.fixture
def name(service: TestService) -> str:
    """An account with a form that two guests have filled in."""
    name = f"forms-{next(_count)}"
    account: TestAccount = service.account(form_toml(), name=name)
    for number, rating in ((GUEST, 5), (SECOND, 2)):
        sent(account, number, clientMessageId=f"visit-{number}")
        account.advance(seconds=5)
        answers = {"q1": rating, "q2": "Fish", "q3": ["Food", "Hall"], "q4": "=1+1"}
        fill(account, answers, number)
    return name


def test_forms_are_listed_and_their_results_shown(forms: Forms, name: str) -> None:
    [one] = forms("list", "--account", name, "--json").json()["forms"]
    assert (one["formId"], one["version"], one["state"]) == ("visit", 1, "published")
    assert (one["sendable"], one["platform"], one["sent"], one["answered"]) == (True, None, 2, 2)
    assert "visit@1" in forms("list").good()
    shown = forms("show", "visit", "--account", name).good()
    assert "Your visit: 2 of 2 answered" in shown and "on average 3.5" in shown
    found = forms("show", "visit", "--account", name, "--json").json()
    assert found["questions"][0]["average"] == 3.5


def test_answers_are_exported(forms: Forms, name: str, tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(forms("export", "visit", "--account", name).good())))
    assert [(row["to"], row["q1"], row["q3"], row["q4"]) for row in rows] == [
        (GUEST, "5", "Food; Hall", "'=1+1"), (SECOND, "2", "Food; Hall", "'=1+1"),
    ]  # fmt: skip
    whole = forms("export", "visit", "--account", name, "--format", "json").json()
    assert whole["answers"][1]["answers"] == {
        "q1": 2, "q2": "Fish", "q3": ["Food", "Hall"], "q4": "=1+1",
    }  # fmt: skip
    assert whole["answers"][0]["clientMessageId"] == f"visit-{GUEST}"
    file = tmp_path / "visit.csv"
    forms("export", "visit", "--account", name, "--output", str(file)).good()
    assert file.read_bytes().startswith(b"\xef\xbb\xbfversion,to,")


def test_a_persons_answers_are_forgotten(service: TestService, forms: Forms, name: str) -> None:
    assert "in 1 form of" in forms("forget", f"00{SECOND}", "--account", name).good()
    assert SECOND not in forms("export", "visit", "--account", name).good()
    raws = service.sql(
        "SELECT raw FROM inbound JOIN accounts a ON a.id = account_id"
        " WHERE a.name = $1 AND phone = $2",
        name,
        SECOND,
    )
    assert raws and not any("=1+1" in row["raw"] for row in raws)
    assert "in 0 forms" in forms("forget", SECOND, "--account", name).good()


def test_a_preview_is_a_page_that_fetches_nothing(forms: Forms, name: str) -> None:
    page = forms("preview", "visit@1", "--account", name).good()
    assert page.startswith("<!doctype html>") and 'dir="ltr"' in page
    assert "How was it?" in page and "★★★★★" in page and "Give feedback" in page
    assert not any(word in page for word in ("http", "src=", "<script", "url("))


def test_what_does_not_exist_is_refused(forms: Forms, name: str) -> None:
    forms("list", "--account", "nobody").refused("There is no account")
    forms("show", "other", "--account", name).refused("no form")
    forms("export", "other", "--account", name).refused("no form")
    forms("export", "visit", "--account", name, "--format", "xml").refused("csv or json")
    forms("preview", "visit@7", "--account", name).refused("no version")
    forms("forget", "abc", "--account", name).refused("8 to 20 digits")


def test_forms_and_results_are_tables_json_or_csv(
    forms: Forms, name: str, service: TestService
) -> None:
    rows = list(csv.DictReader(io.StringIO(forms("list", "--account", name, "--csv").good())))
    assert [(row["formId"], row["sent"], row["answered"]) for row in rows] == [("visit", "2", "2")]
    key = commands(service)("keys", "issue", name).good().strip()
    at = ("--key", key, "--url", service.url)
    found = forms("results", "visit", *at, "--json").json()
    assert found["questions"][0]["average"] == 3.5
    rows = list(csv.DictReader(io.StringIO(forms("results", "visit", *at, "--csv").good())))
    assert ("q1", "5", "1") in [(row["questionId"], row["value"], row["count"]) for row in rows]
    assert [row["value"] for row in rows if row["type"] == "comment"] == ["'=1+1", "'=1+1"]
    assert "visit: 2 of 2 answered" in forms("results", "visit", *at).good()
    forms("results", "unknown", *at).refused("FORM_NOT_FOUND")


def test_an_operator_approves_and_sends_back(forms: Forms, service: TestService) -> None:
    name = "approval-by-command"
    service.account(form_toml(approved=False), name=name)
    waiting = [
        one for one in forms("submitted", "--json").json()["forms"] if one["account"] == name
    ]
    assert [one["version"] for one in waiting] == ["visit@1"]
    forms("return", "visit@1", "--account", name, "--reason", "Shorter, please").good()
    forms("approve", "visit@1", "--account", name).refused("does not wait for approval")
    forms("approve", "visit", "--account", name).refused("visit@2")
    assert name not in forms("submitted").good()


def test_a_submitted_form_is_approved(forms: Forms, service: TestService) -> None:
    name = "approved-by-command"
    account = service.account(form_toml(approved=False), name=name)
    assert "visit@1: approved" in forms("approve", "visit@1", "--account", name).good()
    sent(account)
