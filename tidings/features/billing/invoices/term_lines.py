"""The lines of a term's invoice. Pure."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from tidings import money
from tidings.money import Money, Rate

from ..model import ChargeCount, ChargeKind, Span, Subscription
from .model import LineItem

_NAMES = {ChargeKind.UNIQUE: "Unique messages", ChargeKind.FOLLOWUP: "Follow-up messages"}


def monthly(subscription: Subscription, span: Span) -> list[LineItem]:
    price = Rate(subscription.monthly_minor * 10_000, subscription.currency)
    return [LineItem(f"{subscription.package}, {_dates(span)}", 1, price)]


def usage(
    subscription: Subscription, span: Span, counts: Sequence[ChargeCount], carried_micro: int
) -> list[LineItem]:
    """A line for each kind and price; a credit line where more was refunded than charged."""
    items = [_line(subscription, span, count) for count in counts]
    if carried_micro:
        carried = Rate(carried_micro, subscription.currency)
        items.append(LineItem("Credit from the month before", 1, carried))
    return [item for item in items if item.quantity]


def _line(subscription: Subscription, span: Span, count: ChargeCount) -> LineItem:
    net = count.charged - count.refunded
    name = f"{_NAMES[count.kind]}, {_dates(span)}"
    if net >= 0:
        return LineItem(name, net, Rate(count.price_micro, subscription.currency))
    price = Rate(-count.price_micro, subscription.currency)
    return LineItem(f"Refunded: {name}", -net, price)


def is_owed(lines: Sequence[LineItem], currency: str) -> bool:
    """Whether the total is positive; no invoice is issued for zero or a credit."""
    return Money(0, currency) < money.total((line.amount for line in lines), currency)


def _dates(span: Span) -> str:
    assert span.ends_at is not None, "an invoiced term has an end"
    return f"{_day(span.starts_at)} to {_day(span.ends_at - timedelta(microseconds=1))}"


def _day(timestamp: datetime) -> str:
    return timestamp.date().isoformat()
