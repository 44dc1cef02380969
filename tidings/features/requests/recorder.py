"""Records API calls off their path: a bounded buffer in memory, written in bulk in the background.

A call adds one tuple to a list. What does not fit is dropped and counted, never waited for. The
database is written every few hundred milliseconds, in one statement, without waiting for the disk:
after a crash of the database, the last second of the log may be missing.
"""

import asyncio
from collections.abc import Sequence
from uuid import UUID

import structlog

from tidings import limits
from tidings.engine.db.pool import Database
from tidings.engine.http.exchange import Exchange
from tidings.engine.metrics import Metrics
from tidings.features.accounts.keys import prefix_of

from . import rules, store
from .model import PREFIX, Call

log = structlog.get_logger()


class Recorder:
    """One per process."""

    def __init__(self, db: Database, metrics: Metrics) -> None:
        self._db = db
        self._dropped = metrics.counter("request_log_dropped", "API calls that were not logged.")
        self._calls: list[Call] = []
        self._bodies: dict[UUID, int] = {}  # kept since the last flush, by account
        self._lost = 0
        self._flushing = asyncio.Lock()

    def record(self, exchange: Exchange, seconds: float) -> None:
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
        calls.append(
            (
                account_id,
                exchange.id,
                seconds,
                exchange.headers[b"x-api-key"],
                exchange.method,
                exchange.raw_path,
                exchange.raw_query,
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
            log.warning("request.records_dropped", calls=self._lost)
            self._lost = 0
        if not calls:
            return 0
        rows = _rows(calls)
        await self._db.transact(lambda tx: store.insert(tx, rows))
        return len(rows)


def _rows(calls: Sequence[Call]) -> list[tuple[object, ...]]:
    """As `store.insert` takes them. Most calls of one flush share their key and their path."""
    prefixes: dict[bytes, str] = {}
    paths: dict[tuple[bytes, bytes], str] = {}
    rows: list[tuple[object, ...]] = []
    for account_id, request_id, seconds, key, method, path, query, status, size, body in calls:
        prefix = prefixes.get(key)
        if prefix is None:
            prefix = prefixes[key] = prefix_of(key.decode())
        shown = paths.get((path, query))
        if shown is None:
            shown = paths[path, query] = rules.redact_path(path, query)
        text = None if body is None else rules.redact_body(body)
        row = (
            account_id, request_id[len(PREFIX) :], prefix, method, shown, status,
            int(seconds * 1000), size, text,
        )  # fmt: skip
        rows.append(row)
    return rows
