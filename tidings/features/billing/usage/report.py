"""What was used day by day, and when the rest will be used up: GET /usage."""

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


async def load_usage(tx: Tx, account: Account, asked: UsagePeriod) -> responses.UsageReport:
    found = None if account.is_partner else await find_present(tx, account)
    currency = found[0].currency if found is not None else None
    uses = await charge_store.load_days(tx, [account.id], asked.first, asked.last)
    rows = trends.grouped(uses, asked.first, asked.last, by_month=asked.by_month)
    total = UsageSum()
    for use in uses:
        total.add(use)
    return responses.UsageReport(
        from_=asked.first.isoformat(),
        to=asked.last.isoformat(),
        group_by="month" if asked.by_month else "day",
        currency=currency,
        rows=[responses.UsageRow(period, *_shown(row, currency)) for period, row in rows.items()],
        totals=responses.UsageTotals(*_shown(total, currency)),
        forecast=await _forecast(tx, account, found),
    )


def _shown(row: UsageSum, currency: str | None) -> tuple[int, int, int, int, str]:
    cost = to_wire(rules.rounded(row.micro, currency or "XXX"))
    return row.messages, row.unique, row.followup, row.refunded, cost


async def _forecast(
    tx: Tx, account: Account, found: tuple[Subscription, Term] | None
) -> responses.Forecast | None:
    now = account.now(tx.now)
    partnership = await find_partnership(tx, account)
    if partnership is not None:
        accounts = [partnership.partner.id, *await find_belonging(tx, partnership.partner.id)]
        lately, days = await _lately(tx, accounts, now, partnership.partner.created_at)
        return _of_capacity(partnership, _net(lately, ChargeKind.CAPACITY), days, now)
    if found is None or found[0].state(now) is not SubscriptionState.ACTIVE:
        return None
    subscription, term = found
    lately, days = await _lately(tx, [account.id], now, subscription.starts_at)
    if subscription.is_metered:
        return _of_credit(subscription, term, lately, days, now)
    renews_at = rules.span_at(subscription, now).ends_at
    unique, followup = (
        _outlook(term.left(kind), _net(lately, kind), days, now, renews_at)
        for kind in (ChargeKind.UNIQUE, ChargeKind.FOLLOWUP)
    )
    return responses.Forecast(based_on_days=days, unique=unique, followup=followup)


async def _lately(
    tx: Tx, account_ids: Sequence[UUID], now: datetime, since: datetime
) -> tuple[list[DayUse], int]:
    today = now.date()
    days = trends.basis(today, since.date())
    first = today - timedelta(days=days - 1)
    return await charge_store.load_days(tx, account_ids, first, today), days


def _net(lately: Sequence[DayUse], kind: ChargeKind) -> int:
    return sum(use.charged - use.refunded for use in lately if use.kind is kind)


def _outlook(
    left: int, net: int, days: int, now: datetime, renews_at: datetime | None
) -> responses.Outlook:
    exhausted_at = trends.exhausted_at(left, net / days, now, renews_at)
    return responses.Outlook(round(net / days, 2), left, times.to_wire_or_none(exhausted_at))


def _of_capacity(
    partnership: Partnership, net: int, days: int, now: datetime
) -> responses.Forecast:
    held = partnership.capacity
    outlook = _outlook(held.remaining, net, days, now, held.expires_at)
    return responses.Forecast(based_on_days=days, capacity=outlook)


def _of_credit(
    subscription: Subscription, term: Term, lately: Sequence[DayUse], days: int, now: datetime
) -> responses.Forecast:
    available = rules.available(subscription, term)
    if available is None:
        return responses.Forecast(based_on_days=days)
    micro = sum(use.micro for use in lately) // days
    left = available.minor * rules.MICRO_PER_MINOR
    renews_at = rules.span_at(subscription, now).ends_at
    credit = responses.CreditOutlook(
        per_day=to_wire(rules.rounded(micro, subscription.currency)),
        available=to_wire(available),
        exhausted_at=times.to_wire_or_none(trends.exhausted_at(left, micro, now, renews_at)),
    )
    return responses.Forecast(based_on_days=days, credit=credit)
