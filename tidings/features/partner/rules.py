"""What a partner may buy, owe and report (4.15). Pure.

The balance owed is exact to the millionth: an entry shows whole minor units, and the rounding
remainder is carried to the next top-up. So many small top-ups cost as much as one large one, the
amounts add up to the balances shown, and neither exceeds the credit limit (docs/decisions/0021).
"""

from dataclasses import dataclass, replace
from datetime import datetime

from tidings import limits, money
from tidings.errors import ApiError, Code, ErrorCode
from tidings.money import Money
from tidings.wording import counted, quote

from .model import PartnerBalance, Terms


class PartnerCode(ErrorCode):
    """The error codes of partner accounts (section 7)."""

    PARTNER_CAPACITY_EXHAUSTED = (
        402,
        "the partner's capacity is used up; request a top-up",
        "The partner adds capacity with POST /partner/topups.",
    )
    PARTNER_CAPACITY_EXPIRED = (
        402,
        "the partner agreement has ended",
        "Renew the partner agreement with the operator.",
    )
    CREDIT_LIMIT_EXCEEDED = (
        402,
        "the top-up exceeds the credit limit",
        "Ask for at most maxTopupMessages, or report a transfer that lowers the debt first.",
    )
    INVALID_QUANTITY = (
        400,
        "messages must be 1 to 10,000,000",
        "Give messages as a whole number from 1 to 10,000,000.",
    )
    REFERENCE_REQUIRED = (
        400,
        "a transfer needs a reference",
        "Give the bank's reference of the transfer.",
    )
    DUPLICATE_REFERENCE = (
        409,
        "the reference was already reported",
        "This transfer is known already; give each transfer a reference of its own.",
    )
    INVALID_AMOUNT = (
        400,
        "the amount is invalid",
        "Give a positive amount with at most two decimals.",
    )


MICRO = 10_000  # millionths in a minor unit


@dataclass(frozen=True, slots=True)
class Topup:
    """An allowed top-up, and the balance after it."""

    amount: Money
    after: PartnerBalance


def decide_topup(terms: Terms, balance: PartnerBalance, messages: int, now: datetime) -> Topup:
    """The top-up, or raise a refusal that states the largest one possible."""
    if terms.is_expired(now):
        raise ApiError(
            PartnerCode.PARTNER_CAPACITY_EXPIRED,
            "the partner agreement has ended; renew it to buy capacity",
        )
    cost_micro = balance.carried_micro + terms.rate.micro * messages
    amount = Money(_rounded(cost_micro), terms.currency)
    if _credit_micro(terms, balance) < terms.rate.micro * messages:
        raise _over_limit(terms, balance, messages, now)
    after = replace(
        apply_entry(balance, amount, messages), carried_micro=cost_micro - amount.minor * MICRO
    )
    return Topup(amount, after)


def apply_entry(balance: PartnerBalance, effect: Money, messages: int = 0) -> PartnerBalance:
    """The balance after booking an entry with this effect."""
    capacity = replace(balance.capacity, total=balance.capacity.total + messages)
    return replace(
        balance,
        capacity=capacity,
        debt=balance.debt + effect,
        entries=balance.entries + 1,
    )


def credit_available(terms: Terms, balance: PartnerBalance) -> Money:
    """The remaining credit; zero if the limit was lowered below the debt."""
    return Money(max(terms.credit_limit.minor - balance.debt.minor, 0), terms.currency)


def max_topup(terms: Terms, balance: PartnerBalance, now: datetime) -> int:
    """The largest top-up that would be accepted now."""
    if terms.is_expired(now):
        return 0
    most = limits.TOPUP_MESSAGES.high
    credit = _credit_micro(terms, balance)
    if terms.rate.micro == 0:
        return most if credit >= 0 else 0
    return min(max(credit // terms.rate.micro, 0), most)


def require_quantity(value: object) -> int:
    """`messages` of a top-up: a JSON integer, not a string or a float."""
    if value not in limits.TOPUP_MESSAGES:
        low, high = limits.TOPUP_MESSAGES
        raise ApiError(
            PartnerCode.INVALID_QUANTITY,
            f"messages must be a whole number from {low} to {high:,}{_got(value)}",
            field="messages",
        )
    assert isinstance(value, int)
    return value


def _got(value: object) -> str:
    if isinstance(value, str):
        return f", got {quote(value)}"
    return f", got {value}" if isinstance(value, int | float) else ""


def require_amount(text: str, currency: str) -> Money:
    """`amount` of a transfer, parsed from the JSON text: a float could lose cents."""
    try:
        amount = money.parse_number(text, currency)
        if amount.minor <= 0:
            raise ValueError("must be above zero")
    except ValueError as reason:
        raise ApiError(
            PartnerCode.INVALID_AMOUNT,
            f"amount {reason}; give a number above zero with at most two decimal places, "
            f"got {quote(text)}",
            field="amount",
        ) from None
    return amount


def require_reference(value: str) -> str:
    """The reference, stripped of surrounding whitespace; case is significant."""
    reference = value.strip()
    if not reference:
        raise ApiError(
            PartnerCode.REFERENCE_REQUIRED,
            "reference is empty; give the reference of the bank transfer",
            field="reference",
        )
    if len(reference) > limits.REFERENCE_CHARS_MAX or not reference.isprintable():
        raise ApiError(
            Code.VALIDATION_ERROR,
            f"reference must be printable text of at most {limits.REFERENCE_CHARS_MAX} characters, "
            f"got {quote(reference)}",
            field="reference",
        )
    return reference


def require_capacity_kept(balance: PartnerBalance, messages: int) -> None:
    """An adjustment may remove remaining capacity, not used capacity."""
    left = balance.capacity.remaining
    if messages < -left:
        raise ApiError(
            Code.VALIDATION_ERROR,
            f"messages {messages} would take back more than the {left} that are left",
            field="messages",
        )


def _credit_micro(terms: Terms, balance: PartnerBalance) -> int:
    """The remaining credit, exact to the millionth."""
    left = terms.credit_limit - balance.debt
    return left.minor * MICRO - balance.carried_micro


def _rounded(micro: int) -> int:
    """Round half up to minor units; this commutes with adding whole units."""
    return (micro + MICRO // 2) // MICRO


def _over_limit(terms: Terms, balance: PartnerBalance, messages: int, now: datetime) -> ApiError:
    requested = money.amount(terms.rate, messages)
    available, most = credit_available(terms, balance), max_topup(terms, balance, now)
    return ApiError(
        PartnerCode.CREDIT_LIMIT_EXCEEDED,
        f"{counted(messages, 'message')} {'costs' if messages == 1 else 'cost'} {requested}, and "
        f"the credit limit leaves {available}; request at most {counted(most, 'message')}, or "
        "report a transfer first",
        debt=money.to_wire(balance.debt),
        creditLimit=money.to_wire(terms.credit_limit),
        creditAvailable=money.to_wire(available),
        requestedAmount=money.to_wire(requested),
        maxTopupMessages=most,
    )
