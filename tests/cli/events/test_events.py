"""`tidings events`, `guests`, `optouts` and `webhooks failed` against a running service."""

import csv
import io

from tests.support.commands import Done, run
from tests.support.invitations import invite, kinds, register, reply
from tests.support.service import GUEST, TestAccount

UNCLEAR = "=who is this?"


def tidings(*words: str, account: TestAccount) -> Done:
    return run(*words, "--url", account.service.url, "--key", account.key)


def test_events_and_guests_are_listed_shown_and_settled(account: TestAccount) -> None:
    register(account, "day 1/2")
    invite(account, eventId="day 1/2")
    reply(account, text=UNCLEAR)
    [event] = tidings("events", "--json", account=account).json()["events"]
    assert (event["eventId"], event["replies"]["unclear"]) == ("day 1/2", 1)
    assert "replies.unclear 1" in tidings("events", "show", "day 1/2", account=account).good()
    words = ["guests", "day 1/2", "--state", "unclear"]
    assert GUEST in tidings(*words, account=account).good()
    [row] = csv.DictReader(io.StringIO(tidings(*words, "--csv", account=account).good()))
    assert (row["to"], row["text"]) == (GUEST, f"'{UNCLEAR}"), "no formula"
    settle = ["guests", "settle", "day 1/2", GUEST, "yes", "--guests", "3"]
    assert "state confirmed" in tidings(*settle, account=account).good()
    assert kinds(account) == ["guest.replied_invalid", "guest.confirmed"]
    assert "No guests." in tidings(*words, account=account).good()
    tidings("guests", "list", "nothing", account=account).refused("EVENT_NOT_FOUND")


def test_opt_outs_are_listed_checked_and_removed(account: TestAccount) -> None:
    account.reply(GUEST, "STOP")
    [found] = tidings("optouts", "--json", account=account).json()["optouts"]
    assert (found["number"], found["source"]) == (GUEST, "reply")
    assert "yes" in tidings("optouts", "check", GUEST, account=account).good()
    assert "removed" in tidings("optouts", "remove", GUEST, account=account).good()
    assert "had not" in tidings("optouts", "remove", GUEST, account=account).good()
    assert "Nobody has opted out." in tidings("optouts", account=account).good()


def test_failed_webhooks_are_listed(failing_account: TestAccount) -> None:
    account = failing_account
    assert "No event has failed." in tidings("webhooks", "failed", account=account).good()
    account.send(clientMessageId="hello-0001", to=GUEST, templateName="plain")
    account.advance(hours=4)
    table = tidings("webhooks", "failed", "--limit", "1", account=account).good()
    assert "message.status" in table
