"""Read access to partners for other slices."""

from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from tidings import limits
from tidings.engine.db.order import Order
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.money import Money

from . import capacity, responses, store
from .model import Capacity, LedgerEntry, PartnerBalance, SettledKey, Span, Transfer, read_terms

PENDING_SHOWN_MAX = limits.LIST_LIMIT.high


@dataclass(frozen=True, slots=True)
class Partnership:
    """The capacity an account draws on: its own, or that of the partner it belongs to."""

    partner: Account
    capacity: Capacity
    is_own: bool

    def shape(self) -> responses.Capacity:
        """`capacity` of 2.10, as GET /balance shows it too."""
        return responses.capacity_shape(self.capacity)


async def find_partnership(tx: Tx, account: Account) -> Partnership | None:
    """None if the account neither is a partner nor belongs to one."""
    partner_id = account.id if account.is_partner else account.belongs_to
    if partner_id is None:
        return None
    partner = (await load_accounts(tx, [partner_id]))[partner_id]
    found = (await capacity.find(tx, [partner_id]))[partner_id]
    return Partnership(partner, found, is_own=partner_id == account.id)


async def load_state(tx: Tx, account: Account) -> responses.PartnerAccount:
    """2.10"""
    assert account.partner is not None, f"{account.name} is no partner"
    terms = read_terms(account.partner)
    balance = await store.find_balance(tx, account.id)
    if balance is None:
        balance = PartnerBalance(Capacity(), Money(0, terms.currency))
    pending = await store.load_transfers(
        tx, account.id, terms.currency, pending=True, size=PENDING_SHOWN_MAX
    )
    return responses.account(terms, balance, pending, account.now(tx.now))


class ReportedTransfer(NamedTuple):
    account_id: UUID
    transfer: Transfer


async def load_pending_transfers(tx: Tx, size: int) -> list[ReportedTransfer]:
    """The transfers that wait for an operator, of every partner, the oldest first."""
    return [
        ReportedTransfer(row["account_id"], store.read_transfer(row, row["currency"]))
        for row in await store.load_all_pending(tx, size)
    ]


async def load_settled_transfers(
    tx: Tx, before: SettledKey | None, size: int, order: Order = Order.NEWEST_FIRST
) -> tuple[list[ReportedTransfer], SettledKey | None]:
    """Of every partner, by when they were settled, and the key to continue after."""
    rows = await store.load_all_settled(tx, before, size + 1, order)
    found = [
        ReportedTransfer(row["account_id"], store.read_transfer(row, row["currency"]))
        for row in rows[:size]
    ]
    if len(rows) <= size:
        return found, None
    last = rows[size - 1]
    return found, (last["settled_at"], last["account_id"], last["reference"])


async def load_entries(
    tx: Tx, account_id: UUID, size: int, before: int | None = None, span: Span = (None, None)
) -> list[LedgerEntry]:
    """The newest entries of the ledger, or those before one with this seq."""
    return await store.load_page(tx, account_id, before, size, span)
