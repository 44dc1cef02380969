"""How invoices are paid: a provider is asked, and says whether the money is there.

`manual`: the customer transfers the money, and an operator confirms it (`tidings invoices pay`).
`test`: the sandbox, which pays at once. A provider that reaches a bank goes here, behind the same
contract; it is asked with no transaction open.
"""

from enum import StrEnum
from typing import Protocol

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account

from . import settle as invoice_settle
from .lookup import load_invoice
from .model import UNPAID, Invoice

MANUAL, TEST = "manual", "test"


class Payment(StrEnum):
    RECEIVED = "received"
    AWAITED = "awaited"  # nothing yet: somebody will say when


class Provider(Protocol):
    @property
    def name(self) -> str: ...

    async def collect(self, account: Account, invoice: Invoice) -> Payment:
        """Ask for the money of an unpaid invoice. Asking twice never pays twice."""
        ...


class Manual:
    name = MANUAL

    async def collect(self, account: Account, invoice: Invoice) -> Payment:
        return Payment.AWAITED


class AtOnce:
    name = TEST

    async def collect(self, account: Account, invoice: Invoice) -> Payment:
        return Payment.RECEIVED


def provider_of(account: Account) -> Provider:
    return AtOnce() if account.is_sandbox else Manual()


async def collect(ctx: Context, account: Account, number: str) -> Payment:
    """Have an invoice paid by the account's provider."""

    async def read(tx: Tx) -> Invoice:
        return await load_invoice(tx, account.id, number)

    async def settle(tx: Tx) -> None:
        await invoice_settle.pay(tx, account, number, by=provider.name)

    invoice = await ctx.db.transact(read)
    provider = provider_of(account)
    payment = Payment.RECEIVED
    if invoice.status in UNPAID:
        payment = await provider.collect(account, invoice)
    if payment is Payment.RECEIVED:
        await ctx.db.transact(settle)
    return payment
