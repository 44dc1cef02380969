"""What an operator does about money: transfers, adjustments and invoices, each audited.

Every act is done once: repeating it changes nothing and records nothing, or is refused.
"""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from tidings import money
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account
from tidings.features.audit.record import Actor, Entry, record
from tidings.features.billing.invoices import payments
from tidings.features.billing.invoices import settle as invoice_settle
from tidings.features.billing.invoices.issue import issue
from tidings.features.billing.invoices.lookup import load_invoice
from tidings.features.billing.invoices.model import Invoice, LineItem
from tidings.features.partner import adjust as partner_adjust
from tidings.features.partner import transfers
from tidings.features.partner.model import LedgerEntry
from tidings.money import Money


def read_amount(partner: Account, text: str, field: str = "amount") -> Money:
    """An amount in the partner's currency, such as 95.00."""
    assert partner.partner is not None, f"{partner.name} is no partner"
    try:
        return money.parse(text, partner.partner.currency)
    except ValueError as reason:
        raise ApiError(Code.VALIDATION_ERROR, f'{field} "{text}" {reason}', field=field) from None


async def confirm_transfer(
    tx: Tx,
    actor: Actor,
    partner: Account,
    reference: str,
    received: Money | None = None,
    note: str | None = None,
) -> LedgerEntry | None:
    """Book what was received, by default what was reported; None if it was booked already."""
    entry = await transfers.confirm(tx, partner, reference, received, note)
    await _record_entry(tx, actor, partner, "transfer.confirmed", reference, entry)
    return entry


async def reject_transfer(
    tx: Tx, actor: Actor, partner: Account, reference: str, note: str | None = None
) -> LedgerEntry | None:
    """The money never came; None if it was rejected already."""
    entry = await transfers.reject(tx, partner, reference, note)
    await _record_entry(tx, actor, partner, "transfer.rejected", reference, entry)
    return entry


async def adjust_partner(
    tx: Tx,
    actor: Actor,
    partner: Account,
    *,
    amount: Money,
    messages: int,
    note: str,
    reference: str | None,
) -> LedgerEntry:
    """Correct what the partner owes, its capacity, or both."""
    entry = await partner_adjust.adjust(
        tx, partner, amount=amount, messages=messages, note=note, reference=reference
    )
    await _record_entry(tx, actor, partner, "partner.adjusted", reference or partner.name, entry)
    return entry


async def _record_entry(
    tx: Tx,
    actor: Actor,
    partner: Account,
    action: str,
    subject: str,
    entry: LedgerEntry | None,
) -> None:
    if entry is None:
        return
    after = entry.balance_after
    before = Money(after.minor - entry.effect.minor, after.currency)
    details: dict[str, object] = {
        "amount": f"{money.to_wire(entry.amount)} {entry.amount.currency}",
        "debt": f"{money.to_wire(before)} -> {money.to_wire(after)}",
    }
    if entry.messages is not None:
        details["messages"] = entry.messages
    if entry.note:
        details["note"] = entry.note
    await record(
        tx,
        Entry(actor=actor, action=action, subject=subject, account_id=partner.id, details=details),
    )


async def pay_invoice(tx: Tx, actor: Actor, account: Account, number: str) -> bool:
    """The operator has seen the money. False if it was paid already."""
    changed = await invoice_settle.pay(tx, account, number, by=payments.MANUAL)
    if changed:
        await _record_invoice(tx, actor, account, "invoice.paid", number)
    return changed


async def void_invoice(tx: Tx, actor: Actor, account: Account, number: str) -> bool:
    """False if it was void already."""
    changed = await invoice_settle.void(tx, account, number)
    if changed:
        await _record_invoice(tx, actor, account, "invoice.voided", number)
    return changed


async def issue_invoice(
    tx: Tx,
    actor: Actor,
    account: Account,
    *,
    number: str,
    kind: str,
    lines: Sequence[LineItem],
    currency: str,
    vat_pct: Decimal,
    due_at: datetime,
) -> Invoice:
    """Dated now. Each number is issued once."""
    invoice = await issue(
        tx,
        account,
        kind=kind,
        lines=lines,
        currency=currency,
        vat_pct=vat_pct,
        issued_at=account.now(tx.now),
        due_at=due_at,
        number=number,
    )
    await _record_invoice(tx, actor, account, "invoice.issued", invoice.number)
    return invoice


async def _record_invoice(tx: Tx, actor: Actor, account: Account, action: str, number: str) -> None:
    invoice = await load_invoice(tx, account.id, number)
    total = f"{money.to_wire(invoice.totals.total)} {invoice.currency}"
    entry = Entry(
        actor=actor,
        action=action,
        subject=number,
        account_id=account.id,
        details={"total": total, "kind": invoice.kind},
    )
    await record(tx, entry)
