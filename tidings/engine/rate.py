"""Rate limit of an account: GCRA, burst N, one more every 60/N seconds (8; reliability 2.15).

A client with at most N requests in every minute is never limited; after waiting Retry-After seconds
it is admitted; in the long run it gets N requests a minute. `MemoryRate` serves one process.
`SharedRate` serves many through an unlogged table, with one statement for all waiting checks.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Hashable
from datetime import timedelta
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from tidings import limits
from tidings.clock import Clock
from tidings.engine.lane import Lane

_SECOND = 1_000_000_000  # in nanoseconds: integers keep the limits exact
_MINUTE = 60 * _SECOND
_KEYS_MIN = 1024
_BATCH_MAX = 1000


class Verdict(NamedTuple):
    allowed: bool
    limit: int
    remaining: int
    reset_seconds: int  # until the whole limit is available again
    retry_after: int  # seconds; 0 if allowed


class Rate(Protocol):
    async def take(self, key: UUID, per_minute: int) -> Verdict: ...


def decide_rate(free_at: int, now: int, per_minute: int) -> tuple[Verdict, int]:
    """Decide one request (pure). `free_at` is the time at which the whole limit is available again;
    its new value is the second result. All times are in nanoseconds."""
    step = _MINUTE // per_minute
    begins = max(free_at, now)
    wait = begins + step - now - _MINUTE
    if wait > 0:
        reset = _seconds(begins - now)
        return Verdict(False, per_minute, 0, reset, _seconds(wait)), free_at
    ends = begins + step
    remaining = (now + _MINUTE - ends) // step
    reset = -((now - ends) // _SECOND)  # `_seconds`, without a call for every request
    return Verdict(True, per_minute, remaining, reset, 0), ends


def _seconds(nanoseconds: int) -> int:
    return -(-nanoseconds // _SECOND)


class MemoryRate:
    """For a single process. Keys whose whole limit is available again are dropped."""

    def __init__(self, clock: Clock, keys_max: int = 100_000) -> None:
        self._clock = clock
        self._free_at: dict[Hashable, int] = {}
        self._keys_max = keys_max
        self._sweep_at = _KEYS_MIN

    async def take(self, key: Hashable, per_minute: int) -> Verdict:
        return self.take_now(key, per_minute)

    def take_now(self, key: Hashable, per_minute: int) -> Verdict:
        now = self._now()
        verdict, free_at = decide_rate(self._free_at.get(key, 0), now, per_minute)
        self._free_at[key] = free_at
        if len(self._free_at) > self._sweep_at:
            self._sweep(now)
        return verdict

    def __len__(self) -> int:
        return len(self._free_at)

    def _now(self) -> int:
        return round(self._clock.monotonic() * _SECOND)  # truncating might yield too early a time

    def _sweep(self, now: int) -> None:
        kept = {key: free_at for key, free_at in self._free_at.items() if free_at > now}
        while len(kept) > self._keys_max:  # too many keys: drop the oldest
            del kept[next(iter(kept))]
        self._free_at = kept
        self._sweep_at = max(_KEYS_MIN, 2 * len(kept))


# A statement that waited for the row began before the one it waited for: the later time counts.
_TAKE = """
INSERT INTO request_rate AS held (account_id, free_at, at, step, asked, granted)
SELECT account_id, at + step * least(asked, $4 / step), at, step, asked, least(asked, $4 / step)
  FROM (SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS u (account_id, step, asked)
        ORDER BY account_id) AS asked_for,
       (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 1000 AS at) AS clock
ON CONFLICT (account_id) DO UPDATE
   SET (free_at, at, step, asked, granted) = (
       SELECT begins + excluded.step * fits, now, excluded.step, excluded.asked, fits
         FROM (SELECT greatest(held.at, excluded.at) AS now) AS n,
              LATERAL (SELECT greatest(held.free_at, now) AS begins) AS b,
              LATERAL (SELECT greatest(0, least(excluded.asked,
                       (now + $4 - begins) / excluded.step)) AS fits) AS f)
RETURNING account_id, free_at, at, step, granted
"""


class SharedRate:
    """For many processes: a row per account, the database's clock, batched checks.

    Fails open: if the database does not answer in time, the request is admitted and `on_blind` is
    called. The limiter protects against floods and must not cause an outage itself.
    """

    def __init__(
        self,
        db: Any,
        *,
        unavailable: tuple[type[BaseException], ...],
        on_blind: Callable[[], None] = lambda: None,
        patience: timedelta = limits.RATE_ANSWER_TIMEOUT,
    ) -> None:
        self._db = db
        self._patience_seconds = patience.total_seconds()
        self._unavailable: tuple[type[BaseException], ...] = (TimeoutError, *unavailable)
        self._on_blind = on_blind
        self._lane: Lane[tuple[UUID, int], Verdict] = Lane(self._check, batch_max=_BATCH_MAX)

    async def take(self, key: UUID, per_minute: int) -> Verdict:
        try:
            async with asyncio.timeout(self._patience_seconds):
                return await self._lane.put((key, per_minute))
        except self._unavailable:
            self._on_blind()
            return Verdict(True, per_minute, per_minute, 0, 0)

    async def _check(self, asked: list[tuple[UUID, int]]) -> list[Verdict | Exception]:
        """One statement for all callers; the verdicts are in the callers' order."""
        counts = Counter(key for key, _ in asked)
        steps = {key: _MINUTE // per_minute for key, per_minute in asked}
        wanted = [list(column) for column in zip(*_columns(counts, steps), strict=True)]
        rows = await self._db.rows(_TAKE, *wanted, _MINUTE)  # commits by itself
        free_at = {row["account_id"]: row["free_at"] - row["step"] * row["granted"] for row in rows}
        now = {row["account_id"]: row["at"] for row in rows}
        verdicts: list[Verdict | Exception] = []
        for key, per_minute in asked:
            verdict, free_at[key] = decide_rate(free_at[key], now[key], per_minute)
            verdicts.append(verdict)
        return verdicts


def _columns(counts: Counter[UUID], steps: dict[UUID, int]) -> list[tuple[UUID, int, int]]:
    return [(key, steps[key], count) for key, count in counts.items()]
