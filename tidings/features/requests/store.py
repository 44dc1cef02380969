"""The table `request_log`."""

from collections.abc import Sequence
from uuid import UUID

from tidings import limits
from tidings.engine.db.bulk_rows import BulkRows
from tidings.engine.db.log_pages import LogCursor
from tidings.engine.db.tx import Row, Tx

from .model import LoggedCall

_COLUMNS = "id, key, method, path, status, ms, body_bytes, body"
_ROWS = BulkRows(
    {
        "account_id": "uuid",
        "id": "uuid",
        "status": "smallint",
        "ms": "integer",
        "body_bytes": "integer",
    },
    constant=("account_id", "key", "method"),
)


async def insert(tx: Tx, calls: Sequence[tuple[object, ...]]) -> None:
    """Calls as (account, *_COLUMNS), without waiting for the disk: of all that is written, this may
    be lost in a crash."""
    await tx.run("SET LOCAL synchronous_commit = off")
    names = ("account_id", *_COLUMNS.split(", "))
    columns = dict(zip(names, map(list, zip(*calls, strict=True)), strict=True))
    source, values = _ROWS.source(columns)
    await tx.run(
        f"""
        INSERT INTO request_log (account_id, {_COLUMNS})
        SELECT account_id, {_COLUMNS} FROM {source} ON CONFLICT DO NOTHING
        """,
        *values,
    )


async def load_page(
    tx: Tx,
    account_id: UUID,
    *,
    statuses: tuple[int, int],
    path: str,
    key: str,
    cursor: LogCursor,
    limit: int,
) -> list[LoggedCall]:
    """In scan order, from the cursor on; of a filter that nothing matches, so many
    calls are searched and no more."""
    order = cursor.scan_order
    rows = await tx.rows(
        f"""
        SELECT {_COLUMNS} FROM (
            SELECT * FROM request_log
             WHERE account_id = $1
               AND ($6::uuid IS NULL OR id {order.after} $6)
             ORDER BY id {order.value} LIMIT {limits.REQUEST_LOG_SEARCHED_MAX}) AS searched
         WHERE status BETWEEN $2 AND $3
           AND ($4::text = '' OR position($4 IN path) > 0) AND ($5::text = '' OR key = $5)
         ORDER BY id {order.value} LIMIT $7
        """,
        account_id,
        *statuses,
        path,
        key,
        cursor.entry_id,
        limit,
    )
    return [_call(row) for row in rows]


async def load_recent(
    tx: Tx,
    account_id: UUID,
    *,
    statuses: tuple[int, int],
    path: str,
    since: UUID,
    slow_since: UUID,
    slow_ms: int,
    limit: int,
) -> list[LoggedCall]:
    """The newest first: calls after one id, and slow ones after an earlier one."""
    rows = await tx.rows(
        f"""
        SELECT {_COLUMNS} FROM (
            SELECT * FROM request_log WHERE account_id = $1 AND id > $5
             ORDER BY id DESC LIMIT {limits.REQUEST_LOG_SEARCHED_MAX}) AS searched
         WHERE (id > $4 OR ms >= $6) AND status BETWEEN $2 AND $3
           AND ($7::text = '' OR position($7 IN path) > 0)
         ORDER BY id DESC LIMIT $8
        """,
        account_id,
        *statuses,
        since,
        slow_since,
        slow_ms,
        path,
        limit,
    )
    return [_call(row) for row in rows]


async def find_last_searched(tx: Tx, account_id: UUID, cursor: LogCursor) -> UUID | None:
    """Where a page's search ended, if there are more calls behind it."""
    found: UUID | None = await tx.value(
        f"""
        SELECT id FROM request_log
         WHERE account_id = $1 AND ($2::uuid IS NULL OR id {cursor.scan_order.after} $2)
         ORDER BY id {cursor.scan_order.value} OFFSET {limits.REQUEST_LOG_SEARCHED_MAX - 1} LIMIT 1
        """,
        account_id,
        cursor.entry_id,
    )
    return found


async def find(tx: Tx, account_id: UUID, request_id: UUID) -> LoggedCall | None:
    row = await tx.row(
        f"SELECT {_COLUMNS} FROM request_log WHERE account_id = $1 AND id = $2",
        account_id,
        request_id,
    )
    return None if row is None else _call(row)


async def delete_before(tx: Tx, account_id: UUID, before: UUID, limit: int) -> int:
    """Delete the oldest calls up to an id; how many, at most `limit`."""
    return await tx.run(
        """
        DELETE FROM request_log WHERE account_id = $1 AND id IN (
            SELECT id FROM request_log WHERE account_id = $1 AND id < $2 ORDER BY id LIMIT $3)
        """,
        account_id,
        before,
        limit,
    )


def _call(row: Row) -> LoggedCall:
    return LoggedCall(*row)
