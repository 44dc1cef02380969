"""`tidings send` and `tidings bench` against a running service."""

import json

import pytest
from typer.testing import CliRunner

from tests.support.service import GUEST, TestAccount
from tidings.cli.main import app
from tidings.cli.output import Refused


def tidings(*words: str, url: str | None = None, key: str | None = None) -> str:
    aimed = [*words, *(["--url", url] if url else []), *(["--key", key] if key else [])]
    result = CliRunner().invoke(app, aimed, env={"TIDINGS_API_KEY": ""})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout


def test_send_sends_one_message(account: TestAccount) -> None:
    words = ["send", GUEST, "--template", "hello", "--param", "Dana", "--id", "from-the-shell"]
    said = tidings(*words, "--json", url=account.service.url, key=account.key)
    data = json.loads(said)
    assert (data["status"], data["clientMessageId"]) == ("sent", "from-the-shell")
    shown = tidings(*words, url=account.service.url, key=account.key).splitlines()
    assert "duplicate true" in shown
    assert not any(word in line.split() for line in shown for word in ("True", "False", "None"))


def test_send_ends_with_one_where_the_message_failed(account: TestAccount) -> None:
    aimed = ["--url", account.service.url, "--key", account.key]
    words = ["send", "972501239013", "--template", "plain", "--id", "never-arrives", *aimed]
    for _ in range(2):  # and its repeat
        result = CliRunner().invoke(app, words)
        assert result.exit_code == 1
        assert "status failed" in result.stdout.splitlines()
        assert "error.code TEMPLATE_PAUSED" in result.stdout.splitlines()
    result = CliRunner().invoke(app, [*words, "--json"])
    assert (result.exit_code, json.loads(result.stdout)["status"]) == (1, "failed")


def test_a_value_that_send_shows_stays_on_its_line(account: TestAccount) -> None:
    cid = "a-long-id-" + "x" * 110
    words = ["send", GUEST, "--template", "plain", "--id", cid]
    shown = tidings(*words, url=account.service.url, key=account.key)
    assert f"clientMessageId {cid}" in shown.splitlines()


def test_send_can_only_say_what_would_happen(account: TestAccount) -> None:
    words = ["send", GUEST, "--template", "plain", "--dry-run", "--json"]
    assert (
        json.loads(tidings(*words, url=account.service.url, key=account.key))["wouldBe"] == "sent"
    )


def test_a_refusal_is_reported_with_its_code(account: TestAccount) -> None:
    with pytest.raises(Refused, match="INVALID_PHONE"):
        tidings("send", "12", "--template", "plain", url=account.service.url, key=account.key)


def test_a_key_and_a_service_are_needed() -> None:
    with pytest.raises(Refused, match="--key"):
        tidings("send", GUEST, "--template", "plain")
    with pytest.raises(Refused, match="is `tidings serve` running"):
        tidings("send", GUEST, "--template", "plain", url="http://127.0.0.1:9", key="td_sandbox_x")


def test_bench_measures_whole_sends(account: TestAccount) -> None:
    words = ["bench", "--messages", "40", "--connections", "4", "--json"]
    result = json.loads(tidings(*words, url=account.service.url, key=account.key))
    assert result["messages"] == 40
    assert result["per_second"] > 0
    sent = account.service.sql(
        "SELECT count(*) AS n FROM messages WHERE account_id = $1", account.id
    )
    assert sent[0]["n"] == 40
