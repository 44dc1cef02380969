"""Payment providers: collect an unpaid invoice and report whether the money was received.

`manual`: the customer transfers the money, and an operator confirms it (`tidings invoices pay`).
`test`: the sandbox, which pays immediately. A provider that calls a bank would implement the same
protocol; `collect` is called with no transaction open.
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
    AWAITED = "awaited"  # pending; an operator confirms it later


class Provider(Protocol):
    @property
    def name(self) -> str: ...

    async def collect(self, account: Account, invoice: Invoice) -> Payment:
        """Collect an unpaid invoice. Idempotent: calling it twice never pays twice."""
        ...


class ManualProvider:
    name = MANUAL

    async def collect(self, account: Account, invoice: Invoice) -> Payment:
        return Payment.AWAITED


class SandboxProvider:
    name = TEST

    async def collect(self, account: Account, invoice: Invoice) -> Payment:
        return Payment.RECEIVED


def provider_of(account: Account) -> Provider:
    return SandboxProvider() if account.is_sandbox else ManualProvider()


async def collect(ctx: Context, account: Account, number: str) -> Payment:
    """Collect an invoice through the account's provider, and mark it paid if that succeeded."""

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
