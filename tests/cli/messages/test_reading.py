"""`tidings messages` and `tidings batches` against a running service."""

import csv
import io

from tests.support.batches import item, submit
from tests.support.billing import REFUSED
from tests.support.commands import Done, run
from tests.support.service import TestAccount
from tests.support.waiting import settle


def tidings(*words: str, account: TestAccount) -> Done:
    return run(*words, "--url", account.service.url, "--key", account.key)


def test_messages_are_listed_by_their_filters_and_shown(account: TestAccount) -> None:
    batch = submit(account, [item(1), item(2, to=REFUSED)])["batchId"]
    settle(account)
    found = tidings("messages", "--json", account=account).json()["messages"]
    assert [one["clientMessageId"] for one in found] == ["item-00002", "item-00001"]
    words = ["messages", "list", "--status", "failed", "--batch", batch]
    [row] = csv.DictReader(io.StringIO(tidings(*words, "--csv", account=account).good()))
    assert (row["clientMessageId"], row["error.code"]) == ("item-00002", "TEMPLATE_PAUSED")
    table = tidings(*words, account=account).good()
    assert "item-00002" in table and "item-00001" not in table
    tidings("messages", "--kind", "letter", account=account).refused("kind")
    shown = tidings("messages", "show", "item-00002", account=account).good()
    assert "error.code TEMPLATE_PAUSED" in shown and "timeline" in shown
    tidings("messages", "show", "item/00009", account=account).refused("MESSAGE_NOT_FOUND")


def test_batches_are_listed_and_shown(account: TestAccount) -> None:
    batch = submit(account, [item(1)], batchName="June")["batchId"]
    settle(account)
    assert batch in tidings("batches", account=account).good()
    found = tidings("batches", "show", batch, "--json", account=account).json()
    assert (found["batchName"], found["accepted"]) == ("June", 1)
    tidings("batches", "show", "bat_x", account=account).refused("NOT_FOUND")
