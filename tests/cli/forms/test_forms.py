"""`tidings forms`, as an operator runs it beside a running service."""

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.database import url_of
from tests.support.forms import fill, form_toml, sent
from tests.support.service import GUEST, TestAccount, TestService

SECOND = "972501234568"
Tidings = Callable[..., subprocess.CompletedProcess[str]]
_count = iter(range(1, 100))


@pytest.fixture
def tidings(service: TestService, tmp_path: Path) -> Tidings:
    url = url_of(service._dsn)
    env = {"PATH": os.defpath, "TIDINGS_DATA": str(tmp_path), "TIDINGS_DATABASE_URL": url}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tidings.cli.main", "forms", *arguments]
        return subprocess.run(
            command, env={**env, "COLUMNS": "160", "PYTHONUTF8": "1"}, capture_output=True,
            text=True, timeout=120, check=False,
        )  # fmt: skip

    return run


def good(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(done: subprocess.CompletedProcess[str], words: str) -> None:
    assert done.returncode == 1, done.stdout
    assert words in done.stderr and "Traceback" not in done.stderr


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


def test_forms_are_listed_shown_exported_and_forgotten(
    service: TestService, tidings: Tidings, name: str, tmp_path: Path
) -> None:
    (one,) = json.loads(good(tidings("list", "--account", name, "--json")))["forms"]
    assert (one["formId"], one["version"], one["state"]) == ("visit", 1, "published")
    assert (one["sendable"], one["platform"], one["sent"], one["answered"]) == (True, None, 2, 2)
    assert "visit@1" in good(tidings("list"))

    shown = good(tidings("show", "visit", "--account", name))
    assert "Your visit: 2 of 2 answered" in shown and "on average 3.5" in shown
    found: dict[str, Any] = json.loads(good(tidings("show", "visit", "--account", name, "--json")))
    assert found["questions"][0]["average"] == 3.5

    rows = list(csv.DictReader(io.StringIO(good(tidings("export", "visit", "--account", name)))))
    assert [(row["to"], row["q1"], row["q3"], row["q4"]) for row in rows] == [
        (GUEST, "5", "Food; Hall", "'=1+1"), (SECOND, "2", "Food; Hall", "'=1+1"),
    ]  # fmt: skip
    whole = json.loads(good(tidings("export", "visit", "--account", name, "--format", "json")))
    assert whole["answers"][1]["answers"] == {
        "q1": 2, "q2": "Fish", "q3": ["Food", "Hall"], "q4": "=1+1",
    }  # fmt: skip
    assert whole["answers"][0]["clientMessageId"] == f"visit-{GUEST}"
    file = tmp_path / "visit.csv"
    good(tidings("export", "visit", "--account", name, "--output", str(file)))
    assert file.read_bytes().startswith(b"\xef\xbb\xbfversion,to,")

    assert "in 1 form of" in good(tidings("forget", f"00{SECOND}", "--account", name))
    assert SECOND not in good(tidings("export", "visit", "--account", name))
    raws = service.sql(
        "SELECT raw FROM inbound JOIN accounts a ON a.id = account_id"
        " WHERE a.name = $1 AND phone = $2",
        name,
        SECOND,
    )
    assert raws and not any("=1+1" in row["raw"] for row in raws)
    assert "in 0 forms" in good(tidings("forget", SECOND, "--account", name))


def test_a_preview_is_a_page_that_fetches_nothing(tidings: Tidings, name: str) -> None:
    page = good(tidings("preview", "visit@1", "--account", name))
    assert page.startswith("<!doctype html>") and 'dir="ltr"' in page
    assert "How was it?" in page and "★★★★★" in page and "Give feedback" in page
    assert not any(word in page for word in ("http", "src=", "<script", "url("))


def test_what_is_not_there_is_said(tidings: Tidings, name: str) -> None:
    refused(tidings("list", "--account", "nobody"), "There is no account")
    refused(tidings("show", "other", "--account", name), "no form")
    refused(tidings("export", "other", "--account", name), "no form")
    refused(tidings("export", "visit", "--account", name, "--format", "xml"), "csv or json")
    refused(tidings("preview", "visit@7", "--account", name), "no version")
    refused(tidings("forget", "abc", "--account", name), "8 to 20 digits")
