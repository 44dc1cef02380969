"""`tidings send` and `tidings bench` against a running service."""

from tests.support.commands import Done, run
from tests.support.service import GUEST, TestAccount


def tidings(*words: str, account: TestAccount) -> Done:
    return run(*words, "--url", account.service.url, "--key", account.key)


def test_send_sends_one_message(account: TestAccount) -> None:
    words = ["send", GUEST, "--template", "hello", "--param", "Dana", "--id", "from-the-shell"]
    data = tidings(*words, "--json", account=account).json()
    assert (data["status"], data["clientMessageId"]) == ("sent", "from-the-shell")
    shown = tidings(*words, account=account).good().splitlines()
    assert "duplicate true" in shown
    assert not any(word in line.split() for line in shown for word in ("True", "False", "None"))


def test_send_exits_with_one_where_the_message_failed(account: TestAccount) -> None:
    words = ["send", "972501239013", "--template", "plain", "--id", "never-arrives"]
    for _ in range(2):  # and its duplicate
        done = tidings(*words, account=account)
        assert done.code == 1
        assert "status failed" in done.out.splitlines()
        assert "error.code TEMPLATE_PAUSED" in done.out.splitlines()
    done = tidings(*words, "--json", account=account)
    assert (done.code, '"status": "failed"' in done.out) == (1, True)


def test_a_value_that_send_shows_stays_on_its_line(account: TestAccount) -> None:
    cid = "a-long-id-" + "x" * 110
    words = ["send", GUEST, "--template", "plain", "--id", cid]
    assert f"clientMessageId {cid}" in tidings(*words, account=account).good().splitlines()


def test_a_dry_run_shows_what_would_happen(account: TestAccount) -> None:
    words = ["send", GUEST, "--template", "plain", "--dry-run", "--json"]
    assert tidings(*words, account=account).json()["wouldBe"] == "sent"


def test_a_refusal_is_reported_with_its_code(account: TestAccount) -> None:
    tidings("send", "12", "--template", "plain", account=account).refused("INVALID_PHONE")


def test_a_key_and_a_service_are_needed() -> None:
    send = ("send", GUEST, "--template", "plain")
    run(*send).refused("--key")
    absent = ("--url", "http://127.0.0.1:9", "--key", "td_sandbox_x")
    run(*send, *absent).refused("is `tidings serve` running")


def test_bench_measures_whole_sends(account: TestAccount) -> None:
    words = ["bench", "--messages", "40", "--connections", "4", "--json"]
    result = tidings(*words, account=account).json()
    assert result["messages"] == 40
    assert result["per_second"] > 0
    sent = account.service.sql(
        "SELECT count(*) AS n FROM messages WHERE account_id = $1", account.id
    )
    assert sent[0]["n"] == 40
