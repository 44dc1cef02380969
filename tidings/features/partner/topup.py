"""Buy capacity on credit: active immediately if the debt stays within the limit (4.15)."""

from dataclasses import dataclass
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account

from . import ledger, rules
from .model import LedgerEntry, LedgerEntryKind, PartnerBalance, Terms


@dataclass(frozen=True, slots=True)
class TopupResult:
    entry: LedgerEntry
    terms: Terms
    after: PartnerBalance


async def top_up(
    tx: Tx, account: Account, messages: int, entry_id: UUID | None = None
) -> TopupResult:
    locked = await ledger.begin(tx, account)
    topup = rules.decide_topup(locked.terms, locked.balance, messages, locked.now)
    entry = await ledger.book(
        tx,
        locked,
        topup.after,
        kind=LedgerEntryKind.TOPUP,
        amount=topup.amount,
        messages=messages,
        limit=locked.terms.credit_limit,
        entry_id=entry_id,
    )
    return TopupResult(entry, locked.terms, topup.after)
