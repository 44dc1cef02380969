"""An invoice's sums, its status in time, and what the file of `tidings apply` says of it."""

from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.names import named
from tidings.features.billing.invoices.issue import draft
from tidings.features.billing.invoices.model import Invoice, InvoiceStatus, LineItem
from tidings.features.billing.invoices.responses import with_lines
from tidings.money import Rate

NOW = datetime(2026, 3, 1, tzinfo=UTC)
CENT = Decimal("0.01")


def line(quantity: int, micro: int) -> LineItem:
    return LineItem("Messages", quantity, Rate(micro, "ILS"))


def made(lines: list[LineItem], *, vat_pct: Decimal | int = 18, due_in: int = 1) -> Invoice:
    return draft(
        kind="USAGE",
        lines=lines,
        currency="ILS",
        vat_pct=vat_pct,
        issued_at=NOW - timedelta(days=30),
        due_at=NOW + timedelta(days=due_in),
        number="2026-0001",
        now=NOW,
    )


@given(
    st.lists(st.builds(line, st.integers(0, 10**7), st.integers(0, 10**8)), min_size=1, max_size=8),
    st.decimals(0, 100, places=2),
)
def test_sums_are_what_an_accountant_works_out_by_hand(lines: list[LineItem], pct: Decimal) -> None:
    shown = with_lines(made(lines, vat_pct=pct), lines, NOW)
    amounts = [
        (Decimal(one.unit_price.micro) / 1_000_000 * one.quantity).quantize(CENT, ROUND_HALF_UP)
        for one in lines
    ]
    assert [Decimal(one.amount) for one in shown.lines] == amounts
    assert Decimal(shown.subtotal) == sum(amounts)
    vat = (sum(amounts, Decimal(0)) * pct / 100).quantize(CENT, ROUND_HALF_UP)
    assert Decimal(shown.vat_amount) == vat
    assert Decimal(shown.total) == sum(amounts) + vat
    assert Decimal(str(shown.vat_pct)) == pct


def test_vat_is_rounded_once_and_not_line_by_line() -> None:
    thirds = [line(1, 30_000)] * 3  # 0.03 each: VAT of 0.0054 a line would vanish three times
    totals = made(thirds).totals
    assert (totals.subtotal.minor, totals.vat.minor, totals.total.minor) == (9, 2, 11)


@pytest.mark.parametrize("pct", [1800, Decimal("18.001"), -1, Decimal("NaN")], ids=named)
def test_a_percentage_that_is_none_is_a_bug(pct: Decimal | int) -> None:
    with pytest.raises(ValueError):
        made([line(1, 1)], vat_pct=pct)


def test_it_is_overdue_from_its_due_time_on() -> None:
    invoice = made([line(1, 1)], due_in=1)
    due = invoice.due_at
    assert invoice.status_at(due - timedelta(microseconds=1)) is InvoiceStatus.OPEN
    assert invoice.status_at(due) is InvoiceStatus.OVERDUE
    assert made([line(1, 1)], due_in=0).status is InvoiceStatus.OVERDUE


@pytest.mark.parametrize("status", [InvoiceStatus.PAID, InvoiceStatus.VOID])
def test_what_is_paid_or_void_is_never_overdue(status: InvoiceStatus) -> None:
    from dataclasses import replace

    ended = replace(made([line(1, 1)], due_in=-5), status=status)
    assert ended.status_at(NOW) is status
