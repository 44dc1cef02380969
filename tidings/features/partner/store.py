"""The tables `partners`, `partner_ledger` and `partner_transfers`."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from tidings.engine.db.order import Order
from tidings.engine.db.tx import Row, Tx
from tidings.money import Money

from .model import (
    Capacity,
    LedgerEntry,
    LedgerEntryKind,
    PartnerBalance,
    SettledKey,
    Span,
    Transfer,
    TransferStatus,
)

BALANCE = "currency, capacity_total, capacity_used, debt_minor, carried_micro, entries"


# Capacity, as charging changes it


async def load_capacity(
    tx: Tx, partner_ids: Sequence[UUID], *, locked: bool
) -> dict[UUID, tuple[int, int]]:
    """Total and used; a partner without a row is omitted."""
    rows = await tx.rows(
        f"""
        SELECT account_id, capacity_total, capacity_used FROM partners
         WHERE account_id = ANY($1::uuid[]) ORDER BY account_id {"FOR UPDATE" if locked else ""}
        """,
        list(partner_ids),
    )
    return {row[0]: (row[1], row[2]) for row in rows}


async def use_capacity(tx: Tx, messages: Mapping[UUID, int]) -> int:
    """Returns how many partners had enough capacity left."""
    return await tx.run(
        """
        UPDATE partners SET capacity_used = capacity_used + u.n
          FROM unnest($1::uuid[], $2::bigint[]) AS u (account_id, n)
         WHERE partners.account_id = u.account_id AND capacity_used + u.n <= capacity_total
        """,
        list(messages),
        list(messages.values()),
    )


async def return_capacity(tx: Tx, messages: Mapping[UUID, int]) -> int:
    """Returns how many partners had used at least as much."""
    return await tx.run(
        """
        UPDATE partners SET capacity_used = capacity_used - u.n
          FROM unnest($1::uuid[], $2::bigint[]) AS u (account_id, n)
         WHERE partners.account_id = u.account_id AND capacity_used >= u.n
        """,
        list(messages),
        list(messages.values()),
    )


# Balance


async def find_balance(tx: Tx, account_id: UUID) -> PartnerBalance | None:
    row = await tx.row(f"SELECT {BALANCE} FROM partners WHERE account_id = $1", account_id)
    return None if row is None else _balance(row)


async def lock_balance(tx: Tx, account_id: UUID, currency: str) -> PartnerBalance:
    """Create the partner's row if it is missing, and lock it to serialize bookings."""
    await tx.run(
        """
        INSERT INTO partners (account_id, currency) VALUES ($1, $2)
        ON CONFLICT (account_id) DO NOTHING
        """,
        account_id,
        currency,
    )
    row = await tx.row(
        f"SELECT {BALANCE} FROM partners WHERE account_id = $1 FOR UPDATE", account_id
    )
    assert row is not None, "the row was just inserted"
    return _balance(row)


async def save_balance(tx: Tx, account_id: UUID, balance: PartnerBalance) -> None:
    await tx.run(
        """
        UPDATE partners SET capacity_total = $2, debt_minor = $3, carried_micro = $4, entries = $5
         WHERE account_id = $1
        """,
        account_id,
        balance.capacity.total,
        balance.debt.minor,
        balance.carried_micro,
        balance.entries,
    )


# The ledger


async def find_last_at(tx: Tx, account_id: UUID, seq: int) -> datetime | None:
    at: datetime | None = await tx.value(
        "SELECT at FROM partner_ledger WHERE account_id = $1 AND seq = $2", account_id, seq
    )
    return at


async def append(tx: Tx, account_id: UUID, entry: LedgerEntry) -> None:
    await tx.run(
        """
        INSERT INTO partner_ledger (account_id, seq, id, kind, at, messages, amount_minor,
               effect_minor, balance_after_minor, limit_minor, reference, note)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        """,
        account_id,
        entry.seq,
        entry.id,
        entry.kind,
        entry.at,
        entry.messages,
        entry.amount.minor,
        entry.effect.minor,
        entry.balance_after.minor,
        None if entry.limit is None else entry.limit.minor,
        entry.reference,
        entry.note,
    )


async def load_page(
    tx: Tx,
    account_id: UUID,
    before: int | None,
    size: int,
    span: Span = (None, None),
) -> list[LedgerEntry]:
    """The newest first; `before` is the last seq of the previous page, `span` since and until."""
    rows = await tx.rows(
        """
        SELECT l.*, p.currency FROM partner_ledger l JOIN partners p USING (account_id)
         WHERE l.account_id = $1 AND ($2::bigint IS NULL OR l.seq < $2)
           AND ($4::timestamptz IS NULL OR l.at >= $4) AND ($5::timestamptz IS NULL OR l.at < $5)
         ORDER BY l.seq DESC LIMIT $3
        """,
        account_id,
        before,
        size,
        *span,
    )
    return [_entry(row) for row in rows]


async def find_entry(tx: Tx, account_id: UUID, entry_id: UUID) -> LedgerEntry | None:
    row = await tx.row(
        """
        SELECT l.*, p.currency FROM partner_ledger l JOIN partners p USING (account_id)
         WHERE l.account_id = $1 AND l.id = $2
        """,
        account_id,
        entry_id,
    )
    return None if row is None else _entry(row)


async def find_adjustment(tx: Tx, account_id: UUID, reference: str) -> LedgerEntry | None:
    row = await tx.row(
        """
        SELECT l.*, p.currency FROM partner_ledger l JOIN partners p USING (account_id)
         WHERE l.account_id = $1 AND l.reference = $2 AND l.kind = 'ADJUSTMENT'
        """,
        account_id,
        reference,
    )
    return None if row is None else _entry(row)


# Transfers


async def insert_transfer(tx: Tx, account_id: UUID, transfer: Transfer) -> bool:
    """False if the reference exists."""
    touched = await tx.run(
        """
        INSERT INTO partner_transfers (account_id, reference, amount_minor, transfer_date, note,
               reported_at)
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (account_id, reference) DO NOTHING
        """,
        account_id,
        transfer.reference,
        transfer.amount.minor,
        transfer.transfer_date,
        transfer.note,
        transfer.reported_at,
    )
    return touched == 1


async def find_transfer(tx: Tx, account_id: UUID, reference: str, currency: str) -> Transfer | None:
    row = await tx.row(
        "SELECT * FROM partner_transfers WHERE account_id = $1 AND reference = $2",
        account_id,
        reference,
    )
    return None if row is None else read_transfer(row, currency)


async def load_transfers(
    tx: Tx, account_id: UUID, currency: str, *, pending: bool, size: int
) -> list[Transfer]:
    """The newest first."""
    only = "AND status = 'REPORTED'" if pending else ""
    rows = await tx.rows(
        f"""
        SELECT * FROM partner_transfers WHERE account_id = $1 {only}
         ORDER BY reported_at DESC, reference LIMIT $2
        """,
        account_id,
        size,
    )
    return [read_transfer(row, currency) for row in rows]


async def load_all_pending(tx: Tx, size: int) -> Sequence[Row]:
    """Of every partner, the oldest first."""
    return await tx.rows(
        """
        SELECT t.*, p.currency FROM partner_transfers t JOIN partners p USING (account_id)
         WHERE t.status = 'REPORTED' ORDER BY t.reported_at, t.account_id, t.reference LIMIT $1
        """,
        size,
    )


async def load_all_settled(
    tx: Tx, before: SettledKey | None, size: int, order: Order
) -> Sequence[Row]:
    """Of every partner, by when they were settled."""
    at, account_id, reference = before or (None, None, None)
    direction = order.value
    return await tx.rows(
        f"""
        SELECT t.*, p.currency FROM partner_transfers t JOIN partners p USING (account_id)
         WHERE t.settled_at IS NOT NULL AND ($1::timestamptz IS NULL
            OR (t.settled_at, t.account_id, t.reference) {order.after} ($1, $2::uuid, $3::text))
         ORDER BY t.settled_at {direction}, t.account_id {direction}, t.reference {direction}
         LIMIT $4
        """,
        at,
        account_id,
        reference,
        size,
    )


async def settle_transfer(
    tx: Tx,
    account_id: UUID,
    reference: str,
    *,
    status: TransferStatus,
    received: Money | None,
    at: datetime,
) -> bool:
    """False if it was settled already."""
    touched = await tx.run(
        """
        UPDATE partner_transfers SET status = $3, received_minor = $4, settled_at = $5
         WHERE account_id = $1 AND reference = $2 AND status = 'REPORTED'
        """,
        account_id,
        reference,
        status,
        None if received is None else received.minor,
        at,
    )
    return touched == 1


# Rows and values


def _balance(row: Row) -> PartnerBalance:
    return PartnerBalance(
        capacity=Capacity(row["capacity_total"], row["capacity_used"]),
        debt=Money(row["debt_minor"], row["currency"]),
        carried_micro=row["carried_micro"],
        entries=row["entries"],
    )


def _entry(row: Row) -> LedgerEntry:
    currency = row["currency"]
    limit = row["limit_minor"]
    return LedgerEntry(
        seq=row["seq"],
        id=row["id"],
        kind=LedgerEntryKind(row["kind"]),
        at=row["at"],
        amount=Money(row["amount_minor"], currency),
        effect=Money(row["effect_minor"], currency),
        balance_after=Money(row["balance_after_minor"], currency),
        messages=row["messages"],
        limit=None if limit is None else Money(limit, currency),
        reference=row["reference"],
        note=row["note"],
    )


def read_transfer(row: Row, currency: str) -> Transfer:
    received = row["received_minor"]
    return Transfer(
        reference=row["reference"],
        amount=Money(row["amount_minor"], currency),
        transfer_date=row["transfer_date"],
        note=row["note"],
        reported_at=row["reported_at"],
        status=TransferStatus(row["status"]),
        received=None if received is None else Money(received, currency),
        settled_at=row["settled_at"],
    )
