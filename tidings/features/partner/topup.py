"""Buy capacity on credit: at once, while the balance owed stays within the limit (4.15)."""

from dataclasses import dataclass

from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account

from . import ledger, rules
from .model import Entry, Kind, Standing, Terms


@dataclass(frozen=True, slots=True)
class ToppedUp:
    entry: Entry
    terms: Terms
    after: Standing


async def top_up(tx: Tx, account: Account, messages: int) -> ToppedUp:
    turn = await ledger.begin(tx, account)
    bought = rules.decide_topup(turn.terms, turn.standing, messages, turn.now)
    entry = await ledger.book(
        tx,
        turn,
        bought.after,
        kind=Kind.TOPUP,
        amount=bought.amount,
        messages=messages,
        limit=turn.terms.credit_limit,
    )
    return ToppedUp(entry, turn.terms, bought.after)
