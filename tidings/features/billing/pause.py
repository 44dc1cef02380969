"""Why an account sends nothing now, for the banner of every page of the portal.

    reason = await find_pause_reason(tx, account)  # None: it sends

`account` comes from `load_accounts` of the same transaction. What it says itself (disabled, paused,
all sending paused) needs no query. The rest is what accepting a message to a new number would be
refused for, by the same rules: one query for the quota or the capacity, one for overdue invoices.
"""

from dataclasses import dataclass
from enum import StrEnum

from tidings.engine.db.tx import Tx
from tidings.errors import ErrorCode
from tidings.features.accounts.model import Account
from tidings.features.partner.rules import PartnerCode

from .charging.charge import find_refusal
from .rules import BillingCode


class PauseKind(StrEnum):
    DISABLED = "disabled"  # the account
    ALL_PAUSED = "all_paused"  # by the operator, for every account
    PAUSED = "paused"  # the account
    INVOICE_OVERDUE = "invoice_overdue"
    NO_SUBSCRIPTION = "no_subscription"
    SUBSCRIPTION_EXPIRED = "subscription_expired"
    QUOTA_EXHAUSTED = "quota_exhausted"  # of messages to new numbers; follow-ups may still go
    CREDIT_LIMIT = "credit_limit"
    CAPACITY_EXHAUSTED = "capacity_exhausted"
    CAPACITY_EXPIRED = "capacity_expired"


@dataclass(frozen=True, slots=True)
class PauseReason:
    kind: PauseKind
    invoice: str = ""  # the number of the overdue one


_BY_CODE: dict[ErrorCode, PauseKind] = {
    BillingCode.INVOICE_OVERDUE: PauseKind.INVOICE_OVERDUE,
    BillingCode.NO_ACTIVE_SUBSCRIPTION: PauseKind.NO_SUBSCRIPTION,
    BillingCode.SUBSCRIPTION_EXPIRED: PauseKind.SUBSCRIPTION_EXPIRED,
    BillingCode.QUOTA_EXHAUSTED: PauseKind.QUOTA_EXHAUSTED,
    BillingCode.USAGE_CREDIT_LIMIT: PauseKind.CREDIT_LIMIT,
    PartnerCode.PARTNER_CAPACITY_EXHAUSTED: PauseKind.CAPACITY_EXHAUSTED,
    PartnerCode.PARTNER_CAPACITY_EXPIRED: PauseKind.CAPACITY_EXPIRED,
}


async def find_pause_reason(tx: Tx, account: Account) -> PauseReason | None:
    """The first reason, in the order in which it would have to be lifted."""
    if not account.active:
        return PauseReason(PauseKind.DISABLED)
    if account.all_paused:
        return PauseReason(PauseKind.ALL_PAUSED)
    if account.paused:
        return PauseReason(PauseKind.PAUSED)
    refusal = await find_refusal(tx, account)
    if refusal is None:
        return None
    return PauseReason(_BY_CODE[refusal.code], str(refusal.extra.get("invoiceNumber", "")))
