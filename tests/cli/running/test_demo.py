"""The file of the demo account, which `make run` makes once and brings up to date."""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.accounts import COMMAND
from tests.support.commands import commands
from tests.support.service import GUEST, TestAccount, TestService
from tidings.account_file.apply import apply_declaration
from tidings.account_file.plan import Removal
from tidings.account_file.read import read_file
from tidings.cli.running import demo
from tidings.features.accounts.model import Configured
from tidings.ids import new_id

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


def test_the_greeting_shows_what_a_newcomer_pastes_and_nothing_of_a_live_account(
    capsys: pytest.CaptureFixture[str],
) -> None:
    made = Configured(
        id=new_id(), name="demo", environment="sandbox", api_key="td_sandbox_[/x]",
        signing_secret="whsec_1", has_new_key=False, has_new_secret=False,
    )  # fmt: skip
    demo.show("http://here", made, "abc")
    shown = capsys.readouterr().out
    assert demo.curl("http://here", "td_sandbox_[/x]") in shown.splitlines()
    assert "whsec_1" in shown and "http://here/portal/welcome?token=abc" in shown
    for other in (
        replace(made, environment="live"),
        replace(made, api_key=None, signing_secret=None),
    ):
        demo.show("http://here", other, "abc")
        shown = capsys.readouterr().out
        assert "tidings keys issue demo" in shown
        assert "whsec_1" not in shown and "td_sandbox_[/x]" not in shown


def test_a_start_undoes_nothing_and_never_fails_over_what_its_file_leaves_out(
    service: TestService, tmp_path: Path
) -> None:
    text = demo.read_or_make(tmp_path).replace('name = "demo"', 'name = "demo-kept"')
    service.apply(text)
    done = commands(service)("webhooks", "set", "demo-kept", "https://hooks.example.com/in")
    assert done.code == 0, done.err
    fewer = text[: text.rindex("[[accounts.templates]]")]
    declaration = read_file(fewer, {}, allow_private=True)
    applied = service.transact(
        lambda tx: apply_declaration(
            tx, service.ctx.sealer, declaration, Removal.KEEP, actor=COMMAND
        )
    )
    assert applied.changes == []
