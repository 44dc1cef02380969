"""`tidings readings export`."""

from tests.support.commands import commands
from tests.support.invitations import invite, register, reply, settle
from tests.support.service import TestAccount, TestService


def name_of(account: TestAccount) -> str:
    [row] = account.service.sql("SELECT name FROM accounts WHERE id = $1", account.id)
    return str(row["name"])


def test_settled_replies_are_printed_as_labelled_lines(service: TestService) -> None:
    account = service.account(keepReadings=True)
    tidings, name = commands(service), name_of(account)
    register(account)
    invite(account)
    reply(account, text="we'll see what the baby says")
    settle(account, "yes", guests=3)
    assert tidings("readings", "export", name).good() == (
        "text\tanswer\tguests\nwe'll see what the baby says\tyes\t3\n"
    )
    [one] = tidings("readings", "export", name, "--json").json()
    assert (one["text"], one["answer"], one["guests"]) == ("we'll see what the baby says", "yes", 3)
    assert (one["language"], one["readAs"]) == ("en", None) and "settledAt" in one
    rows = service.sql("SELECT action FROM audit_log WHERE account_id = $1", account.id)
    assert [row["action"] for row in rows].count("readings.exported") == 2


def test_who_keeps_none_is_told_so(service: TestService, account: TestAccount) -> None:
    tidings, name = commands(service), name_of(account)
    done = tidings("readings", "export", name)
    assert (done.code, done.out) == (0, "text\tanswer\tguests\n")
    assert "keeps none: keepReadings is false" in done.err
    assert tidings("readings", "export", name, "--json").json() == []
    tidings("readings", "export", "nobody").refused('There is no account "nobody"')
