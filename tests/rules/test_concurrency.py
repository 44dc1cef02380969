"""The concurrency limiter: success earns slots, failure costs them, and nobody takes all."""

from uuid import UUID

import pytest

from tidings import limits
from tidings.engine.queue.concurrency import ConcurrencyLimiter, Key, Line

FIRST = limits.WEBHOOK_SLOTS_PER_DESTINATION
MOST = limits.WEBHOOK_SLOTS_PER_DESTINATION_MAX


def line_of(account: int, priority: int = 5) -> Key:
    return UUID(int=account), priority


def share(limiter: ConcurrencyLimiter, key: Key) -> int:
    return limiter.shares([key])[0].get(key, 0)


class Hands:
    """Jobs with numbers of their own, taken and ended."""

    def __init__(self, limiter: ConcurrencyLimiter) -> None:
        self.limiter = limiter
        self.jobs: dict[Key, list[int]] = {}
        self.count = 0

    def take(self, key: Key, jobs: int) -> None:
        for _ in range(jobs):
            self.count += 1
            self.limiter.take(self.count, key)
            self.jobs.setdefault(key, []).append(self.count)

    def end(self, key: Key, jobs: int) -> None:
        for _ in range(jobs):
            self.limiter.done(self.jobs[key].pop())

    def fill(self, key: Key) -> int:
        taken = share(self.limiter, key)
        self.take(key, taken)
        return taken


@pytest.fixture
def limiter() -> ConcurrencyLimiter:
    return ConcurrencyLimiter()


@pytest.fixture
def hands(limiter: ConcurrencyLimiter) -> Hands:
    return Hands(limiter)


# One line


def test_a_place_nobody_knows_begins_with_a_few_slots(
    limiter: ConcurrencyLimiter, hands: Hands
) -> None:
    assert hands.fill(line_of(1)) == FIRST
    assert share(limiter, line_of(1)) == 0


def test_room_is_given_when_half_of_the_jobs_have_ended(
    limiter: ConcurrencyLimiter, hands: Hands
) -> None:
    hands.fill(line_of(1))
    hands.end(line_of(1), 1)
    assert share(limiter, line_of(1)) == 0
    hands.end(line_of(1), 1)
    assert share(limiter, line_of(1)) == 2


def test_quick_answers_earn_slots_up_to_a_limit(limiter: ConcurrencyLimiter) -> None:
    line = limiter.line(line_of(1))
    for _ in range(100):
        line.succeeded(0.01)
    assert line.window == MOST
    assert share(limiter, line_of(1)) == MOST * limits.WEBHOOK_AHEAD_MAX


def test_slow_answers_earn_none(limiter: ConcurrencyLimiter) -> None:
    line = limiter.line(line_of(1))
    for _ in range(100):
        line.succeeded(2.0)
    assert line.window == share(limiter, line_of(1)) == FIRST


@pytest.mark.parametrize("answered", [True, False])
def test_failures_take_slots_down_to_one_and_never_to_none(
    limiter: ConcurrencyLimiter, answered: bool
) -> None:
    line = limiter.line(line_of(1))
    for _ in range(20):
        line.succeeded(0.01)
    seen = []
    for _ in range(50):
        line.failed(answered=answered)
        seen.append(share(limiter, line_of(1)))
    assert seen[0] == line_after(20) // 2
    assert seen == sorted(seen, reverse=True)
    assert seen[-1] == 1 and line.is_slowed
    assert limiter.slowed == 1


def line_after(successes: int) -> int:
    line = Line(line_of(1))
    for _ in range(successes):
        line.succeeded(0.01)
    return line.window


def test_a_slowed_place_that_answers_is_slow_no_more(limiter: ConcurrencyLimiter) -> None:
    line = limiter.line(line_of(1))
    for _ in range(50):
        line.failed(answered=False)
    line.succeeded(0.01)
    line.succeeded(0.01)
    assert not line.is_slowed and share(limiter, line_of(1)) >= 3


def test_a_single_failure_among_answers_costs_little(limiter: ConcurrencyLimiter) -> None:
    line = limiter.line(line_of(1))
    for turn in range(1000):
        line.failed(answered=True) if turn % 50 == 49 else line.succeeded(0.01)
    assert line.window >= MOST // 2


# Many lines


def test_those_that_have_yet_to_answer_leave_slots_to_those_that_do(
    limiter: ConcurrencyLimiter, hands: Hands
) -> None:
    taken = [hands.fill(line_of(account)) for account in range(1, 200)]
    assert sum(taken) == limits.WEBHOOK_SLOTS_UNPROVEN
    good = line_of(1000)
    limiter.line(good).succeeded(0.01)
    assert share(limiter, good) >= FIRST
    assert share(limiter, line_of(1001)) == 0


def test_those_that_keep_failing_have_a_small_part_together(
    limiter: ConcurrencyLimiter, hands: Hands
) -> None:
    for account in range(1, 300):
        for _ in range(10):
            limiter.line(line_of(account)).failed(answered=True)
    taken = [hands.fill(line_of(account)) for account in range(1, 300)]
    assert sum(taken) == limits.WEBHOOK_SLOTS_SLOWED
    assert max(taken) == 1


def test_an_account_with_many_places_does_not_take_all(
    limiter: ConcurrencyLimiter, hands: Hands
) -> None:
    taken = [hands.fill(line_of(1, priority)) for priority in range(100, 400)]
    assert sum(taken) == limits.WEBHOOK_SLOTS_PER_ACCOUNT
    assert share(limiter, line_of(2)) == FIRST


def test_a_host_that_answers_nobody_is_slowed_for_all_accounts(
    limiter: ConcurrencyLimiter, hands: Hands
) -> None:
    keys = [line_of(account) for account in range(1, 100)]
    for key in keys:
        limiter.lead(limiter.line(key), "hooks.example:443")
    for key in keys[: limits.WEBHOOK_FAILURES_TO_SLOW]:
        limiter.line(key).failed(answered=False)
    taken = [hands.fill(key) for key in keys]
    assert sum(taken) == limits.WEBHOOK_SLOTS_PER_SILENT_HOST
    limiter.line(keys[0]).succeeded(0.01)
    assert share(limiter, keys[50]) == FIRST, "it has answered somebody"


def test_one_accounts_refusals_do_not_slow_its_hosts_other_guests(
    limiter: ConcurrencyLimiter,
) -> None:
    ours, theirs = line_of(1), line_of(2)
    for key in (ours, theirs):
        limiter.lead(limiter.line(key), "hooks.example:443")
    for _ in range(50):
        limiter.line(ours).failed(answered=True)
    assert (share(limiter, ours), share(limiter, theirs)) == (1, FIRST)


def test_the_whole_has_a_limit(limiter: ConcurrencyLimiter, hands: Hands) -> None:
    for account in range(1, 100):
        line = limiter.line(line_of(account))
        for _ in range(100):
            line.succeeded(0.01)
        hands.fill(line_of(account))
    slots = [limiter.line(line_of(account)).slots for account in range(1, 100)]
    assert sum(slots) == limits.WEBHOOK_SLOTS


def test_whoever_waits_for_a_slot_is_told_when_one_is_free(
    limiter: ConcurrencyLimiter, hands: Hands
) -> None:
    told: list[str] = []
    limiter.on_room = lambda: told.append("room")
    for account in range(1, 200):
        hands.fill(line_of(account))
    assert share(limiter, line_of(500)) == 0
    hands.end(line_of(1), 1)
    assert told == ["room"]
    assert share(limiter, line_of(500)) == 1


def test_the_end_of_a_job_counts_once_and_of_a_stranger_not_at_all(
    limiter: ConcurrencyLimiter,
) -> None:
    limiter.take(7, line_of(1))
    for job_id in (7, 7, 8):
        limiter.done(job_id)
    assert limiter.claimed == 0 and limiter.line(line_of(1)).claimed == 0


def test_lines_at_rest_are_forgotten_in_time(limiter: ConcurrencyLimiter) -> None:
    busy = line_of(1)
    limiter.take(1, busy)
    for account in range(2, 25_000):
        limiter.lead(limiter.line(line_of(account)), f"{account}.example:443")
    assert limiter.line(busy).claimed == 1
    assert len(limiter._lines) <= 10_001 and len(limiter._hosts) <= 10_001


def test_a_target_has_recovered_when_it_succeeds_after_a_failure() -> None:
    line = ConcurrencyLimiter().line(line_of(1))
    assert line.target_succeeded("https://a.example/1"), "nothing was known of it"
    assert not line.target_succeeded("https://a.example/1")
    line.target_failed("https://a.example/2")
    assert not line.target_succeeded("https://a.example/1"), "another URL of the host failed"
    line.target_failed("https://a.example/1")
    assert line.target_succeeded("https://a.example/1")
