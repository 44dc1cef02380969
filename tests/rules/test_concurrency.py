"""The concurrency limiter: success earns slots, failure costs them, and nobody takes all."""

from uuid import UUID

import pytest

from tidings import limits
from tidings.engine.queue import Partition
from tidings.engine.queue.concurrency import ConcurrencyLimiter, PartitionLimit
from tidings.features.webhooks.destinations import LIMITS

FIRST = limits.WEBHOOK_SLOTS_PER_DESTINATION
MOST = limits.WEBHOOK_SLOTS_PER_DESTINATION_MAX


def partition(account: int, key: str = "default") -> Partition:
    return Partition("webhooks", UUID(int=account), key)


def share(limiter: ConcurrencyLimiter, key: Partition) -> int:
    return limiter.shares([key], 0)[0].get(key, 0)


class Hands:
    """Jobs with numbers of their own, taken and ended."""

    def __init__(self, limiter: ConcurrencyLimiter) -> None:
        self.limiter = limiter
        self.jobs: dict[Partition, list[int]] = {}
        self.count = 0

    def take(self, key: Partition, jobs: int) -> None:
        for _ in range(jobs):
            self.count += 1
            self.limiter.acquire(self.count, key)
            self.jobs.setdefault(key, []).append(self.count)

    def end(self, key: Partition, jobs: int) -> None:
        for _ in range(jobs):
            self.limiter.release(self.jobs[key].pop())

    def fill(self, key: Partition) -> int:
        taken = share(self.limiter, key)
        self.take(key, taken)
        return taken


@pytest.fixture
def limiter() -> ConcurrencyLimiter:
    return ConcurrencyLimiter(LIMITS)


@pytest.fixture
def hands(limiter: ConcurrencyLimiter) -> Hands:
    return Hands(limiter)


# One line


def test_a_place_nobody_knows_begins_with_a_few_slots(
    limiter: ConcurrencyLimiter, hands: Hands
) -> None:
    assert hands.fill(partition(1)) == FIRST
    assert share(limiter, partition(1)) == 0


def test_room_is_given_when_half_of_the_jobs_have_ended(
    limiter: ConcurrencyLimiter, hands: Hands
) -> None:
    hands.fill(partition(1))
    hands.end(partition(1), 1)
    assert share(limiter, partition(1)) == 0
    hands.end(partition(1), 1)
    assert share(limiter, partition(1)) == 2


def test_quick_answers_earn_slots_up_to_a_limit(limiter: ConcurrencyLimiter) -> None:
    limit = limiter.limit(partition(1))
    for _ in range(100):
        limit.succeeded(0.01)
    assert limit.window == MOST
    assert share(limiter, partition(1)) == MOST * limits.WEBHOOK_PREFETCH_PER_SLOT


def test_slow_answers_earn_none(limiter: ConcurrencyLimiter) -> None:
    limit = limiter.limit(partition(1))
    for _ in range(100):
        limit.succeeded(2.0)
    assert limit.window == share(limiter, partition(1)) == FIRST


@pytest.mark.parametrize("answered", [True, False])
def test_failures_take_slots_down_to_one_and_never_to_none(
    limiter: ConcurrencyLimiter, answered: bool
) -> None:
    limit = limiter.limit(partition(1))
    for _ in range(20):
        limit.succeeded(0.01)
    seen = []
    for _ in range(50):
        limit.failed(answered=answered)
        seen.append(share(limiter, partition(1)))
    assert seen[0] == window_after(20) // 2
    assert seen == sorted(seen, reverse=True)
    assert seen[-1] == 1 and limit.is_throttled
    assert limiter.throttled == 1


def window_after(successes: int) -> int:
    limit = PartitionLimit(partition(1), LIMITS)
    for _ in range(successes):
        limit.succeeded(0.01)
    return limit.window


def test_a_slowed_place_that_answers_is_slow_no_more(limiter: ConcurrencyLimiter) -> None:
    limit = limiter.limit(partition(1))
    for _ in range(50):
        limit.failed(answered=False)
    limit.succeeded(0.01)
    limit.succeeded(0.01)
    assert not limit.is_throttled and share(limiter, partition(1)) >= 3


def test_a_single_failure_among_answers_costs_little(limiter: ConcurrencyLimiter) -> None:
    limit = limiter.limit(partition(1))
    for turn in range(1000):
        limit.failed(answered=True) if turn % 50 == 49 else limit.succeeded(0.01)
    assert limit.window >= MOST // 2


# Many lines


def test_those_that_have_yet_to_answer_leave_slots_to_those_that_do(
    limiter: ConcurrencyLimiter, hands: Hands
) -> None:
    taken = [hands.fill(partition(account)) for account in range(1, 200)]
    assert sum(taken) == limits.WEBHOOK_SLOTS_UNPROVEN
    good = partition(1000)
    limiter.limit(good).succeeded(0.01)
    assert share(limiter, good) >= FIRST
    assert share(limiter, partition(1001)) == 0


def test_those_that_keep_failing_have_a_small_part_together(
    limiter: ConcurrencyLimiter, hands: Hands
) -> None:
    for account in range(1, 300):
        for _ in range(10):
            limiter.limit(partition(account)).failed(answered=True)
    taken = [hands.fill(partition(account)) for account in range(1, 300)]
    assert sum(taken) == limits.WEBHOOK_SLOTS_THROTTLED
    assert max(taken) == 1


def test_an_account_with_many_places_does_not_take_all(
    limiter: ConcurrencyLimiter, hands: Hands
) -> None:
    taken = [hands.fill(partition(1, f"{n}.example:443")) for n in range(300)]
    assert sum(taken) == limits.WEBHOOK_SLOTS_PER_ACCOUNT
    assert share(limiter, partition(2)) == FIRST


def test_a_host_that_answers_nobody_is_slowed_for_all_accounts(
    limiter: ConcurrencyLimiter, hands: Hands
) -> None:
    keys = [partition(account) for account in range(1, 100)]
    for key in keys:
        limiter.set_host(limiter.limit(key), "hooks.example:443")
    for key in keys[: limits.WEBHOOK_FAILURES_TO_THROTTLE]:
        limiter.limit(key).failed(answered=False)
    taken = [hands.fill(key) for key in keys]
    assert sum(taken) == limits.WEBHOOK_SLOTS_PER_UNRESPONSIVE_HOST
    limiter.limit(keys[0]).succeeded(0.01)
    assert share(limiter, keys[50]) == FIRST, "it has answered somebody"


def test_one_accounts_refusals_do_not_slow_its_hosts_other_guests(
    limiter: ConcurrencyLimiter,
) -> None:
    ours, theirs = partition(1), partition(2)
    for key in (ours, theirs):
        limiter.set_host(limiter.limit(key), "hooks.example:443")
    for _ in range(50):
        limiter.limit(ours).failed(answered=True)
    assert (share(limiter, ours), share(limiter, theirs)) == (1, FIRST)


def test_the_whole_has_a_limit(limiter: ConcurrencyLimiter, hands: Hands) -> None:
    for account in range(1, 100):
        limit = limiter.limit(partition(account))
        for _ in range(100):
            limit.succeeded(0.01)
        hands.fill(partition(account))
    slots = [limiter.limit(partition(account)).slots for account in range(1, 100)]
    assert sum(slots) == limits.WEBHOOK_SLOTS


def test_whoever_waits_for_a_slot_is_told_when_one_is_free(
    limiter: ConcurrencyLimiter, hands: Hands
) -> None:
    told: list[str] = []
    limiter.on_capacity = lambda: told.append("room")
    for account in range(1, 200):
        hands.fill(partition(account))
    assert share(limiter, partition(500)) == 0
    hands.end(partition(1), 1)
    assert told == ["room"]
    assert share(limiter, partition(500)) == 1


def test_the_end_of_a_job_counts_once_and_of_a_stranger_not_at_all(
    limiter: ConcurrencyLimiter,
) -> None:
    limiter.acquire(7, partition(1))
    for job_id in (7, 7, 8):
        limiter.release(job_id)
    assert limiter.claimed == 0 and limiter.limit(partition(1)).claimed == 0


def test_partitions_at_rest_are_forgotten_in_time(limiter: ConcurrencyLimiter) -> None:
    busy = partition(1)
    limiter.acquire(1, busy)
    for account in range(2, 25_000):
        limiter.set_host(limiter.limit(partition(account)), f"{account}.example:443")
    assert limiter.limit(busy).claimed == 1
    assert len(limiter._partitions) <= 10_001 and len(limiter._hosts) <= 10_001


def test_a_target_has_recovered_when_it_succeeds_after_a_failure() -> None:
    limit = ConcurrencyLimiter(LIMITS).limit(partition(1))
    assert limit.endpoint_succeeded("https://a.example/1"), "nothing was known of it"
    assert not limit.endpoint_succeeded("https://a.example/1")
    limit.endpoint_failed("https://a.example/2")
    assert not limit.endpoint_succeeded("https://a.example/1"), "another URL of the host failed"
    limit.endpoint_failed("https://a.example/1")
    assert limit.endpoint_succeeded("https://a.example/1")
