"""From subscriptions and usage to the JSON of GET /balance and GET /usage. Pure."""

from datetime import datetime

from tidings import times
from tidings.money import Money, Rate, rate_to_wire, to_wire

from . import rules, shapes
from .model import BillingType, State, Subscription, Term


def subscription(one: Subscription, term: Term, now: datetime) -> shapes.SubscriptionShape:
    state = one.state(now)
    shown = shapes.SubscriptionShape(
        package=one.package,
        billing_type=one.billing_type.value,
        state=state.value,
        unique=_quota(term.unique_quota, term.unique_used),
        followup=_quota(term.followup_quota, term.followup_used),
        starts_at=times.to_wire(one.starts_at),
        ends_at=None if one.end is None else times.to_wire(one.end),
        renews_at=_renews_at(one, state, now),
    )
    if one.is_metered:
        shown.usage = _usage(one, term)
    return shown


def _quota(quota: int, used: int) -> shapes.Quota:
    return shapes.Quota(quota, used, max(quota - used, 0))


def _renews_at(one: Subscription, state: State, now: datetime) -> str | None:
    ends_at = rules.span_at(one, now).ends_at
    renews = one.billing_type is not BillingType.PACKAGE and state is State.ACTIVE
    return times.to_wire(ends_at) if renews and ends_at not in (None, one.end) else None


def _usage(one: Subscription, term: Term) -> shapes.Usage:
    currency, available = one.currency, rules.available(one, term)
    limit = one.credit_limit_minor
    return shapes.Usage(
        currency=currency,
        price_per_unique=rate_to_wire(Rate(one.unique_price_micro, currency)),
        price_per_followup=rate_to_wire(Rate(one.followup_price_micro, currency)),
        accrued=to_wire(rules.rounded(term.owed_micro, currency)),
        credit_limit=None if limit is None else to_wire(Money(limit, currency)),
        available=None if available is None else to_wire(available),
    )
