"""The page of an invoice: a PDF that opens, in two directions, whatever its words are."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from tidings.features.billing.invoices.issue import draft
from tidings.features.billing.invoices.model import Invoice, InvoiceStatus, LineItem
from tidings.features.billing.invoices.pdf import render
from tidings.money import Rate

NOW = datetime(2026, 2, 20, tzinfo=UTC)
MARKUP = '#panic() *a* $x$ @b <c> [d] "e" \\ // #let x = 1 `code` {f} \n\n= heading'
LINES = [
    LineItem("Unique messages", 18_234, Rate(200_000, "ILS")),
    LineItem("הודעות המשך (ינואר 2026)", 1200, Rate(12_500, "ILS")),
]


def invoice(
    lines: list[LineItem] = LINES, *, number: str = "2026-0007", due_in: int = 9
) -> Invoice:
    return draft(
        kind="USAGE",
        lines=lines,
        currency="ILS",
        vat_pct=Decimal(18),
        issued_at=NOW - timedelta(days=20),
        due_at=NOW + timedelta(days=due_in),
        number=number,
        now=NOW,
    )


def page(one: Invoice, lines: list[LineItem] = LINES, **more: str) -> bytes:
    words = {"customer": "אולמי הגן בע״מ", "issuer": "Tidings Ltd | 12 Harbour Street"} | more
    form = "png" if words.pop("form", "pdf") == "png" else "pdf"
    return render(one, lines, now=NOW, form=form, **words)


def test_it_is_a_pdf_and_the_same_one_every_time() -> None:
    first = page(invoice())
    assert first.startswith(b"%PDF-")
    assert b"%%EOF" in first[-32:]
    assert page(invoice()) == first


def test_every_status_has_a_page_of_its_own() -> None:
    one = invoice()
    paid = replace(one, status=InvoiceStatus.PAID, paid_at=NOW, paid_by="manual")
    void = replace(one, status=InvoiceStatus.VOID, voided_at=NOW)
    pages = {page(each, form="png") for each in (one, paid, void, invoice(due_in=-1))}
    assert len(pages) == 4


def test_words_are_only_ever_words() -> None:
    odd = [LineItem(MARKUP, 1, Rate(1, "ILS"))]
    assert page(invoice(odd, number=MARKUP), odd, customer=MARKUP, issuer=MARKUP + "||")


@pytest.mark.parametrize("words", ["הודעות המשך", "رسائل المتابعة", "Сообщения", "μηνύματα"])
def test_letters_of_other_alphabets_are_drawn(words: str) -> None:
    """A letter that no font has would be drawn as the same empty box, however it is turned."""
    drawn = [LineItem(words, 1, Rate(1, "ILS"))]
    turned = [LineItem("".join(reversed(words)), 1, Rate(1, "ILS"))]
    assert page(invoice(drawn), drawn, form="png") != page(invoice(turned), turned, form="png")


def test_a_long_invoice_runs_over_pages() -> None:
    many = LINES * 60
    assert b"/Count 5" in page(invoice(many), many)
    assert b"/Count 1" in page(invoice())
