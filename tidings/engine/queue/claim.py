"""Which due jobs a worker gets: a share of each partition, so that none starves the others.

First-in-first-out with SKIP LOCKED served 1 of 21 accounts while the largest had 200,000 jobs
waiting; shares serve all of them (docs/decisions/0009-queue.md). How large the shares are is a
policy: equal ones (`EqualShares`), or those of a `ConcurrencyLimiter`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter
from typing import Protocol

from tidings.engine.db.tx import Tx

from .claim_store import START, Position, Scan, just_before
from .model import Job, Partition

SCANS_MAX = 32  # in one claim; the next claim continues where this one ended


class JobSource(Protocol):
    """Where jobs are claimed from."""

    async def scan(self, tx: Tx, after: Position) -> Scan:
        """The partitions after a position that have due jobs."""

    async def lease(
        self, tx: Tx, shares: Mapping[Partition, int], priorities: Iterable[int]
    ) -> list[Job]:
        """Claim up to so many due jobs of each partition."""


class SharePolicy(Protocol):
    """How many jobs of each partition a claim may take."""

    def shares(
        self, due: Sequence[Partition], taken: int
    ) -> tuple[Mapping[Partition, int], Partition | None]:
        """The shares of these partitions, when the claim has taken so many jobs already; and the
        first partition that gets none because the slots are used up."""


@dataclass(frozen=True, slots=True)
class EqualShares:
    """Divides the free slots evenly; what some partitions leave goes to those that have more."""

    slots: int

    def shares(
        self, due: Sequence[Partition], taken: int
    ) -> tuple[Mapping[Partition, int], Partition | None]:
        left = self.slots - taken
        if left <= 0:
            return {}, None
        share = max(1, left // len(due))
        return dict.fromkeys(due[:left], share), due[left] if len(due) > left else None


@dataclass(slots=True)
class Claimed:
    """The result of a claim."""

    jobs: list[Job] = field(default_factory=list)
    next_due: datetime | None = None  # when the next job of the pool falls due
    held_back: bool = False  # due jobs may be left: locked, or waiting for an older one
    due: set[Partition] = field(default_factory=set)  # partitions that were found to have due jobs
    left: set[Partition] = field(default_factory=set)  # those of them that may have more


@dataclass(slots=True)
class Claimer:
    """Claims due jobs of a source. Each claim starts where the last one ran out of slots, so that
    every partition gets its share in turn."""

    source: JobSource
    start: Position = START

    async def claim(self, tx: Tx, policy: SharePolicy) -> Claimed:
        """Scan until jobs are found, or no partition is left that could have any."""
        claimed = Claimed()
        passed_over: Partition | None = None
        position, is_last_lap = self.start, self.start == START
        for _ in range(SCANS_MAX):
            scan = await self.source.scan(tx, position)
            claimed.next_due = scan.next_due
            skipped = await self._claim_shares(tx, scan, policy, claimed)
            passed_over = passed_over or skipped
            position = scan.end
            if claimed.jobs or not scan.due or (is_last_lap and position == START):
                break
            is_last_lap |= position == START
        else:
            claimed.held_back = True  # partitions are left that were not scanned
        claimed.jobs.sort(key=attrgetter("priority", "due_at", "id"))
        self.start = position if passed_over is None else just_before(passed_over)
        return claimed

    async def _claim_shares(
        self, tx: Tx, scan: Scan, policy: SharePolicy, claimed: Claimed
    ) -> Partition | None:
        """Claim the shares of the partitions that are due; the first that was offered none."""
        due = list(scan.due)
        claimed.due.update(due)
        claimed.left.update(due)
        offered: set[Partition] = set()
        passed_over: Partition | None = None
        while due:
            shares, skipped = policy.shares(due, len(claimed.jobs))
            if offered and not shares:
                break
            passed_over = None if skipped in offered else skipped
            if not shares:
                break
            offered |= shares.keys()
            jobs = await self.source.lease(tx, shares, scan.priorities)
            claimed.jobs += jobs
            counts = Counter(job.partition for job in jobs)
            claimed.held_back |= len(counts) < len(shares)
            not_offered = [partition for partition in due if partition not in shares]
            has_more = [partition for partition in shares if counts[partition] == shares[partition]]
            due = not_offered + has_more
            claimed.left.difference_update(shares.keys() - has_more)
        return passed_over
