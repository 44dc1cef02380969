"""`tidings trigger` and `tidings webhooks catalogue`."""

from pathlib import Path

from tests.support.commands import Done, commands, run
from tests.support.live import number_toml
from tests.support.service import TestAccount, TestService, require_sound
from tidings.routes import EVENTS

PAGE = Path(__file__).parents[3] / "docs" / "webhooks" / "events.md"


def trigger(*words: str, account: TestAccount) -> Done:
    return run("trigger", *words, "--url", account.service.url, "--key", account.key)


def test_an_example_of_each_kind_is_sent(account: TestAccount) -> None:
    for kind in [*EVENTS, *EVENTS]:
        trigger(kind.name, account=account).good()
    events = account.events()
    assert [event["type"] for event in events] == [kind.name for kind in EVENTS] * 2
    require_sound(account.service)
    assert all(
        event["data"].get("meta", {"example": True}) == {"example": True} for event in events
    )


def test_the_id_is_printed(account: TestAccount) -> None:
    queued = trigger("sender.health", "--json", account=account).json()
    assert queued == {"webhookId": account.events()[0]["id"], "type": "sender.health"}


def test_an_unknown_kind_is_refused(account: TestAccount) -> None:
    done = trigger("message.sent", account=account)
    done.refused("one of message.status, message.deferred")


def test_a_live_account_receives_no_examples(service: TestService) -> None:
    service.account(
        number_toml("972555000061", place="61"), name="live-untriggered", environment="live"
    )
    done = commands(service)("trigger", "sender.health", "--account", "live-untriggered")
    done.refused("is a live account")


def test_the_catalogue_in_the_docs_is_the_one_that_is_printed() -> None:
    assert PAGE.read_text() == run("webhooks", "catalogue").good(), (
        "run: tidings webhooks catalogue > docs/webhooks/events.md"
    )
