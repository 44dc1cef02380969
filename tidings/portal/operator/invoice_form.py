"""The form of a new invoice: its texts become lines, a currency, a VAT rate and a due date."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from tidings import money
from tidings.features.billing.invoices.model import LineItem
from tidings.portal.form import Form
from tidings.portal.visit import Visit

LINES = 3  # that the form has room for
DAYS_MAX = 3650
QUANTITY_MAX = 1_000_000_000
TEXT_CHARS_MAX = 200
ID_CHARS_MAX = 64
KIND, CURRENCY, DAYS = "PACKAGE", "ILS", "30"


@dataclass(frozen=True, slots=True)
class NewInvoice:
    number: str  # empty: the next one
    kind: str
    lines: list[LineItem]
    currency: str
    vat_pct: Decimal
    due_at: datetime


def read(visit: Visit, now: datetime) -> NewInvoice | None:
    """None: something is wrong, and the form says what."""
    form, _ = visit.form, visit.gettext
    currency = form["currency"].upper() or CURRENCY
    _checked(form, "currency", lambda: money.require_currency(currency))
    vat = form["vat"] or "0"
    _checked(form, "vat", lambda: money.parse_percent(vat))
    days = form["days"] or DAYS
    if not (days.isascii() and days.isdigit() and int(days[:9]) <= DAYS_MAX):
        form.error("days", _("Give a whole number of days, at most ten years."))
    for name, size in (("number", ID_CHARS_MAX), ("kind", ID_CHARS_MAX)):
        if len(form[name]) > size:
            form.error(name, _("At most %(size)s characters.", size=size))
    lines = [] if form.errors else _read_lines(visit, currency)
    if not lines and not form.errors:
        form.error("description-1", _("Say what was sold."))
    if form.errors:
        return None
    due_at = now + timedelta(days=int(days))
    kind = form["kind"] or KIND
    return NewInvoice(form["number"], kind, lines, currency, Decimal(vat), due_at)


def _read_lines(visit: Visit, currency: str) -> list[LineItem]:
    form, _, lines = visit.form, visit.gettext, []
    for index in range(1, LINES + 1):
        description, price = form[f"description-{index}"], form[f"price-{index}"]
        quantity = form[f"quantity-{index}"] or "1"
        if not description and not price:
            continue
        if not 1 <= len(description) <= TEXT_CHARS_MAX:
            form.error(f"description-{index}", _("Say what was sold."))
        is_number = quantity.isascii() and quantity.isdigit() and len(quantity) <= 10
        if not is_number or not 1 <= int(quantity) <= QUANTITY_MAX:
            form.error(f"quantity-{index}", _("Give a whole number, 1 or more."))
        _checked(form, f"price-{index}", lambda price=price: money.parse_rate(price, currency))
        if not form.errors:
            rate = money.parse_rate(price, currency)
            lines.append(LineItem(description, int(quantity), rate))
    return lines


def _checked(form: Form, name: str, parse: object) -> None:
    assert callable(parse)
    try:
        parse()
    except ValueError as reason:
        form.error(name, f'"{form[name]}" {reason}')
