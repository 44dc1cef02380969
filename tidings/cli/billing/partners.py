"""`tidings partners`: what partners bought and owe, and the money that came."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec

from tidings import money
from tidings.cli.database import opened
from tidings.cli.named import load_account
from tidings.cli.output import print_json, print_table, say
from tidings.cli.refusal import Refused
from tidings.cli.runner import load_settings, run
from tidings.engine.db.tx import Tx
from tidings.features.accounts.directory import load_all_accounts
from tidings.features.accounts.model import Account
from tidings.features.partner import responses
from tidings.features.partner.adjust import adjust
from tidings.features.partner.lookup import load_entries, load_state
from tidings.features.partner.model import Entry
from tidings.features.partner.transfers import confirm, reject
from tidings.money import Money
from tidings.settings import Settings

T = TypeVar("T")


def list_partners(*, as_json: bool) -> None:
    found = run(_all(load_settings()))
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
            f"{one.expires_at} (over)" if one.expired else one.expires_at,
        )
        for name, one in found.items()
    ]
    print_table(headings, rows, none="No account is a partner.")


def show_transfers(account: str, *, as_json: bool) -> None:
    pending = run(_with(load_settings(), account, load_state)).pending_transfers
    if as_json:
        print_json({"account": account, "pendingTransfers": pending})
        return
    rows = [(one.reference, one.amount, one.transfer_date, one.reported_at) for one in pending]
    print_table(
        ("reference", "amount>", "date", "reported"), rows, none="No transfer waits to be settled."
    )


def show_ledger(account: str, limit: int, *, as_json: bool) -> None:
    async def work(tx: Tx, partner: Account) -> list[Entry]:
        return await load_entries(tx, partner.id, limit)

    entries = [responses.entry(one) for one in run(_with(load_settings(), account, work))]
    if as_json:
        print_json({"account": account, "entries": entries})
        return
    headings = ("at", "kind", "messages>", "amount>", "balance>", "reference", "note")
    rows = [
        (one.at, one.kind, one.messages, one.amount, one.balance_after, one.reference, one.note)
        for one in entries
    ]
    print_table(headings, rows, none="Nothing was booked yet.")


def confirm_transfer(
    account: str, reference: str, amount: str | None, note: str | None, *, as_json: bool
) -> None:
    async def work(tx: Tx, partner: Account) -> Entry | None:
        received = None if amount is None else _amount(partner, amount)
        return await confirm(tx, partner, reference, received, note)

    entry = run(_with(load_settings(), account, work))
    _answer(account, entry, f"Transfer {reference} was confirmed before.", as_json=as_json)


def reject_transfer(account: str, reference: str, note: str | None, *, as_json: bool) -> None:
    async def work(tx: Tx, partner: Account) -> Entry | None:
        return await reject(tx, partner, reference, note)

    entry = run(_with(load_settings(), account, work))
    _answer(account, entry, f"Transfer {reference} was rejected before.", as_json=as_json)


def adjust_partner(
    account: str,
    *,
    amount: str,
    messages: int,
    note: str,
    reference: str | None,
    as_json: bool,
) -> None:
    async def work(tx: Tx, partner: Account) -> Entry:
        owed = _amount(partner, amount)
        return await adjust(
            tx, partner, amount=owed, messages=messages, note=note, reference=reference
        )

    _answer(account, run(_with(load_settings(), account, work)), "", as_json=as_json)


def _answer(account: str, entry: Entry | None, otherwise: str, *, as_json: bool) -> None:
    if as_json:
        shown = None if entry is None else responses.entry(entry)
        print_json({"account": account, "changed": entry is not None, "entry": shown})
    elif entry is None:
        say(f"{otherwise} Nothing was changed.")
    else:
        say(f"{entry.kind} over {entry.amount}: {account} now owes {entry.balance_after}.")


def _amount(partner: Account, text: str) -> Money:
    assert partner.partner is not None
    try:
        return money.parse(text, partner.partner.currency)
    except ValueError as reason:
        raise Refused(f'--amount "{text}" {reason}.') from None


async def _with(settings: Settings, name: str, work: Callable[[Tx, Account], Awaitable[T]]) -> T:
    async def run_it(tx: Tx) -> T:
        partner = await load_account(tx, name)
        if not partner.is_partner:
            raise Refused(f'"{name}" is no partner; tidings partners list shows them.')
        return await work(tx, partner)

    async with opened(settings) as db:
        return await db.transact(run_it)


async def _all(settings: Settings) -> dict[str, responses.PartnerAccount]:
    async def work(tx: Tx) -> dict[str, responses.PartnerAccount]:
        partners = [one for one in await load_all_accounts(tx) if one.is_partner]
        return {one.name: await load_state(tx, one) for one in partners}

    async with opened(settings) as db:
        return await db.transact(work)
