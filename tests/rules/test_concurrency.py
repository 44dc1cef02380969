"""The concurrency limiter: success earns slots, failure costs them, and nobody takes all."""

from uuid import UUID

import pytest

from tidings import limits
from tidings.engine.queue import Partition
from tidings.engine.queue.concurrency import ConcurrencyLimiter, PartitionLimit
from tidings.features.webhooks.destinations import DEFAULT_LIMITS

FIRST = limits.WEBHOOK_SLOTS_PER_DESTINATION
MOST = limits.WEBHOOK_SLOTS_PER_DESTINATION_MAX


def partition(account: int, key: str = "default") -> Partition:
    return Partition("webhooks", UUID(int=account), key)


def share(limiter: ConcurrencyLimiter, key: Partition) -> int:
    return limiter.shares([key], 0)[0].get(key, 0)


class HeldJobs:
    """Jobs with ids of their own, acquired and released."""

    def __init__(self, limiter: ConcurrencyLimiter) -> None:
        self.limiter = limiter
        self.jobs: dict[Partition, list[int]] = {}
        self.count = 0

    def acquire(self, key: Partition, jobs: int) -> None:
        for _ in range(jobs):
            self.count += 1
            self.limiter.acquire(self.count, key)
            self.jobs.setdefault(key, []).append(self.count)

    def release(self, key: Partition, jobs: int) -> None:
        for _ in range(jobs):
            self.limiter.release(self.jobs[key].pop())

    def fill(self, key: Partition) -> int:
        taken = share(self.limiter, key)
        self.acquire(key, taken)
        return taken


@pytest.fixture
def limiter() -> ConcurrencyLimiter:
    return ConcurrencyLimiter(DEFAULT_LIMITS)


@pytest.fixture
def held(limiter: ConcurrencyLimiter) -> HeldJobs:
    return HeldJobs(limiter)


# One partition


def test_an_unknown_partition_starts_with_a_few_slots(
    limiter: ConcurrencyLimiter, held: HeldJobs
) -> None:
    assert held.fill(partition(1)) == FIRST
    assert share(limiter, partition(1)) == 0


def test_more_is_claimed_when_half_of_the_jobs_have_ended(
    limiter: ConcurrencyLimiter, held: HeldJobs
) -> None:
    held.fill(partition(1))
    held.release(partition(1), 1)
    assert share(limiter, partition(1)) == 0
    held.release(partition(1), 1)
    assert share(limiter, partition(1)) == 2


def test_fast_successes_earn_slots_up_to_a_limit(limiter: ConcurrencyLimiter) -> None:
    limit = limiter.limit(partition(1))
    for _ in range(100):
        limit.succeeded(0.01)
    assert limit.window == MOST
    assert share(limiter, partition(1)) == MOST * limits.WEBHOOK_PREFETCH_PER_SLOT


def test_slow_successes_earn_none(limiter: ConcurrencyLimiter) -> None:
    limit = limiter.limit(partition(1))
    for _ in range(100):
        limit.succeeded(2.0)
    assert limit.window == share(limiter, partition(1)) == FIRST


@pytest.mark.parametrize("answered", [True, False])
def test_failures_reduce_slots_to_one_and_never_to_none(
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
    limit = PartitionLimit(partition(1), DEFAULT_LIMITS)
    for _ in range(successes):
        limit.succeeded(0.01)
    return limit.window


def test_a_throttled_partition_recovers_with_a_success(limiter: ConcurrencyLimiter) -> None:
    limit = limiter.limit(partition(1))
    for _ in range(50):
        limit.failed(answered=False)
    limit.succeeded(0.01)
    limit.succeeded(0.01)
    assert not limit.is_throttled and share(limiter, partition(1)) >= 3


def test_a_single_failure_among_successes_costs_little(limiter: ConcurrencyLimiter) -> None:
    limit = limiter.limit(partition(1))
    for turn in range(1000):
        limit.failed(answered=True) if turn % 50 == 49 else limit.succeeded(0.01)
    assert limit.window >= MOST // 2


# Many partitions


def test_unproven_partitions_leave_slots_to_proven_ones(
    limiter: ConcurrencyLimiter, held: HeldJobs
) -> None:
    taken = [held.fill(partition(account)) for account in range(1, 200)]
    assert sum(taken) == limits.WEBHOOK_SLOTS_UNPROVEN
    good = partition(1000)
    limiter.limit(good).succeeded(0.01)
    assert share(limiter, good) >= FIRST
    assert share(limiter, partition(1001)) == 0


def test_throttled_partitions_share_a_small_part_of_the_slots(
    limiter: ConcurrencyLimiter, held: HeldJobs
) -> None:
    for account in range(1, 300):
        for _ in range(10):
            limiter.limit(partition(account)).failed(answered=True)
    taken = [held.fill(partition(account)) for account in range(1, 300)]
    assert sum(taken) == limits.WEBHOOK_SLOTS_THROTTLED
    assert max(taken) == 1


def test_an_account_with_many_partitions_does_not_take_all_slots(
    limiter: ConcurrencyLimiter, held: HeldJobs
) -> None:
    taken = [held.fill(partition(1, f"{n}.example:443")) for n in range(300)]
    assert sum(taken) == limits.WEBHOOK_SLOTS_PER_ACCOUNT
    assert share(limiter, partition(2)) == FIRST


def test_an_unresponsive_host_is_throttled_for_all_accounts(
    limiter: ConcurrencyLimiter, held: HeldJobs
) -> None:
    keys = [partition(account) for account in range(1, 100)]
    for key in keys:
        limiter.set_host(limiter.limit(key), "hooks.example:443")
    for key in keys[: limits.WEBHOOK_FAILURES_TO_THROTTLE]:
        limiter.limit(key).failed(answered=False)
    taken = [held.fill(key) for key in keys]
    assert sum(taken) == limits.WEBHOOK_SLOTS_PER_UNRESPONSIVE_HOST
    limiter.limit(keys[0]).succeeded(0.01)
    assert share(limiter, keys[50]) == FIRST, "it has answered one of them"


def test_refusals_of_one_account_do_not_throttle_others_of_the_host(
    limiter: ConcurrencyLimiter,
) -> None:
    ours, theirs = partition(1), partition(2)
    for key in (ours, theirs):
        limiter.set_host(limiter.limit(key), "hooks.example:443")
    for _ in range(50):
        limiter.limit(ours).failed(answered=True)
    assert (share(limiter, ours), share(limiter, theirs)) == (1, FIRST)


def test_the_total_is_limited(limiter: ConcurrencyLimiter, held: HeldJobs) -> None:
    for account in range(1, 100):
        limit = limiter.limit(partition(account))
        for _ in range(100):
            limit.succeeded(0.01)
        held.fill(partition(account))
    slots = [limiter.limit(partition(account)).slots for account in range(1, 100)]
    assert sum(slots) == limits.WEBHOOK_SLOTS


def test_the_worker_is_woken_when_a_slot_is_free(
    limiter: ConcurrencyLimiter, held: HeldJobs
) -> None:
    signals: list[str] = []
    limiter.on_capacity = lambda: signals.append("capacity")
    for account in range(1, 200):
        held.fill(partition(account))
    assert share(limiter, partition(500)) == 0
    held.release(partition(1), 1)
    assert signals == ["capacity"]
    assert share(limiter, partition(500)) == 1


def test_releasing_a_job_twice_or_an_unknown_job_has_no_effect(
    limiter: ConcurrencyLimiter,
) -> None:
    limiter.acquire(7, partition(1))
    for job_id in (7, 7, 8):
        limiter.release(job_id)
    assert limiter.claimed == 0 and limiter.limit(partition(1)).claimed == 0


def test_idle_partitions_are_evicted(limiter: ConcurrencyLimiter) -> None:
    busy = partition(1)
    limiter.acquire(1, busy)
    for account in range(2, 25_000):
        limiter.set_host(limiter.limit(partition(account)), f"{account}.example:443")
    assert limiter.limit(busy).claimed == 1
    assert len(limiter._partitions) <= 10_001 and len(limiter._hosts) <= 10_001


def test_an_endpoint_has_recovered_when_it_succeeds_after_a_failure() -> None:
    limit = ConcurrencyLimiter(DEFAULT_LIMITS).limit(partition(1))
    assert limit.endpoint_succeeded("https://a.example/1"), "nothing was known of it"
    assert not limit.endpoint_succeeded("https://a.example/1")
    limit.endpoint_failed("https://a.example/2")
    assert not limit.endpoint_succeeded("https://a.example/1"), "another URL of the host failed"
    limit.endpoint_failed("https://a.example/1")
    assert limit.endpoint_succeeded("https://a.example/1")


# Jobs that run from memory, without a claim


def test_there_is_capacity_for_what_a_claim_would_give(limiter: ConcurrencyLimiter) -> None:
    assert limiter.capacity(partition(1)) == share(limiter, partition(1)) == FIRST


def test_capacity_is_used_up(limiter: ConcurrencyLimiter, held: HeldJobs) -> None:
    held.acquire(partition(1), FIRST - 1)
    assert limiter.capacity(partition(1)) == 1
    held.acquire(partition(1), 2)
    assert limiter.capacity(partition(1)) == 0
    assert limiter.capacity(partition(2)) == FIRST, "of others it is not"


def test_nothing_overtakes_due_jobs_of_its_partition(limiter: ConcurrencyLimiter) -> None:
    ours, theirs = partition(1), partition(2)
    limiter.note_backlog([ours, theirs], {ours})
    assert (limiter.capacity(ours), limiter.capacity(theirs)) == (0, FIRST)
    limiter.note_backlog([ours], set())
    assert limiter.capacity(ours) == FIRST


def test_nothing_takes_the_slot_that_another_partition_waits_for(
    limiter: ConcurrencyLimiter, held: HeldJobs
) -> None:
    held.acquire(partition(1), 1)
    for account in range(2, limits.WEBHOOK_SLOTS):
        held.fill(partition(account))
    _, passed_over = limiter.shares([partition(1000)], 0)
    assert passed_over == partition(1000)
    held.release(partition(2), FIRST)
    assert limiter.capacity(partition(1)) == 0
    assert share(limiter, partition(1000)) > 0
    assert limiter.capacity(partition(1)) > 0


def test_an_account_has_capacity_for_its_share_only(
    limiter: ConcurrencyLimiter, held: HeldJobs
) -> None:
    taken = 0
    for n in range(limits.WEBHOOK_SLOTS):
        capacity = limiter.capacity(partition(1, f"host-{n}"))
        held.acquire(partition(1, f"host-{n}"), capacity)
        taken += capacity
    assert taken == limits.WEBHOOK_SLOTS_PER_ACCOUNT
    assert limiter.capacity(partition(2)) == FIRST


def test_an_end_asks_for_a_claim_only_where_jobs_wait(
    limiter: ConcurrencyLimiter, held: HeldJobs
) -> None:
    asked: list[bool] = []
    limiter.on_capacity = lambda: asked.append(True)
    held.acquire(partition(1), 2)
    held.release(partition(1), 1)
    assert asked == []
    limiter.note_backlog([partition(1)], {partition(1)})
    held.release(partition(1), 1)
    assert asked == [True]
