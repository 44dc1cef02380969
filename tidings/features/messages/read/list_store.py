"""Lists of messages in the order of their ids, by the index that suits the filters.

The order names the filtered column too, and compares it together with the id: only the index of
that column has this order, whatever the statistics say about the account.
"""

from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from tidings.engine.db.order import Order
from tidings.engine.db.tx import Row, Tx

from ..model import REFUNDED, Message, MessageKind
from ..state.store import COLUMNS, read_some
from .filters import Filter

UNLISTED = ("timeline", "attempts")  # long, and not shown
_LISTED = tuple(column for column in COLUMNS if column not in UNLISTED)
_SELECTED = ", ".join(f"m.{column}" for column in _LISTED)


@dataclass(frozen=True, slots=True)
class Span:
    """Ids: `low` included, `high` not; and from which end they are read."""

    low: UUID
    high: UUID
    order: Order = Order.NEWEST_FIRST


async def order_by_index(tx: Tx) -> None:
    """The order of an index is all that the planner may use in the rest of this transaction."""
    await tx.run(
        """
        SET LOCAL enable_sort = off; SET LOCAL enable_incremental_sort = off;
        SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off
        """
    )


async def find(
    tx: Tx, account_id: UUID, wanted: Filter, span: Span, window: int, limit: int
) -> list[Message]:
    """The first of those that pass, among the first `window` rows of the index."""
    query = _Query(account_id, span, wanted)
    candidates = query.candidates(_SELECTED, window)
    passing = query.passing()
    rows = await tx.rows(
        f"""
        SELECT {_SELECTED} FROM {candidates} WHERE {passing}
         ORDER BY m.id {query.order} LIMIT {query.use(limit)}
        """,
        *query.arguments,
    )
    return [_read(row) for row in rows]


async def find_end(
    tx: Tx, account_id: UUID, wanted: Filter, span: Span, window: int
) -> UUID | None:
    """The id of the last row that `find` looked at; None if it has seen all."""
    query = _Query(account_id, span, wanted)
    end: UUID | None = await tx.value(
        f"SELECT m.id FROM {query.candidates('m.id', window)} OFFSET {query.use(window - 1)}",
        *query.arguments,
    )
    return end


class _Path(NamedTuple):
    """An index (account_id, column, id) and the condition it was made with."""

    column: str
    value: object
    condition: str = "true"


class _Query:
    """The parts of a statement, and their arguments."""

    def __init__(self, account_id: UUID, span: Span, wanted: Filter) -> None:
        self.arguments: list[object] = []
        self.account, self.low, self.high = map(self.use, (account_id, span.low, span.high))
        self.order = span.order.value
        self.wanted = wanted
        self.path = _path(wanted)

    def use(self, value: object) -> str:
        self.arguments.append(value)
        return f"${len(self.arguments)}"

    def candidates(self, selected: str, window: int) -> str:
        """The first rows of an index in the order of ids."""
        if self.path is not None:
            return self._by_column(self.path, selected, window)
        if self.wanted.statuses and self.wanted.statuses <= REFUNDED:
            return self._lost(selected, window)
        return f"""(
            SELECT {selected} FROM messages m
             WHERE m.account_id = {self.account} AND m.id >= {self.low} AND m.id < {self.high}
             ORDER BY m.id {self.order} LIMIT {self.use(window)}) m"""

    def _by_column(self, path: _Path, selected: str, window: int) -> str:
        column, value = path.column, self.use(path.value)
        return f"""(
            SELECT {selected} FROM messages m
             WHERE m.account_id = {self.account} AND {path.condition}
               AND (m.{column}, m.id) >= ({value}, {self.low})
               AND (m.{column}, m.id) < ({value}, {self.high})
             ORDER BY m.{column} {self.order}, m.id {self.order} LIMIT {self.use(window)}) m"""

    def _lost(self, selected: str, window: int) -> str:
        """Those of a few statuses have a table of their own, in order by status."""
        statuses, most = self.use(sorted(self.wanted.statuses)), self.use(window)
        return f"""(
            SELECT {selected} FROM (
                SELECT l.message_id FROM unnest({statuses}::text[]) s (status)
                 CROSS JOIN LATERAL (
                    SELECT message_id FROM lost_messages
                     WHERE account_id = {self.account} AND status = s.status
                       AND message_id >= {self.low} AND message_id < {self.high}
                     ORDER BY message_id {self.order} LIMIT {most}) l
                 ORDER BY l.message_id {self.order} LIMIT {most}) l
              JOIN messages m ON m.account_id = {self.account} AND m.id = l.message_id
             ORDER BY l.message_id {self.order}) m"""

    def passing(self) -> str:
        """All filters, those of the index too: it does not know a status that has changed since."""
        wanted = self.wanted
        tests = {
            "m.recipient = {}": wanted.to,
            "m.status = ANY({}::text[])": sorted(wanted.statuses) or None,
            "m.kind = {}": wanted.kind,
            "m.event_id = {}": wanted.event_id,
            "m.batch_id = {}": wanted.batch_id,
            "m.created_at >= {}": wanted.since,
            "m.created_at < {}": wanted.until,
        }
        used = [test.format(self.use(value)) for test, value in tests.items() if value is not None]
        return " AND ".join(used) or "true"


def _path(wanted: Filter) -> _Path | None:
    """The narrowest index that the filters allow."""
    if wanted.batch_id is not None:
        return _Path("batch_id", wanted.batch_id, "m.batch_id IS NOT NULL")
    if wanted.to is not None:
        return _Path("recipient", wanted.to)
    if wanted.event_id is not None:
        return _Path("event_id", wanted.event_id, "m.event_id IS NOT NULL")
    if wanted.statuses and wanted.statuses <= REFUNDED:
        return None
    if wanted.kind not in (None, MessageKind.NOTIFICATION):
        return _Path("kind", wanted.kind, "m.kind <> 'notification'")
    return None


def _read(row: Row) -> Message:
    return read_some(row, _LISTED)
