"""When subscriptions start, renew and end, and the refusals of billing (2.8, section 7). Pure.

A package is one term. Otherwise a term is a calendar month from `startsAt`, by the account's clock
in UTC. If a month has no such day, its last day is used (31 January, 28 February, 31 March).
"""

from calendar import monthrange
from collections.abc import Callable, Sequence
from datetime import datetime

from tidings import money
from tidings.errors import ApiError, ErrorCode
from tidings.features.partner.model import Capacity
from tidings.features.partner.rules import PartnerCode
from tidings.money import Money
from tidings.wording import counted

from .invoices.model import Overdue
from .model import BillingMode, BillingType, ChargeKind, Span, Subscription, SubscriptionState, Term


class BillingCode(ErrorCode):
    """The error codes of subscriptions and invoices (section 7)."""

    NO_ACTIVE_SUBSCRIPTION = (
        402,
        "the account has no active subscription",
        "Add a subscription to the account: the operator's table [accounts.subscription], "
        "applied with tidings apply.",
    )
    SUBSCRIPTION_EXPIRED = (
        402,
        "the subscription has expired",
        "Renew the subscription: a later endsAt, or a new one.",
    )
    QUOTA_EXHAUSTED = (
        402,
        "the unique messages are used up",
        "Wait for the next period, or raise the subscription's unique messages. GET /balance "
        "shows what is left.",
    )
    FOLLOWUP_QUOTA_EXHAUSTED = (
        402,
        "a second message to the same number needs follow-up credit",
        "Wait for the next period, or raise the subscription's follow-up messages.",
    )
    INVOICE_OVERDUE = (
        402,
        "an invoice is overdue; sending is paused until it is paid",
        "Pay the invoice that invoiceNumber names; sending goes on by itself then.",
    )
    USAGE_CREDIT_LIMIT = (
        402,
        "the pay-as-you-go balance has reached its limit",
        "Pay open invoices, or have the credit limit raised.",
    )


MICRO_PER_MINOR = 10_000


Refuse = Callable[[ErrorCode, str], ApiError]


class AccountBlocked(ApiError):
    """Every message of the account is refused, so a whole batch is answered with this error."""


# Time


def add_months(anchor: datetime, months: int) -> datetime:
    year, month = divmod(anchor.year * 12 + anchor.month - 1 + months, 12)
    last = monthrange(year, month + 1)[1]
    return anchor.replace(year=year, month=month + 1, day=min(anchor.day, last))


def months_between(anchor: datetime, at: datetime) -> int:
    """The number of whole months from `anchor` to `at`."""
    months = (at.year - anchor.year) * 12 + at.month - anchor.month
    return months if add_months(anchor, months) <= at else months - 1


def span(subscription: Subscription, number: int) -> Span:
    starts, end = subscription.starts_at, subscription.end
    if subscription.billing_type is BillingType.PACKAGE:
        return Span(0, starts, end)
    renews = add_months(starts, number + 1)
    return Span(number, add_months(starts, number), renews if end is None else min(renews, end))


def span_at(subscription: Subscription, now: datetime) -> Span:
    """The term at `now`; before the start the first term, after the end the last one."""
    if subscription.billing_type is BillingType.PACKAGE:
        return span(subscription, 0)
    starts, end = subscription.starts_at, subscription.end
    number = months_between(starts, now)
    if end is not None and now >= end:
        number = months_between(starts, end)
        if add_months(starts, number) == end:
            number -= 1
    return span(subscription, max(number, 0))


def booking_term(subscription: Subscription, now: datetime) -> int:
    """The term that a refund of an already invoiced term is booked in: the current one. After the
    subscription ended, an extra term records it; that term is never invoiced."""
    number = span_at(subscription, now).number
    is_over = subscription.end is not None and now >= subscription.end
    return number + 1 if is_over else number


def first_invoiced(subscription: Subscription) -> int:
    """The first term to invoice: terms that ended before it was created here are skipped."""
    return span_at(subscription, subscription.created_at).number


def present(subscriptions: Sequence[Subscription], now: datetime) -> Subscription | None:
    """The most recently started subscription, in any state."""
    started = [one for one in subscriptions if one.starts_at <= now]
    return started[-1] if started else None


# Refusals

_SUBSCRIBE = (
    "the account has no active subscription; add [accounts.subscription] with package, billingType "
    "and its quota (unique, followup) or prices to the account in the file, and run `tidings apply`"
)


def require_paid(overdue: Overdue | None) -> None:
    if overdue is not None:
        problem = (
            f"invoice {overdue.number} of {overdue.amount} {overdue.currency} is overdue; "
            "sending goes on by itself once it is paid"
        )
        raise AccountBlocked(
            BillingCode.INVOICE_OVERDUE,
            problem,
            invoiceNumber=overdue.number,
            amount=overdue.amount,
            currency=overdue.currency,
        )


def require_active(subscription: Subscription | None, now: datetime) -> Subscription:
    state = None if subscription is None else subscription.state(now)
    if subscription is None or state is SubscriptionState.CANCELLED:
        raise AccountBlocked(BillingCode.NO_ACTIVE_SUBSCRIPTION, _SUBSCRIBE)
    if state is SubscriptionState.EXPIRED:
        problem = (
            f"the subscription {subscription.package} has expired; give it a later endsAt, or "
            "another [accounts.subscription], in the file for `tidings apply`"
        )
        raise AccountBlocked(BillingCode.SUBSCRIPTION_EXPIRED, problem)
    return subscription


def require_left(subscription: Subscription, term: Term, kind: ChargeKind, refuse: Refuse) -> None:
    """Raise `refuse` if the term has no quota or credit for one more message of this kind."""
    if subscription.is_metered:
        if not _fits(subscription, term, kind):
            raise refuse(BillingCode.USAGE_CREDIT_LIMIT, _limit(subscription))
    elif term.left(kind) == 0:
        quota = term.unique_quota if kind is ChargeKind.UNIQUE else term.followup_quota
        code, template = _EXHAUSTED[kind]
        raise refuse(code, template.format(counted(quota, "message")))


_EXHAUSTED = {
    ChargeKind.UNIQUE: (BillingCode.QUOTA_EXHAUSTED, "the quota of unique messages is used up: {}"),
    ChargeKind.FOLLOWUP: (
        BillingCode.FOLLOWUP_QUOTA_EXHAUSTED,
        "this number has had a message already, and the quota of follow-up messages is used up: {}",
    ),
}


def require_agreement(capacity: Capacity, now: datetime) -> None:
    if capacity.is_expired(now):
        problem = "the partner agreement has ended; renew it to go on sending"
        raise AccountBlocked(PartnerCode.PARTNER_CAPACITY_EXPIRED, problem)


def decide_refusal(exhausted: bool) -> Refuse:
    """Quota exhausted before the batch blocks the account; exhausted within it, only a message."""
    return AccountBlocked if exhausted else ApiError


def is_exhausted(subscription: Subscription, term: Term) -> bool:
    kinds = (ChargeKind.UNIQUE, ChargeKind.FOLLOWUP)
    if subscription.is_metered:
        return not any(_fits(subscription, term, kind) for kind in kinds)
    return not any(term.left(kind) for kind in kinds)


def _fits(subscription: Subscription, term: Term, kind: ChargeKind) -> bool:
    limit = limit_micro(subscription)
    return limit is None or term.owed_micro + subscription.price(kind) <= limit


def limit_micro(subscription: Subscription) -> int | None:
    minor = subscription.credit_limit_minor
    return None if minor is None or not subscription.is_metered else minor * MICRO_PER_MINOR


def _limit(subscription: Subscription) -> str:
    limit = Money(subscription.credit_limit_minor or 0, subscription.currency)
    return f"the credit limit of {limit} is reached; it is free again after the next invoice"


def available(subscription: Subscription, term: Term) -> Money | None:
    """The remaining credit; None: unlimited."""
    if subscription.credit_limit_minor is None:
        return None
    owed = rounded(term.owed_micro, subscription.currency).minor
    return Money(max(subscription.credit_limit_minor - owed, 0), subscription.currency)


def unused(subscription: Subscription) -> Term:
    """A term without a row: nothing was charged in it yet."""
    quota, followup = subscription.unique_quota, subscription.followup_quota
    return Term(quota, followup, is_stored=False)


def is_enforced(mode: str) -> bool:
    return mode == BillingMode.ENFORCED


def is_counted(mode: str) -> bool:
    return mode != BillingMode.OFF


def rounded(micro: int, currency: str) -> Money:
    """Convert millionths to an amount, rounding once."""
    return money.amount(money.Rate(micro, currency), 1)
