"""Whose turn it is: how many jobs of a line may run at once, learnt from how the last ones ended.

A line is an account's jobs that lead to one place. Each begins with a few slots, earns more by
quick answers and loses them by failures, down to one: it is slowed and never dropped. So that
nobody's dead place delays the others, the sum of the slots is bounded too: for all, for an account,
for places that have yet to answer, and for those that keep failing. What has no turn waits in the
queue; it holds no lease and no slot here.

Known to one process alone, and forgotten with it. Pure but for being remembered.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from uuid import UUID

from tidings import limits

Key = tuple[UUID, int]  # an account's jobs of one priority

LINES_KEPT = 10_000
TARGETS_KEPT = 256  # of one line
AHEAD = limits.WEBHOOK_AHEAD.total_seconds()
QUICK = limits.WEBHOOK_QUICK.total_seconds()
SLOTS_MAX = limits.WEBHOOK_SLOTS_PER_DESTINATION_MAX
SMOOTHING = 0.2  # how much the last answer's time counts in the average


@dataclass(slots=True)
class Host:
    """A host and port, whichever accounts lead there."""

    silent: int = 0  # posts in a row without any answer

    @property
    def is_silent(self) -> bool:
        return self.silent >= limits.WEBHOOK_FAILURES_TO_SLOW


@dataclass(slots=True)
class Line:
    """How the posts of an account to one place have gone."""

    key: Key
    window: int = limits.WEBHOOK_SLOTS_PER_DESTINATION
    claimed: int = 0  # jobs in hand
    running: int = 0  # posts under way
    failures: int = 0  # in a row
    is_proven: bool = False  # the last post was answered well
    seconds: float = QUICK  # an answer takes, on average
    host: Host = field(default_factory=Host)
    answering: set[str] = field(default_factory=set)  # targets whose last job succeeded

    @property
    def is_slowed(self) -> bool:
        return self.failures >= limits.WEBHOOK_FAILURES_TO_SLOW or self.host.is_silent

    @property
    def slots(self) -> int:
        """What it holds of the shared ones: no more than it may run at once."""
        return min(self.window, self.claimed)

    @property
    def wanted(self) -> int:
        """How many jobs are worth having in hand: a few moments' work of a fast destination."""
        ahead = min(limits.WEBHOOK_AHEAD_MAX, int(AHEAD / self.seconds)) if self.is_proven else 1
        return self.window * max(1, ahead)

    def succeeded(self, seconds: float) -> None:
        self.is_proven, self.failures, self.host.silent = True, 0, 0
        self.seconds += SMOOTHING * (max(seconds, 0.0001) - self.seconds)
        if seconds < QUICK and self.window < SLOTS_MAX:
            self.window += 1

    def failed(self, *, answered: bool) -> None:
        """`answered`: there is somebody, who did not like it."""
        self.is_proven = False
        self.failures += 1
        self.seconds = QUICK
        self.host.silent = 0 if answered else self.host.silent + 1
        self.window = 1 if self.is_slowed else max(1, self.window // 2)

    def target_succeeded(self, target: str) -> bool:
        """Of a whole URL. True: it has recovered; the job before failed, or none is known of."""
        recovered = target not in self.answering
        if recovered:
            if len(self.answering) >= TARGETS_KEPT:
                self.answering.clear()  # to look once too often is harmless
            self.answering.add(target)
        return recovered

    def target_failed(self, target: str) -> None:
        self.answering.discard(target)


class ConcurrencyLimiter:
    """The lines of one process."""

    def __init__(self) -> None:
        self._lines: dict[Key, Line] = {}
        self._hosts: dict[str, Host] = {}
        self._claimed: dict[int, Line] = {}  # by job
        self._busy: dict[Key, Line] = {}  # those with jobs in hand
        self._short = False  # a line found no slot left: whichever job ends makes room
        self.on_room: Callable[[], None] = lambda: None

    def line(self, key: Key) -> Line:
        found = self._lines.get(key)
        if found is None:
            self._forget()
            found = self._lines[key] = Line(key)
        return found

    def lead(self, line: Line, place: str) -> None:
        """It is known now which host the line leads to."""
        host = self._hosts.get(place)
        if host is None:
            host = self._hosts[place] = Host()
        line.host = host

    @property
    def claimed(self) -> int:
        return len(self._claimed)

    @property
    def slowed(self) -> int:
        """How many lines are slowed at present, for the metrics."""
        return sum(line.is_slowed for line in self._lines.values())

    def shares(self, keys: Iterable[Key]) -> tuple[dict[Key, int], Key | None]:
        """How many jobs of each line may be claimed now, and the first for whom no slot is left."""
        budget = _Budget(self._busy.values())
        found: dict[Key, int] = {}
        passed_over: Key | None = None
        for key in keys:
            line = self._lines.get(key) or Line(key)
            if 2 * line.claimed > line.wanted:
                continue  # so that many are claimed at once, not one for each that ends
            slots = min(budget.left(line), line.window - line.slots)
            is_full = line.slots + slots == line.window
            share = line.wanted - line.claimed if is_full else slots
            if share > 0:
                found[key] = share
                budget.take(line, slots)
            else:
                passed_over = passed_over or key
        self._short = passed_over is not None
        return found, passed_over

    def take(self, job_id: int, key: Key) -> None:
        line = self._busy[key] = self.line(key)
        line.claimed += 1
        self._claimed[job_id] = line

    def done(self, job_id: int) -> None:
        """Told once or more; of jobs that were never taken here it is no news."""
        line = self._claimed.pop(job_id, None)
        if line is None:
            return
        line.claimed -= 1
        if not line.claimed:
            del self._busy[line.key]
        if self._short or 2 * line.claimed <= line.wanted:
            self.on_room()

    def _forget(self) -> None:
        """The oldest lines at rest: what was known of them is learnt again in a few posts."""
        if len(self._lines) < LINES_KEPT:
            return
        at_rest = [key for key, line in self._lines.items() if not line.claimed]
        for key in at_rest[: LINES_KEPT // 10]:
            del self._lines[key]
        used = {id(line.host) for line in self._lines.values()}
        self._hosts = {name: host for name, host in self._hosts.items() if id(host) in used}


class _Budget:
    """The slots that are left of those that lines share."""

    def __init__(self, busy: Iterable[Line]) -> None:
        self._all = limits.WEBHOOK_SLOTS
        self._unproven = limits.WEBHOOK_SLOTS_UNPROVEN
        self._slowed = limits.WEBHOOK_SLOTS_SLOWED
        self._accounts: dict[UUID, int] = {}
        self._hosts: dict[int, int] = {}
        for line in busy:
            self.take(line, line.slots)

    def left(self, line: Line) -> int:
        of_account = self._accounts.get(line.key[0], 0)
        left = [self._all, limits.WEBHOOK_SLOTS_PER_ACCOUNT - of_account]
        if not line.is_proven:
            left.append(self._unproven)
        if line.is_slowed:
            left.append(self._slowed)
        if line.host.is_silent:
            of_host = self._hosts.get(id(line.host), 0)
            left.append(limits.WEBHOOK_SLOTS_PER_SILENT_HOST - of_host)
        return max(0, min(left))

    def take(self, line: Line, slots: int) -> None:
        self._all -= slots
        account = line.key[0]
        self._accounts[account] = self._accounts.get(account, 0) + slots
        if not line.is_proven:
            self._unproven -= slots
        if line.is_slowed:
            self._slowed -= slots
        host = id(line.host)
        self._hosts[host] = self._hosts.get(host, 0) + slots
