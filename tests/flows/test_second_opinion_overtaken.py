"""A second opinion that comes too late, or may not be asked: what the guest gets instead."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from tests.support.clock import ManualClock
from tests.support.database import fresh_database
from tests.support.invitations import (
    TEXTS,
    guest_events,
    invite,
    kinds,
    register,
    reply,
    state,
    texts,
)
from tests.support.outside_reader import OutsideEndpoint
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.waiting import settle
from tidings.features.replies.second_opinion import budget
from tidings.features.replies.second_opinion.model import Outcome

WORDS = "our cat knows that better than we do"
ASKED_BACK = [TEXTS["invalidReply"]]
SURE: dict[str, Any] = {"answer": "yes", "guests": 2, "confidence": 1}


@pytest.fixture(scope="module")
def endpoint() -> Iterator[OutsideEndpoint]:
    with OutsideEndpoint() as running:
        yield running


@pytest.fixture(scope="module")
def service(
    endpoint: OutsideEndpoint, moved_clock: ManualClock, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[TestService]:
    folder = tmp_path_factory.mktemp("data")
    settings = endpoint.settings | {
        "TIDINGS_READER_DAILY": "8",
        "TIDINGS_READER_DAILY_PER_ACCOUNT": "6",
    }
    with TestService(fresh_database(), folder, clock=moved_clock, settings=settings) as running:
        yield running


@pytest.fixture
def asking(
    service: TestService, endpoint: OutsideEndpoint, moved_clock: ManualClock
) -> TestAccount:
    """On a day of its own, so that nothing was spent of it."""
    moved_clock.advance(days=1)
    endpoint.requests.clear()
    endpoint.says(**SURE)
    return invited(service.account(secondOpinion=True))


def invited(account: TestAccount) -> TestAccount:
    register(account)
    invite(account)
    return account


def finish(account: TestAccount) -> None:
    settle(account, "opinions")
    settle(account)


def outcome(account: TestAccount, name: Outcome) -> float:
    found = account.service.ctx.metrics.registry.get_sample_value(
        "tidings_second_opinions_total", {"outcome": name}
    )
    return found or 0.0


# Overtaken


def test_what_a_person_settles_meanwhile_stands(
    asking: TestAccount, endpoint: OutsideEndpoint
) -> None:
    with endpoint.thinking(**SURE):
        reply(asking, text=WORDS)
        endpoint.wait_until_asked()
        asking.post(f"/events/wedding/guests/{GUEST}/answer", {"answer": "no"})
    finish(asking)
    assert kinds(asking) == ["guest.replied_invalid", "guest.declined"]
    assert guest_events(asking)[-1]["slotMatch"] == "settled"
    assert texts(asking) == []


def test_what_the_guest_writes_meanwhile_stands(
    asking: TestAccount, endpoint: OutsideEndpoint, moved_clock: ManualClock
) -> None:
    with endpoint.thinking(**SURE):
        reply(asking, text=WORDS)
        endpoint.wait_until_asked()
        moved_clock.advance(seconds=1)
        reply(asking, text="Sorry, can't make it")
    finish(asking)
    assert kinds(asking) == ["guest.replied_invalid", "guest.declined"]
    assert texts(asking) == []


def test_of_two_unclear_replies_the_last_is_read_and_nobody_asks_back_in_between(
    asking: TestAccount, endpoint: OutsideEndpoint, moved_clock: ManualClock
) -> None:
    with endpoint.thinking(**SURE):
        reply(asking, text=WORDS)
        endpoint.wait_until_asked()
        moved_clock.advance(seconds=1)
        reply(asking, text=f"{WORDS} since Monday")
    finish(asking)
    assert kinds(asking) == ["guest.replied_invalid"] * 2 + ["guest.confirmed"]
    assert guest_events(asking)[-1]["text"] == f"{WORDS} since Monday"
    assert texts(asking) == []


def test_an_opt_out_meanwhile_leaves_the_reply_unread(
    asking: TestAccount, endpoint: OutsideEndpoint, moved_clock: ManualClock
) -> None:
    with endpoint.thinking(**SURE):
        reply(asking, text=WORDS)
        endpoint.wait_until_asked()
        moved_clock.advance(seconds=1)
        reply(asking, text="STOP")
    finish(asking)
    assert state(asking) == "open"
    assert texts(asking) == [], "and nobody writes to them any more"


def test_words_that_are_erased_meanwhile_are_not_read(
    asking: TestAccount, endpoint: OutsideEndpoint
) -> None:
    with endpoint.thinking(**SURE):
        reply(asking, text=WORDS)
        endpoint.wait_until_asked()
        asking.service.sql(
            "UPDATE invitations SET unclear = NULL WHERE account_id = $1 RETURNING 1", asking.id
        )
    finish(asking)
    assert kinds(asking) == ["guest.replied_invalid"]


# Refused


def test_a_server_that_keeps_failing_is_left_alone_for_a_minute(
    asking: TestAccount, endpoint: OutsideEndpoint, moved_clock: ManualClock
) -> None:
    endpoint.answers(500)
    for place in range(6):
        reply(asking, text=f"{WORDS} {place}")
        finish(asking)
    assert len(endpoint.requests) == 5
    assert outcome(asking, Outcome.BREAKER) == 1
    endpoint.says(**SURE)
    moved_clock.advance(seconds=61)
    reply(asking, text=WORDS)
    finish(asking)
    assert kinds(asking)[-1] == "guest.confirmed"
    assert texts(asking) == ASKED_BACK


def test_guests_cannot_switch_it_off_by_what_they_talk_the_model_into(
    asking: TestAccount, endpoint: OutsideEndpoint
) -> None:
    endpoint.writes("as you wish")
    for place in range(6):
        reply(asking, text=f"{WORDS} {place}")
        finish(asking)
    assert len(endpoint.requests) == 6


def test_the_budgets_of_an_account_and_of_the_service_last_a_day(
    asking: TestAccount, endpoint: OutsideEndpoint, moved_clock: ManualClock
) -> None:
    endpoint.says(answer="unclear", guests=None, confidence=1)
    others = [invited(asking.service.account(secondOpinion=True)) for _ in range(2)]
    refused = outcome(asking, Outcome.BUDGET)
    for account, shown in ((asking, 6), (others[0], 8), (others[1], 8)):
        for place in range(7):
            reply(account, text=f"{WORDS} {place}")
            finish(account)
        assert len(endpoint.requests) == shown
        assert texts(account) == ASKED_BACK
    assert outcome(asking, Outcome.BUDGET) == refused + 1 + 5 + 7
    moved_clock.advance(days=1)
    reply(asking, text=WORDS)
    finish(asking)
    assert len(endpoint.requests) == 9


def test_what_was_asked_long_ago_is_forgotten(
    asking: TestAccount, moved_clock: ManualClock
) -> None:
    reply(asking, text=WORDS)
    finish(asking)
    rows = partial(
        asking.service.sql, "SELECT asked FROM second_opinions WHERE account_id = $1", asking.id
    )
    assert rows() == [{"asked": 1}]
    moved_clock.advance(days=92)
    asking.service.transact(budget.purge)
    assert rows() == []
