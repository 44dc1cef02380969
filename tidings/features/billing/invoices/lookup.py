"""Read access to invoices for other slices."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from tidings.engine.db.order import Order
from tidings.engine.db.reads import Read
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account

from . import store as invoice_store
from .model import Invoice, InvoiceStatus, LineItem, Overdue
from .store import EveryonesKey, PageKey

SHOWN_MAX = 10_000


def read_overdue(accounts: Iterable[Account], now: datetime) -> Read[dict[UUID, Overdue]]:
    """The accounts that an unpaid invoice past its due date suspends, each with that invoice."""
    timestamps = {account.id: account.now(now) for account in accounts}
    return invoice_store.read_oldest_overdue(timestamps) if timestamps else Read.known({})


async def load_unpaid(tx: Tx, account_id: UUID) -> list[Invoice]:
    """Open and overdue invoices for GET /balance, the earliest due first."""
    return await invoice_store.load_unpaid(tx, account_id)


async def load_everyones(
    tx: Tx,
    status: InvoiceStatus | None,
    after: EveryonesKey | None,
    size: int,
    order: Order = Order.NEWEST_FIRST,
) -> tuple[list[tuple[UUID, Invoice]], EveryonesKey | None]:
    """Of every account with its id, and the key to continue after."""
    found = await invoice_store.load_everyones(tx, status, after, size + 1, order)
    if len(found) <= size:
        return found, None
    account_id, last = found[size - 1]
    return found[:size], (last.issued_at, account_id, last.number)


async def load_all_unpaid(tx: Tx, size: int) -> list[tuple[UUID, Invoice]]:
    """Open and overdue invoices of every account with its id, the earliest due first."""
    return await invoice_store.load_all_unpaid(tx, size)


async def find_free_number(tx: Tx, account: Account) -> str:
    """The number that the next invoice of this year would get."""
    year = account.now(tx.now).year
    last = await invoice_store.find_next_number(tx, account.id, year)
    while await invoice_store.find(tx, account.id, f"{year}-{last:04d}") is not None:
        last += 1
    return f"{year}-{last:04d}"


async def load_invoice(tx: Tx, account_id: UUID, number: str) -> Invoice:
    found = await invoice_store.find(tx, account_id, number)
    if found is None:
        raise ApiError(Code.NOT_FOUND, "the account has no invoice of this number")
    return found


async def load_with_lines(tx: Tx, account_id: UUID, number: str) -> tuple[Invoice, list[LineItem]]:
    invoice = await load_invoice(tx, account_id, number)
    return invoice, await invoice_store.load_lines(tx, account_id, invoice)


async def load_page(
    tx: Tx,
    account: Account,
    status: InvoiceStatus | None,
    after: PageKey | None,
    size: int,
    order: Order = Order.NEWEST_FIRST,
) -> tuple[list[Invoice], PageKey | None]:
    """A page of the account's invoices, and the key that the next one is after; None: it is the
    last."""
    found = await invoice_store.load_page(
        tx, account.id, account.now(tx.now), status=status, after=after, size=size + 1, order=order
    )
    page = found[:size]
    return page, (page[-1].issued_at, page[-1].number) if len(found) > size else None


async def load_all(tx: Tx, account: Account, status: InvoiceStatus | None = None) -> list[Invoice]:
    """The account's invoices for operators, the newest first, at most SHOWN_MAX."""
    return await invoice_store.load_page(
        tx, account.id, account.now(tx.now), status=status, size=SHOWN_MAX
    )
