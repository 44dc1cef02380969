"""The ledger: every step of what a partner owes, with the balance after it (2.11).

It is only ever added to, one entry at a time for each partner: `begin` takes the turn, and what it
returns is true until the transaction ends. `seq` runs from one without a gap, and times never go
back along it.
"""

from dataclasses import dataclass
from datetime import datetime

from tidings import ids
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.money import Money

from . import rules, store
from .model import Entry, Kind, Standing, Terms, read_terms


@dataclass(frozen=True, slots=True)
class Turn:
    """A partner whose ledger is ours to add to until the transaction ends."""

    account: Account
    terms: Terms
    standing: Standing
    now: datetime  # the account's time, and not before the last entry


async def begin(tx: Tx, account: Account) -> Turn:
    assert account.partner is not None, f"{account.name} is no partner"
    terms = read_terms(account.partner)
    standing = await store.lock_standing(tx, account.id, terms.currency)
    last_at = await store.find_last_at(tx, account.id, standing.entries)
    now = account.now(tx.now)
    return Turn(account, terms, standing, now if last_at is None else max(now, last_at))


async def book(
    tx: Tx,
    turn: Turn,
    after: Standing,
    *,
    kind: Kind,
    amount: Money,
    messages: int | None = None,
    limit: Money | None = None,
    reference: str | None = None,
    note: str | None = None,
) -> Entry:
    """Write the entry that leads from where the partner stands to `after`."""
    entry = Entry(
        seq=after.entries,
        id=ids.new_id(),
        kind=kind,
        at=turn.now,
        amount=amount,
        effect=after.debt - turn.standing.debt,
        balance_after=after.debt,
        messages=messages,
        limit=limit,
        reference=reference,
        note=note,
    )
    await store.save_standing(tx, turn.account.id, after)
    await store.append(tx, turn.account.id, entry)
    return entry


async def note_down(
    tx: Tx, turn: Turn, *, kind: Kind, amount: Money, reference: str, note: str | None
) -> Entry:
    """An entry that changes nothing owed: a transfer reported, or rejected."""
    after = rules.moved(turn.standing, Money(0, amount.currency))
    return await book(tx, turn, after, kind=kind, amount=amount, reference=reference, note=note)
