"""`tidings callbacks`: dead letters, counted and retried."""

from tests.support import callbacks as payload
from tests.support.commands import commands
from tests.support.live import number_toml
from tests.support.service import TestService
from tidings.features.callbacks import dead_letters

PHONE_NUMBER_ID = "1055-dead-letters"


def test_dead_letters_are_counted_and_retried(still_service: TestService) -> None:
    tidings = commands(still_service)
    assert "No callbacks failed." in tidings("callbacks").good()
    number = number_toml("972555000001", place=PHONE_NUMBER_ID)
    still_service.account(number, environment="live")
    hello = payload.message("text", {"body": "Hello"})
    body = payload.raw(payload.body(payload.change(messages=[hello], number=PHONE_NUMBER_ID)))
    new: list[dead_letters.NewDeadLetter] = [
        (dead_letters.UNKNOWN_NUMBER, body), ("no JSON", b"{"),
    ]  # fmt: skip
    still_service.transact(lambda tx: dead_letters.add(tx, new))
    found = tidings("callbacks", "--json").json()["deadLetters"]
    assert {(one["reason"], one["count"]) for one in found} == {
        (dead_letters.UNKNOWN_NUMBER, 1), ("no JSON", 1),
    }  # fmt: skip
    assert "2 callbacks retried." in tidings("callbacks", "--again").good()
    left = tidings("callbacks", "--json").json()["deadLetters"]
    assert [one["count"] for one in left] == [1], "the one that is still no JSON"
