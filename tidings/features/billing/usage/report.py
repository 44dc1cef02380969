"""Usage by day or month, and the forecast of when the quota is exhausted: GET /usage."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from tidings import times
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import find_belonging
from tidings.features.accounts.model import Account
from tidings.features.partner.lookup import Partnership, find_partnership
from tidings.money import to_wire

from .. import rules
from ..charging import store as charge_store
from ..model import ChargeKind, DayUse, Subscription, SubscriptionState, Term
from . import responses, trends
from .balance import find_present
from .trends import UsageSum


@dataclass(frozen=True, slots=True)
class UsagePeriod:
    first: date
    last: date
    by_month: bool


async def load_usage(tx: Tx, account: Account, period: UsagePeriod) -> responses.UsageReport:
    found = None if account.is_partner else await find_present(tx, account)
    currency = found[0].currency if found is not None else None
    uses = await charge_store.load_days(tx, [account.id], period.first, period.last)
    rows = trends.grouped(uses, period.first, period.last, by_month=period.by_month)
    total = UsageSum()
    for use in uses:
        total.add(use)
    return responses.UsageReport(
        from_=period.first.isoformat(),
        to=period.last.isoformat(),
        group_by="month" if period.by_month else "day",
        currency=currency,
        rows=[responses.UsageRow(name, *_counts(row, currency)) for name, row in rows.items()],
        totals=responses.UsageTotals(*_counts(total, currency)),
        forecast=await _forecast(tx, account, found),
    )


def _counts(row: UsageSum, currency: str | None) -> tuple[int, int, int, int, str]:
    cost = to_wire(rules.rounded(row.micro, currency or "XXX"))
    return row.messages, row.unique, row.followup, row.refunded, cost


async def _forecast(
    tx: Tx, account: Account, found: tuple[Subscription, Term] | None
) -> responses.Forecast | None:
    now = account.now(tx.now)
    partnership = await find_partnership(tx, account)
    if partnership is not None:
        accounts = [partnership.partner.id, *await find_belonging(tx, partnership.partner.id)]
        recent, days = await _load_recent(tx, accounts, now, partnership.partner.created_at)
        return _forecast_capacity(partnership, _net(recent, ChargeKind.CAPACITY), days, now)
    if found is None or found[0].state(now) is not SubscriptionState.ACTIVE:
        return None
    subscription, term = found
    recent, days = await _load_recent(tx, [account.id], now, subscription.starts_at)
    if subscription.is_metered:
        return _forecast_credit(subscription, term, recent, days, now)
    renews_at = rules.span_at(subscription, now).ends_at
    unique, followup = (
        _outlook(term.left(kind), _net(recent, kind), days, now, renews_at)
        for kind in (ChargeKind.UNIQUE, ChargeKind.FOLLOWUP)
    )
    return responses.Forecast(based_on_days=days, unique=unique, followup=followup)


async def _load_recent(
    tx: Tx, account_ids: Sequence[UUID], now: datetime, since: datetime
) -> tuple[list[DayUse], int]:
    today = now.date()
    days = trends.basis(today, since.date())
    first = today - timedelta(days=days - 1)
    return await charge_store.load_days(tx, account_ids, first, today), days


def _net(recent: Sequence[DayUse], kind: ChargeKind) -> int:
    return sum(use.charged - use.refunded for use in recent if use.kind is kind)


def _outlook(
    left: int, net: int, days: int, now: datetime, renews_at: datetime | None
) -> responses.Outlook:
    exhausted_at = trends.exhausted_at(left, net / days, now, renews_at)
    return responses.Outlook(round(net / days, 2), left, times.to_wire_or_none(exhausted_at))


def _forecast_capacity(
    partnership: Partnership, net: int, days: int, now: datetime
) -> responses.Forecast:
    capacity = partnership.capacity
    outlook = _outlook(capacity.remaining, net, days, now, capacity.expires_at)
    return responses.Forecast(based_on_days=days, capacity=outlook)


def _forecast_credit(
    subscription: Subscription, term: Term, recent: Sequence[DayUse], days: int, now: datetime
) -> responses.Forecast:
    available = rules.available(subscription, term)
    if available is None:
        return responses.Forecast(based_on_days=days)
    micro = sum(use.micro for use in recent) // days
    left = available.minor * rules.MICRO_PER_MINOR
    renews_at = rules.span_at(subscription, now).ends_at
    credit = responses.CreditOutlook(
        per_day=to_wire(rules.rounded(micro, subscription.currency)),
        available=to_wire(available),
        exhausted_at=times.to_wire_or_none(trends.exhausted_at(left, micro, now, renews_at)),
    )
    return responses.Forecast(based_on_days=days, credit=credit)
