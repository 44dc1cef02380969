"""The claimer on a source in memory: shares of partitions, and which of them come next."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

import pytest

from tidings.engine.queue import Job, Partition
from tidings.engine.queue.claim import Claimer, EqualShares
from tidings.engine.queue.claim_store import START, Position, Scan
from tidings.engine.queue.executor import groups

PAGE = 8


def partition(number: int) -> Partition:
    return Partition("send", UUID(int=number), "")


def job(number: int, *, account: int = 1, kind: str = "k", key: str = "", crashes: int = 0) -> Job:
    return Job(
        number, UUID(int=account), kind, str(number), 1, crashes=crashes, pool="send",
        partition_key=key,
    )  # fmt: skip


class Source:
    """So many due jobs of each account; those of `locked` accounts cannot be claimed."""

    def __init__(self, due: dict[int, int], locked: Iterable[int] = ()) -> None:
        self.due, self.locked = due, set(locked)
        self.leases = 0

    async def scan(self, _tx: Any, after: Position) -> Scan:
        accounts = [n for n in sorted(self.due) if (UUID(int=n), "", 5) > after]
        page = accounts[:PAGE]
        end = (UUID(int=page[-1]), "", 5) if len(accounts) > PAGE else START
        return Scan(dict.fromkeys(partition(n) for n in page if self.due[n]), {5}, None, end)

    async def lease(
        self, _tx: Any, shares: Mapping[Partition, int], _priorities: Iterable[int]
    ) -> list[Job]:
        self.leases += 1
        jobs = []
        for one, share in shares.items():
            account = one.account_id.int
            count = 0 if account in self.locked else min(share, self.due[account])
            self.due[account] -= count
            jobs += [job(account * 1000 + n, account=account) for n in range(count)]
        return jobs


async def claim(claimer: Claimer, slots: int) -> Counter[int]:
    claimed = await claimer.claim(None, EqualShares(slots))
    return Counter(one.account_id.int for one in claimed.jobs)


async def test_slots_are_divided_evenly_and_the_rest_goes_to_those_that_have_more() -> None:
    assert await claim(Claimer(Source({1: 100, 2: 1, 3: 4})), 30) == {1: 25, 2: 1, 3: 4}


async def test_partitions_that_got_no_slot_come_first_in_the_next_claim() -> None:
    claimer = Claimer(Source(dict.fromkeys(range(1, 8), 10)))
    rounds = [sorted(await claim(claimer, 3)) for _ in range(4)]
    assert rounds == [[1, 2, 3], [4, 5, 6], [7], [1, 2, 3]]


async def test_partitions_of_later_pages_get_their_share() -> None:
    claimer = Claimer(Source(dict.fromkeys(range(1, 4 * PAGE + 1), 100)))
    served = set()
    for _ in range(4):
        served |= (await claim(claimer, PAGE + 1)).keys()
    assert served == set(range(1, 4 * PAGE + 1))


async def test_slots_of_a_locked_partition_go_to_the_next_ones() -> None:
    source = Source({1: 5, 2: 5, 3: 5}, locked=[1])
    claimed = await Claimer(source).claim(None, EqualShares(2))
    assert Counter(one.account_id.int for one in claimed.jobs) == {2: 1, 3: 1}
    assert claimed.held_back


async def test_a_claim_scans_on_while_everything_due_is_locked() -> None:
    due = dict.fromkeys(range(1, 3 * PAGE), 1)
    source = Source(due, locked=range(1, 2 * PAGE + 1))
    assert min(await claim(Claimer(source), 4)) == 2 * PAGE + 1


async def test_nothing_due_is_no_lease() -> None:
    source = Source({1: 0, 2: 0})
    claimed = await Claimer(source).claim(None, EqualShares(10))
    assert (claimed.jobs, claimed.held_back, source.leases) == ([], False, 0)


@pytest.mark.parametrize(
    ("jobs", "expected"),
    [
        ([job(1), job(2), job(3)], [[1, 2], [3]]),
        ([job(1), job(2, account=2)], [[1, 2]]),
        ([job(1), job(2, kind="other")], [[1], [2]]),
        ([job(1, key="a"), job(2, key="b"), job(3, key="a")], [[1, 3], [2]]),
        ([job(1, key="a"), job(2, account=2, key="a")], [[1], [2]]),
        ([job(1, crashes=1), job(2), job(3, crashes=2), job(4)], [[2, 4], [1], [3]]),
    ],
)
def test_a_group_has_one_kind_and_partition_key_and_crashed_jobs_run_alone(
    jobs: list[Job], expected: list[list[int]]
) -> None:
    assert [[one.id for one in group] for group in groups(jobs, 2)] == expected
