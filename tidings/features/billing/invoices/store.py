"""The tables `invoices`, `invoice_lines` and `invoice_numbers`. The only file that knows them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from tidings import money
from tidings.engine.db.order import Order
from tidings.engine.db.reads import Read, Rows
from tidings.engine.db.tx import Row, Tx
from tidings.money import Money, Rate, Totals

from .model import Invoice, InvoiceStatus, LineItem, Overdue

COLUMNS = """
    number, kind, status, declared, currency, vat_hundredths, subtotal_minor, vat_minor,
    total_minor, issued_at, due_at, paid_at, paid_by, voided_at
"""
# Computed from the time, so it does not depend on when the due job runs.
STATUS = "CASE WHEN status = 'OPEN' AND due_at <= $2 THEN 'OVERDUE' ELSE status END"

PageKey = tuple[datetime, str]  # issued at, number: the order of the list
EveryonesKey = tuple[datetime, UUID, str]  # issued at, account, number


# Issuing


async def next_number(tx: Tx, account_id: UUID, year: int) -> int:
    """Allocate the year's next number. The row lock makes concurrent issuers wait for commit."""
    number: int = await tx.value(
        """
        INSERT INTO invoice_numbers AS n (account_id, year, last) VALUES ($1, $2, 1)
        ON CONFLICT (account_id, year) DO UPDATE SET last = n.last + 1 RETURNING last
        """,
        account_id,
        year,
    )
    return number


async def insert(tx: Tx, account_id: UUID, invoice: Invoice, lines: Sequence[LineItem]) -> bool:
    """False if the number is in use."""
    touched = await tx.run(
        f"""
        INSERT INTO invoices (account_id, {COLUMNS})
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
        ON CONFLICT (account_id, number) DO NOTHING
        """,
        account_id,
        *_values(invoice),
    )
    if touched:
        await _insert_lines(tx, account_id, invoice.number, lines)
    return touched == 1


async def replace(tx: Tx, account_id: UUID, invoice: Invoice, lines: Sequence[LineItem]) -> None:
    """Overwrite an invoice and its lines."""
    await tx.run(
        f"""
        UPDATE invoices SET ({COLUMNS}) =
               ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
         WHERE account_id = $1 AND number = $2
        """,
        account_id,
        *_values(invoice),
    )
    await tx.run(
        "DELETE FROM invoice_lines WHERE account_id = $1 AND number = $2",
        account_id,
        invoice.number,
    )
    await _insert_lines(tx, account_id, invoice.number, lines)


async def _insert_lines(tx: Tx, account_id: UUID, number: str, lines: Sequence[LineItem]) -> None:
    await tx.run(
        """
        INSERT INTO invoice_lines (account_id, number, position, description, quantity,
               unit_price_micro, amount_minor)
        SELECT $1, $2, position, description, quantity, price, amount
          FROM unnest($3::text[], $4::bigint[], $5::bigint[], $6::bigint[]) WITH ORDINALITY
               AS l (description, quantity, price, amount, position)
        """,
        account_id,
        number,
        [line.description for line in lines],
        [line.quantity for line in lines],
        [line.unit_price.micro for line in lines],
        [line.amount.minor for line in lines],
    )


# Reading


async def find(tx: Tx, account_id: UUID, number: str, *, locked: bool = False) -> Invoice | None:
    row = await tx.row(
        f"""
        SELECT {COLUMNS} FROM invoices WHERE account_id = $1 AND number = $2
        {"FOR UPDATE" if locked else ""}
        """,
        account_id,
        number,
    )
    return None if row is None else _invoice(row)


async def load_lines(tx: Tx, account_id: UUID, invoice: Invoice) -> list[LineItem]:
    rows = await tx.rows(
        """
        SELECT description, quantity, unit_price_micro FROM invoice_lines
         WHERE account_id = $1 AND number = $2 ORDER BY position
        """,
        account_id,
        invoice.number,
    )
    return [LineItem(row[0], row[1], Rate(row[2], invoice.currency)) for row in rows]


async def load_page(
    tx: Tx,
    account_id: UUID,
    now: datetime,
    *,
    status: InvoiceStatus | None = None,
    after: PageKey | None = None,
    size: int,
    order: Order = Order.NEWEST_FIRST,
) -> list[Invoice]:
    """`after` is the key of the previous page's last invoice."""
    issued_at, number = after or (None, None)
    rows = await tx.rows(
        f"""
        SELECT {COLUMNS} FROM invoices
         WHERE account_id = $1 AND ($3::text IS NULL OR {STATUS} = $3)
           AND ($4::timestamptz IS NULL
                OR (issued_at, number COLLATE "C") {order.after} ($4, $5::text))
         ORDER BY issued_at {order.value}, number COLLATE "C" {order.value} LIMIT $6
        """,
        account_id,
        now,
        status,
        issued_at,
        number,
        size,
    )
    return [_invoice(row) for row in rows]


async def load_everyones(
    tx: Tx, status: InvoiceStatus | None, after: EveryonesKey | None, size: int, order: Order
) -> list[tuple[UUID, Invoice]]:
    """Of every account. Overdue by real time, whatever a sandbox's clock says."""
    issued_at, account_id, number = after or (None, None, None)
    direction = order.value
    rows = await tx.rows(
        f"""
        SELECT account_id, {COLUMNS} FROM invoices
         WHERE ($1::text IS NULL OR {STATUS} = $1)
           AND ($3::timestamptz IS NULL
                OR (issued_at, account_id, number COLLATE "C")
                   {order.after} ($3, $4::uuid, $5::text))
         ORDER BY issued_at {direction}, account_id {direction}, number COLLATE "C" {direction}
         LIMIT $6
        """,
        status,
        tx.now,
        issued_at,
        account_id,
        number,
        size,
    )
    return [(row["account_id"], _invoice(row)) for row in rows]


async def load_unpaid(tx: Tx, account_id: UUID) -> list[Invoice]:
    """Open and overdue invoices, the earliest due first."""
    rows = await tx.rows(
        f"""
        SELECT {COLUMNS} FROM invoices
         WHERE account_id = $1 AND status IN ('OPEN', 'OVERDUE')
         ORDER BY due_at, number COLLATE "C"
        """,
        account_id,
    )
    return [_invoice(row) for row in rows]


async def load_all_unpaid(tx: Tx, size: int) -> list[tuple[UUID, Invoice]]:
    """Of every account, the earliest due first."""
    rows = await tx.rows(
        f"""
        SELECT account_id, {COLUMNS} FROM invoices
         WHERE status IN ('OPEN', 'OVERDUE') ORDER BY due_at, account_id, number LIMIT $1
        """,
        size,
    )
    return [(row["account_id"], _invoice(row)) for row in rows]


async def find_next_number(tx: Tx, account_id: UUID, year: int) -> int:
    """The next one of the year, without allocating it."""
    last: int | None = await tx.value(
        "SELECT last FROM invoice_numbers WHERE account_id = $1 AND year = $2", account_id, year
    )
    return (last or 0) + 1


_OLDEST_OVERDUE = """
    SELECT a.account_id, i.* FROM unnest($1::uuid[], $2::timestamptz[]) AS a (account_id, now)
     CROSS JOIN LATERAL (
        SELECT number, total_minor, currency FROM invoices
         WHERE account_id = a.account_id AND status IN ('OPEN', 'OVERDUE') AND due_at <= a.now
         ORDER BY due_at, number COLLATE "C" LIMIT 1) i
"""


def read_oldest_overdue(at: Mapping[UUID, datetime]) -> Read[dict[UUID, Overdue]]:
    """The overdue invoice with the earliest dueAt of each account, at the account's time."""
    return Read(_overdue, _OLDEST_OVERDUE, list(at), list(at.values()))


def _overdue(rows: Rows) -> dict[UUID, Overdue]:
    return {
        account_id: Overdue(number, money.to_wire(Money(total_minor, currency)), currency)
        for account_id, number, total_minor, currency in rows
    }


async def next_due(tx: Tx, account_id: UUID) -> datetime | None:
    """The earliest dueAt of the open invoices."""
    found: datetime | None = await tx.value(
        "SELECT min(due_at) FROM invoices WHERE account_id = $1 AND status = 'OPEN'", account_id
    )
    return found


# Status changes


async def mark_overdue(tx: Tx, account_id: UUID, now: datetime) -> list[str]:
    rows = await tx.rows(
        """
        UPDATE invoices SET status = 'OVERDUE'
         WHERE account_id = $1 AND status = 'OPEN' AND due_at <= $2 RETURNING number
        """,
        account_id,
        now,
    )
    return sorted(row["number"] for row in rows)


async def mark_paid(tx: Tx, account_id: UUID, number: str, at: datetime, by: str) -> bool:
    """False where it was not unpaid."""
    touched = await tx.run(
        """
        UPDATE invoices SET status = 'PAID', paid_at = $3, paid_by = $4
         WHERE account_id = $1 AND number = $2 AND status IN ('OPEN', 'OVERDUE')
        """,
        account_id,
        number,
        at,
        by,
    )
    return touched == 1


async def mark_void(tx: Tx, account_id: UUID, number: str, at: datetime) -> bool:
    """False where it was not unpaid."""
    touched = await tx.run(
        """
        UPDATE invoices SET status = 'VOID', voided_at = $3
         WHERE account_id = $1 AND number = $2 AND status IN ('OPEN', 'OVERDUE')
        """,
        account_id,
        number,
        at,
    )
    return touched == 1


# Rows and values


def _values(invoice: Invoice) -> tuple[object, ...]:
    """In the order of COLUMNS."""
    totals = invoice.totals
    return (
        invoice.number,
        invoice.kind,
        invoice.status,
        invoice.declared,
        invoice.currency,
        invoice.vat_hundredths,
        totals.subtotal.minor,
        totals.vat.minor,
        totals.total.minor,
        invoice.issued_at,
        invoice.due_at,
        invoice.paid_at,
        invoice.paid_by,
        invoice.voided_at,
    )


def _invoice(row: Row) -> Invoice:
    currency = row["currency"]
    return Invoice(
        number=row["number"],
        kind=row["kind"],
        status=InvoiceStatus(row["status"]),
        totals=Totals(
            Money(row["subtotal_minor"], currency),
            Money(row["vat_minor"], currency),
            Money(row["total_minor"], currency),
        ),
        vat_hundredths=row["vat_hundredths"],
        issued_at=row["issued_at"],
        due_at=row["due_at"],
        paid_at=row["paid_at"],
        paid_by=row["paid_by"],
        voided_at=row["voided_at"],
        declared=row["declared"],
    )
