"""The adaptive concurrency limiter: how many jobs of a partition run at once, learned from their
results.

A partition starts with a few slots. A fast success earns it one more, a failure halves them
(additive increase, multiplicative decrease), and repeated failures throttle it to one: it is slowed
down and never stopped. So that failing partitions do not delay the others, the sum of slots is
bounded as well: in total, per account, for partitions that have not succeeded yet, and for those
that are throttled. Jobs without a slot stay in the queue, without a lease.

The state belongs to one process and is lost with it. It makes no calls and reads no clock.
"""

from collections.abc import Callable, Container, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from .model import Partition, PartitionLimits

PARTITIONS_KEPT = 10_000
ENDPOINTS_KEPT = 256  # of one partition
SMOOTHING = 0.2  # the weight of the last duration in the moving average


@dataclass(slots=True)
class Host:
    """What partitions lead to, possibly those of several accounts."""

    unanswered: int = 0  # jobs in a row


@dataclass(slots=True)
class PartitionLimit:
    """The present limit of one partition, and the results it was learned from."""

    partition: Partition
    limits: PartitionLimits
    window: int = field(init=False)  # slots that it may use
    seconds: float = field(init=False)  # moving average of a success
    claimed: int = 0  # jobs that hold a lease
    running: int = 0  # of them
    failures: int = 0  # in a row
    is_proven: bool = False  # the last job succeeded
    has_backlog: bool = False  # due jobs may wait in the queue
    host: Host = field(default_factory=Host)
    healthy: set[str] = field(default_factory=set)  # endpoints whose last job succeeded

    def __post_init__(self) -> None:
        self.window = self.limits.initial
        self.seconds = self.limits.fast.total_seconds()

    @property
    def has_unresponsive_host(self) -> bool:
        return self.host.unanswered >= self.limits.failures_to_throttle

    @property
    def is_throttled(self) -> bool:
        return self.failures >= self.limits.failures_to_throttle or self.has_unresponsive_host

    @property
    def slots(self) -> int:
        """How many of the shared slots it uses. Jobs claimed ahead use none."""
        return min(self.window, self.claimed)

    @property
    def claim_target(self) -> int:
        """How many jobs to hold claimed: where jobs succeed, enough for `prefetch`."""
        per_slot = 1
        if self.is_proven:
            ahead = int(self.limits.prefetch.total_seconds() / self.seconds)
            per_slot = max(1, min(self.limits.prefetch_per_slot, ahead))
        return self.window * per_slot

    def succeeded(self, seconds: float) -> None:
        self.is_proven, self.failures, self.host.unanswered = True, 0, 0
        self.seconds += SMOOTHING * (max(seconds, 0.0001) - self.seconds)
        if seconds < self.limits.fast.total_seconds() and self.window < self.limits.maximum:
            self.window += 1

    def failed(self, *, answered: bool) -> None:
        """`answered`: the host responded, with an error."""
        self.is_proven = False
        self.failures += 1
        self.seconds = self.limits.fast.total_seconds()
        self.host.unanswered = 0 if answered else self.host.unanswered + 1
        self.window = 1 if self.is_throttled else max(1, self.window // 2)

    def endpoint_succeeded(self, endpoint: str) -> bool:
        """Whether it has recovered: its last job failed, or nothing is known of it."""
        recovered = endpoint not in self.healthy
        if recovered:
            if len(self.healthy) >= ENDPOINTS_KEPT:
                self.healthy.clear()  # reporting a recovery too often is harmless
            self.healthy.add(endpoint)
        return recovered

    def endpoint_failed(self, endpoint: str) -> None:
        self.healthy.discard(endpoint)


class ConcurrencyLimiter:
    """The limits of all partitions in this process. A `SharePolicy` of claims."""

    def __init__(self, limits: PartitionLimits) -> None:
        self.limits = limits
        self.on_capacity: Callable[[], None] = lambda: None  # slots are free for another claim
        self._partitions: dict[Partition, PartitionLimit] = {}
        self._hosts: dict[str, Host] = {}
        self._claimed: dict[Hashable, PartitionLimit] = {}  # by job key
        self._busy: dict[Partition, PartitionLimit] = {}  # those with claimed jobs
        self._is_short = False  # the last claim passed a partition over for lack of slots

    def limit(self, partition: Partition) -> PartitionLimit:
        found = self._partitions.get(partition)
        if found is None:
            self._evict()
            found = self._partitions[partition] = PartitionLimit(partition, self.limits)
        return found

    def set_host(self, limit: PartitionLimit, name: str) -> None:
        """The host that the partition leads to, once it is known."""
        host = self._hosts.get(name)
        if host is None:
            host = self._hosts[name] = Host()
        limit.host = host

    @property
    def claimed(self) -> int:
        return len(self._claimed)

    @property
    def throttled(self) -> int:
        """How many partitions are throttled, for the metrics."""
        return sum(limit.is_throttled for limit in self._partitions.values())

    def shares(
        self, due: Sequence[Partition], taken: int
    ) -> tuple[dict[Partition, int], Partition | None]:
        if taken:
            return {}, None  # the first shares were all that the limits allow
        budget = _Budget(self.limits, self._busy.values())
        found: dict[Partition, int] = {}
        passed_over: Partition | None = None
        for partition in due:
            limit = self._partitions.get(partition) or PartitionLimit(partition, self.limits)
            if 2 * limit.claimed > limit.claim_target:
                continue  # claim many at once, not one for each that ends
            slots, share = budget.share(limit)
            if share > 0:
                found[partition] = share
                budget.take(limit, slots)
            else:
                passed_over = passed_over or partition
        self._is_short = passed_over is not None
        return found, passed_over

    def capacity(self, partition: Partition) -> int:
        """How many more jobs of the partition may start without waiting in the queue: none if that
        would overtake others, of this partition or of one that waits for a slot."""
        limit = self.limit(partition)
        if self._is_short or limit.has_backlog:
            return 0
        return max(0, _Budget(self.limits, self._busy.values()).share(limit)[1])

    def note_backlog(self, due: Iterable[Partition], left: Container[Partition]) -> None:
        """What a claim found: partitions with due jobs, and those of them that have more."""
        for partition in due:
            if partition in left:
                self.limit(partition).has_backlog = True
            elif partition in self._partitions:
                self._partitions[partition].has_backlog = False

    def acquire(self, job_key: Hashable, partition: Partition) -> None:
        limit = self._busy[partition] = self.limit(partition)
        limit.claimed += 1
        self._claimed[job_key] = limit

    def release(self, job_key: Hashable) -> None:
        """A job has ended. Idempotent; unknown jobs are ignored."""
        limit = self._claimed.pop(job_key, None)
        if limit is None:
            return
        limit.claimed -= 1
        if not limit.claimed:
            del self._busy[limit.partition]
        may_claim = limit.has_backlog and 2 * limit.claimed <= limit.claim_target
        if self._is_short or may_claim:
            self.on_capacity()

    def _evict(self) -> None:
        """Forget the oldest idle partitions; their limits are learned again within a few jobs."""
        if len(self._partitions) < PARTITIONS_KEPT:
            return
        idle = [partition for partition, limit in self._partitions.items() if not limit.claimed]
        for partition in idle[: PARTITIONS_KEPT // 10]:
            del self._partitions[partition]
        used = {id(limit.host) for limit in self._partitions.values()}
        self._hosts = {name: host for name, host in self._hosts.items() if id(host) in used}


class _Budget:
    """The slots that partitions share, less those in use."""

    def __init__(self, limits: PartitionLimits, busy: Iterable[PartitionLimit]) -> None:
        self._limits = limits
        self._total = limits.total
        self._unproven = limits.unproven
        self._throttled = limits.throttled
        self._accounts: dict[UUID, int] = {}
        self._hosts: dict[int, int] = {}
        for limit in busy:
            self.take(limit, limit.slots)

    def left(self, limit: PartitionLimit) -> int:
        in_account = self._accounts.get(limit.partition.account_id, 0)
        left = [self._total, self._limits.per_account - in_account]
        if not limit.is_proven:
            left.append(self._unproven)
        if limit.is_throttled:
            left.append(self._throttled)
        if limit.has_unresponsive_host:
            at_host = self._hosts.get(id(limit.host), 0)
            left.append(self._limits.per_unresponsive_host - at_host)
        return max(0, min(left))

    def share(self, limit: PartitionLimit) -> tuple[int, int]:
        """The shared slots that a partition may use in addition, and how many jobs it may start.
        One that gets all slots of its window also gets jobs ahead."""
        slots = min(self.left(limit), limit.window - limit.slots)
        is_full = limit.slots + slots == limit.window
        return slots, limit.claim_target - limit.claimed if is_full else slots

    def take(self, limit: PartitionLimit, slots: int) -> None:
        self._total -= slots
        account = limit.partition.account_id
        self._accounts[account] = self._accounts.get(account, 0) + slots
        if not limit.is_proven:
            self._unproven -= slots
        if limit.is_throttled:
            self._throttled -= slots
        host = id(limit.host)
        self._hosts[host] = self._hosts.get(host, 0) + slots
