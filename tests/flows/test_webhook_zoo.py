"""A zoo of receivers, all fed at once by one service: what each does, and what is kept of it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.support.receiver import (
    Answer,
    Receiver,
    drip,
    endless,
    hang,
    raw,
    redirect,
    reply,
    reset,
)
from tests.support.service import TestAccount, TestService
from tests.support.waiting import eventually
from tests.support.webhooks import outcomes, publish_events

OK = b"HTTP/1.1 200 OK\r\n"
Cage = tuple[Receiver, TestAccount]


@pytest.fixture
def service(running_service: TestService) -> TestService:
    return running_service


@pytest.fixture
def cage(service: TestService) -> Iterator[Callable[[Answer], Cage]]:
    with ExitStack() as stack:

        def make(answer: Answer) -> Cage:
            receiver = stack.enter_context(Receiver())
            receiver.answer(answer)
            return receiver, service.account(webhookUrl=receiver.url)

        yield make


def first_attempts(animals: dict[str, Cage]) -> dict[str, dict[str, Any]]:
    """What is kept of the first post to each, as soon as there is one."""

    def rows() -> dict[str, dict[str, Any]]:
        return {name: outcomes(account)[0] for name, (_, account) in animals.items()}

    eventually(lambda: all(row["attempts"] for row in rows().values()), 60)
    return {name: row["attempts"][0] | {"state": row["state"]} for name, row in rows().items()}


def test_each_is_reported_as_a_status_or_one_of_five_words(
    cage: Callable[[Answer], Cage], service: TestService
) -> None:
    elsewhere, _ = cage(reply(200))
    animals = {
        "good": cage(reply(204)),
        "slow byte by byte": cage(drip(200, pause=0.02)),
        "huge body": cage(endless()),
        "liar about length": cage(raw(OK + b"Content-Length: 10\r\n\r\nhalf")),
        "redirect": cage(redirect(elsewhere.url)),
        "refusing": cage(reply(410)),
        "reset": cage(reset()),
        "hangs up": cage(raw(b"")),
        "no http": cage(raw(b"SSH-2.0-OpenSSH_9.6\r\n\r\n")),
    }
    closed, account = cage(reply(200))
    closed.close()
    animals["closed"] = (closed, account)
    for _, account in animals.values():
        publish_events(account)
    kept = first_attempts(animals)
    assert {name: one["status"] or one["error"] for name, one in kept.items()} == {
        "good": 204, "slow byte by byte": 200, "huge body": 200, "liar about length": 200,
        "redirect": 302, "refusing": 410, "reset": "connection failed",
        "hangs up": "connection failed", "no http": "bad response", "closed": "connection failed",
    }  # fmt: skip
    delivered = {name for name, one in kept.items() if one["state"] == "delivered"}
    assert delivered == {"good", "slow byte by byte", "huge body", "liar about length"}
    assert not elsewhere.requests, "a redirect is not followed"


def test_ten_seconds_are_given_and_no_more(cage: Callable[[Answer], Cage]) -> None:
    animals = {
        "in time": cage(reply(200, delay=7)),
        "too late": cage(reply(200, delay=13)),
        "silent": cage(hang()),
        "half a head": cage(hang(OK)),
        "a byte a second": cage(drip(200, pause=0.5)),
    }
    for _, account in animals.values():
        publish_events(account)
    kept = first_attempts(animals)
    good = kept.pop("in time")
    assert (good["status"], good["state"]) == (200, "delivered")
    for name, one in kept.items():
        assert (one["status"], one["error"], one["state"]) == (None, "timeout", "pending"), name
        assert one["ms"] >= 9_900, name
