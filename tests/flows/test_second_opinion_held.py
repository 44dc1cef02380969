"""A question for a second opinion that waits until the test runs its job."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from tests.support.clock import ManualClock
from tests.support.database import fresh_database
from tests.support.invitations import TEXTS, invite, kinds, register, reply, texts
from tests.support.outside_reader import OutsideEndpoint
from tests.support.service import TestAccount, TestService
from tests.support.webhooks import run
from tidings import limits
from tidings.engine.queue import Job
from tidings.engine.queue.claim import Claimer, EqualShares
from tidings.engine.queue.claim_store import AccountJobs
from tidings.features.replies.second_opinion import jobs
from tidings.features.replies.second_opinion.model import Outcome
from tidings.features.replies.second_opinion.rules import WAIT_MAX

WORDS = "our cat knows that better than we do"
ASKED_BACK = [TEXTS["invalidReply"]]


@pytest.fixture
def endpoint() -> Iterator[OutsideEndpoint]:
    with OutsideEndpoint() as running:
        running.says(answer="yes", guests=2, confidence=1)
        yield running


@pytest.fixture
def asking(endpoint: OutsideEndpoint, clock: ManualClock, tmp_path: Path) -> Iterator[TestAccount]:
    """Its guest has just written what nobody understands."""
    with TestService(
        fresh_database(), tmp_path, clock=clock, working=False, settings=endpoint.settings
    ) as service:
        account = service.account(name="asking", secondOpinion=True)
        register(account)
        invite(account)
        reply(account, text=WORDS)
        yield account


def claim(account: TestAccount, pool: str) -> list[Job]:
    claimer = Claimer(AccountJobs(account.id, [pool]))
    return account.service.transact(lambda tx: claimer.claim(tx, EqualShares(100))).jobs


def work(account: TestAccount) -> None:
    run(account, claim(account, "opinions"))
    send_prompts(account)


def send_prompts(account: TestAccount) -> None:
    if due := claim(account, "timers"):
        run(account, due)


def outcome(account: TestAccount, name: Outcome) -> float | None:
    value = account.service.ctx.metrics.registry.get_sample_value
    return value("tidings_second_opinions_total", {"outcome": name})


def test_nothing_is_sent_to_the_guest_before_the_opinion(asking: TestAccount) -> None:
    send_prompts(asking)
    assert texts(asking) == []
    work(asking)
    assert kinds(asking) == ["guest.replied_invalid", "guest.confirmed"]
    assert texts(asking) == []
    assert (outcome(asking, Outcome.ASKED), outcome(asking, Outcome.USED)) == (1, 1)


def test_a_job_that_runs_twice_answers_once(asking: TestAccount) -> None:
    claimed = claim(asking, "opinions")
    run(asking, claimed)
    run(asking, claimed)
    assert kinds(asking) == ["guest.replied_invalid", "guest.confirmed"]


def test_an_account_that_takes_its_consent_back_shows_nothing_more(
    asking: TestAccount, endpoint: OutsideEndpoint
) -> None:
    asking.service.account(name="asking", secondOpinion=False)
    work(asking)
    assert endpoint.texts == []
    assert texts(asking) == ASKED_BACK


def test_a_reply_that_has_waited_too_long_for_its_turn_is_asked_back(
    asking: TestAccount, endpoint: OutsideEndpoint, clock: ManualClock
) -> None:
    clock.advance(seconds=(WAIT_MAX + timedelta(seconds=1)).total_seconds())
    work(asking)
    assert endpoint.texts == []
    assert texts(asking) == ASKED_BACK
    assert outcome(asking, Outcome.LATE) == 1


def test_a_question_that_crashes_whoever_asks_it_is_asked_back_and_set_aside(
    asking: TestAccount, endpoint: OutsideEndpoint
) -> None:
    [job] = claim(asking, "opinions")
    run(asking, [msgspec.structs.replace(job, crashes=limits.JOB_CRASHES_MAX)])
    send_prompts(asking)
    assert endpoint.texts == []
    assert texts(asking) == ASKED_BACK
    kept = "SELECT kind FROM jobs WHERE account_id = $1 AND dead_lettered_at IS NOT NULL"
    assert asking.service.sql(kept, asking.id) == [{"kind": jobs.KIND}]


def test_a_question_is_asked_in_the_time_of_a_sandbox_that_is_ahead(
    asking: TestAccount, endpoint: OutsideEndpoint
) -> None:
    asking.advance(hours=1)
    assert endpoint.texts == [WORDS]
    assert kinds(asking) == ["guest.replied_invalid", "guest.confirmed"]
