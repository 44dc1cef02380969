"""What the invoice of a term says. Pure."""

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
    subscription: Subscription, span: Span, tallies: Sequence[ChargeCount], carried_micro: int
) -> list[LineItem]:
    """A line for each kind and price. Where more was refunded than charged, it is a credit."""
    found = [_line(subscription, span, tally) for tally in tallies]
    if carried_micro:
        carried = Rate(carried_micro, subscription.currency)
        found.append(LineItem("Credit from the month before", 1, carried))
    return [line for line in found if line.quantity]


def _line(subscription: Subscription, span: Span, tally: ChargeCount) -> LineItem:
    count = tally.charged - tally.refunded
    name = f"{_NAMES[tally.kind]}, {_dates(span)}"
    if count >= 0:
        return LineItem(name, count, Rate(tally.price_micro, subscription.currency))
    price = Rate(-tally.price_micro, subscription.currency)
    return LineItem(f"Refunded: {name}", -count, price)


def is_owed(lines: Sequence[LineItem], currency: str) -> bool:
    """Nobody is sent an invoice of nothing, or of less."""
    return Money(0, currency) < money.total((line.amount for line in lines), currency)


def _dates(span: Span) -> str:
    assert span.ends_at is not None, "a term that is invoiced ends"
    return f"{_day(span.starts_at)} to {_day(span.ends_at - timedelta(microseconds=1))}"


def _day(timestamp: datetime) -> str:
    return timestamp.date().isoformat()
