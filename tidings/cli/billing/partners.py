"""`tidings partners`: what partners bought and owe, and the transfers they reported."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec

from tidings.cli.actor import command_actor
from tidings.cli.database import transact, transact_for
from tidings.cli.output import Refused, print_json, print_table, say
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_all_accounts
from tidings.features.accounts.model import Account
from tidings.features.operation.money import adjust_partner as adjust
from tidings.features.operation.money import confirm_transfer as confirm
from tidings.features.operation.money import read_amount
from tidings.features.operation.money import reject_transfer as reject
from tidings.features.partner import responses
from tidings.features.partner.lookup import load_entries, load_state
from tidings.features.partner.model import LedgerEntry

T = TypeVar("T")


def list_partners(*, as_json: bool) -> None:
    found = transact(_load_partners)
    if as_json:
        partners = [{"name": name, **msgspec.to_builtins(one)} for name, one in found.items()]
        print_json({"partners": partners})
        return
    headings = ("name", "remaining>", "used>", "debt>", "limit>", "currency", "pending>", "ends")
    rows = [
        (
            name,
            one.capacity.remaining,
            f"{one.capacity.pct}%",
            one.debt,
            one.credit_limit,
            one.currency,
            len(one.pending_transfers),
            f"{one.expires_at} (expired)" if one.expired else one.expires_at,
        )
        for name, one in found.items()
    ]
    print_table(headings, rows, none="No account is a partner.")


async def _load_partners(tx: Tx) -> dict[str, responses.PartnerAccount]:
    partners = [one for one in await load_all_accounts(tx) if one.is_partner]
    return {one.name: await load_state(tx, one) for one in partners}


def show_transfers(account: str, *, as_json: bool) -> None:
    pending = _for_partner(account, load_state).pending_transfers
    if as_json:
        print_json({"account": account, "pendingTransfers": pending})
        return
    rows = [(one.reference, one.amount, one.transfer_date, one.reported_at) for one in pending]
    print_table(
        ("reference", "amount>", "date", "reported"), rows, none="There are no pending transfers."
    )


def show_ledger(account: str, limit: int, *, as_json: bool) -> None:
    async def work(tx: Tx, partner: Account) -> list[LedgerEntry]:
        return await load_entries(tx, partner.id, limit)

    entries = [responses.entry(one) for one in _for_partner(account, work)]
    if as_json:
        print_json({"account": account, "entries": entries})
        return
    headings = ("at", "kind", "messages>", "amount>", "balance>", "reference", "note")
    rows = [
        (one.at, one.kind, one.messages, one.amount, one.balance_after, one.reference, one.note)
        for one in entries
    ]
    print_table(headings, rows, none="The ledger is empty.")


def confirm_transfer(
    account: str, reference: str, *, amount: str | None, note: str | None, as_json: bool
) -> None:
    async def work(tx: Tx, partner: Account) -> LedgerEntry | None:
        received = None if amount is None else read_amount(partner, amount, "--amount")
        return await confirm(tx, command_actor(), partner, reference, received, note)

    entry = _for_partner(account, work)
    _report(account, entry, f"Transfer {reference} was already confirmed.", as_json=as_json)


def reject_transfer(account: str, reference: str, *, note: str | None, as_json: bool) -> None:
    async def work(tx: Tx, partner: Account) -> LedgerEntry | None:
        return await reject(tx, command_actor(), partner, reference, note)

    entry = _for_partner(account, work)
    _report(account, entry, f"Transfer {reference} was already rejected.", as_json=as_json)


def adjust_partner(
    account: str,
    *,
    amount: str,
    messages: int,
    note: str,
    reference: str | None,
    as_json: bool,
) -> None:
    async def work(tx: Tx, partner: Account) -> LedgerEntry:
        return await adjust(
            tx,
            command_actor(),
            partner,
            amount=read_amount(partner, amount, "--amount"),
            messages=messages,
            note=note,
            reference=reference,
        )

    _report(account, _for_partner(account, work), "", as_json=as_json)


def _report(account: str, entry: LedgerEntry | None, unchanged: str, *, as_json: bool) -> None:
    """Print the new ledger entry, or why there is none."""
    if as_json:
        shown = None if entry is None else responses.entry(entry)
        print_json({"account": account, "changed": entry is not None, "entry": shown})
    elif entry is None:
        say(f"{unchanged} Nothing was changed.")
    else:
        say(f"{entry.kind} over {entry.amount}: {account} now owes {entry.balance_after}.")


def _for_partner(name: str, work: Callable[[Tx, Account], Awaitable[T]]) -> T:
    async def with_partner(tx: Tx, account: Account) -> T:
        if not account.is_partner:
            raise Refused(f'"{name}" is not a partner; tidings partners list shows them.')
        return await work(tx, account)

    return transact_for(name, with_partner)
