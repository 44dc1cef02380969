"""The file of the demo account, which `make run` makes once and brings up to date."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.support.service import GUEST, TestAccount, TestService
from tidings.cli import demo

SUBSCRIPTION = demo.SUBSCRIPTION


def older(folder: Path, more: str = "", instead: str = "") -> Path:
    """As a version made it that knew of no subscriptions, with what its owner has added."""
    made = demo.read_or_make(folder)
    assert SUBSCRIPTION in made
    path = folder / demo.FILE
    path.write_text(made.replace(SUBSCRIPTION, instead) + more)
    return path


def accounts(text: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads(text)["accounts"]
    return found


def test_the_first_run_makes_it_and_the_next_ones_leave_it(tmp_path: Path) -> None:
    made = demo.read_or_make(tmp_path)
    assert demo.read_or_make(tmp_path) == made
    assert (tmp_path / demo.FILE).stat().st_mode & 0o777 == 0o600


def test_an_older_one_is_given_the_subscription_and_keeps_its_keys(tmp_path: Path) -> None:
    path = older(tmp_path, "# mine\n")
    before = path.read_text()
    now = demo.read_or_make(tmp_path)
    [partner, account], [partner_was, was] = accounts(now), accounts(before)
    assert partner == partner_was
    assert account.pop("subscription")["package"] == "Demo"
    assert account == was, "and nothing else has changed"
    assert path.read_text() == now and "# mine" in now
    assert path.stat().st_mode & 0o777 == 0o600
    assert demo.read_or_make(tmp_path) == now
    assert [one.name for one in tmp_path.iterdir()] == [demo.FILE], "nothing is left behind"


def test_accounts_that_were_added_behind_it_are_left_alone(tmp_path: Path) -> None:
    older(tmp_path, '\n[[accounts]]\nname = "mine"\nenvironment = "sandbox"\n')
    _, first, second = accounts(demo.read_or_make(tmp_path))
    assert first["subscription"]["unique"] == 100_000
    assert second == {"name": "mine", "environment": "sandbox"}


@pytest.mark.parametrize(
    "instead",
    ['billingMode = "OFF"\n', 'belongsTo = "partner"\n', '[accounts.subscription]\npackage="P"\n'],
)
def test_what_its_owner_says_about_billing_holds(tmp_path: Path, instead: str) -> None:
    before = older(tmp_path, instead=instead).read_text()
    assert demo.read_or_make(tmp_path) == before


@pytest.mark.parametrize(
    "text", ["", "[[accounts", '[[accounts]]\nname = "mine"\n', "accounts = 1"]
)
def test_what_is_no_longer_the_demo_is_left_to_apply(tmp_path: Path, text: str) -> None:
    (tmp_path / demo.FILE).write_text(text)
    assert demo.read_or_make(tmp_path) == text


def test_what_an_older_file_could_not_send_goes_after_the_next_run(
    service: TestService, tmp_path: Path
) -> None:
    path = older(tmp_path)

    def named(text: str) -> str:
        return text.replace('name = "demo', 'name = "older-demo')

    account = TestAccount(service, service.apply(named(path.read_text()))[-1])
    body = {"to": GUEST, "templateName": "hello", "templateParams": ["Dana"]}
    refused = account.send(clientMessageId="first-message-1", **body)
    assert refused.json()["error"]["code"] == "NO_ACTIVE_SUBSCRIPTION"
    service.apply(named(demo.read_or_make(tmp_path)))
    assert account.send(clientMessageId="first-message-1", **body).status_code == 200
