"""Records API calls off their path: a bounded buffer in memory, written in bulk in the background.

A call adds one tuple to a list. What does not fit is dropped and counted, never waited for. The
database is written every few hundred milliseconds, in one statement, without waiting for the disk:
after a crash of the database, the last second of the log may be missing.
"""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

import structlog

from tidings import limits
from tidings.clock import Clock
from tidings.engine.db.pool import Database
from tidings.engine.http.exchange import Exchange
from tidings.engine.metrics import Metrics
from tidings.features.accounts.keys import prefix_of

from . import rules, store
from .model import PREFIX, Call

log = structlog.get_logger()


class Recorder:
    """One per process."""

    def __init__(self, db: Database, clock: Clock, metrics: Metrics) -> None:
        self._db = db
        self._clock = clock
        self._dropped = metrics.counter("request_log_dropped", "API calls that were not logged.")
        self._calls: list[Call] = []
        self._bodies: dict[UUID, int] = {}  # kept since the last flush, by account
        self._lost = 0
        self._flushing = asyncio.Lock()

    def record(self, exchange: Exchange, started: float, seconds: float) -> None:
        """Called at the end of every call with a valid key; nothing here waits."""
        calls = self._calls
        if len(calls) >= limits.REQUEST_LOG_WAITING_MAX:
            self._lost += 1
            return
        account_id = exchange.account.id
        body = exchange.body
        if body is not None:
            kept = self._bodies.get(account_id, 0)
            if kept >= limits.REQUEST_LOG_BODIES_MAX:
                body = None
            else:
                self._bodies[account_id] = kept + 1
        scope = exchange.scope
        calls.append(
            Call(
                account_id,
                exchange.id,
                started,
                seconds,
                exchange.headers[b"x-api-key"],
                exchange.method,
                scope["raw_path"],
                scope["query_string"],
                exchange.status,
                exchange.body_bytes,
                body,
            )
        )

    async def flush(self) -> int:
        """Write what has gathered; how many calls. After it, everything before is written."""
        async with self._flushing:
            return await self._flush()

    async def _flush(self) -> int:
        calls, self._calls = self._calls, []
        self._bodies.clear()
        if self._lost:
            self._dropped.inc(self._lost)
            log.warning("requests.dropped", calls=self._lost)
            self._lost = 0
        if not calls:
            return 0
        rows = self._rows(calls)
        await self._db.transact(lambda tx: store.insert(tx, rows))
        return len(rows)

    def _rows(self, calls: Sequence[Call]) -> list[tuple[object, ...]]:
        now, mark = self._clock.now(), self._clock.monotonic()
        prefixes: dict[bytes, str] = {}
        rows: list[tuple[object, ...]] = []
        for call in calls:
            prefix = prefixes.get(call.key)
            if prefix is None:
                prefix = prefixes[call.key] = prefix_of(call.key.decode())
            rows.append(
                (
                    call.account_id,
                    call.request_id[len(PREFIX) :],
                    now - timedelta(seconds=mark - call.started),
                    prefix,
                    call.method,
                    rules.redact_path(call.raw_path, call.raw_query),
                    call.status,
                    int(call.seconds * 1000),
                    call.body_bytes,
                    None if call.body is None else rules.redact_body(call.body),
                )
            )
        return rows
