"""What a partner may buy, owe and report (4.15). Pure.

The balance owed is exact to the millionth: an entry shows whole minor units, and what rounding left
is carried to the next top-up. So many small top-ups cost what one large one does, amounts add up
to the balances shown, and neither is ever above the credit limit (docs/decisions/0021).
"""

from dataclasses import dataclass, replace
from datetime import datetime

from tidings import limits, money
from tidings.errors import ApiError, Code, ErrorCode
from tidings.money import Money
from tidings.wording import counted, quote

from .model import Standing, Terms


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
    """A top-up that may be booked, and where the partner stands after it."""

    amount: Money
    after: Standing


def decide_topup(terms: Terms, standing: Standing, messages: int, now: datetime) -> Topup:
    """The top-up, or the refusal that says how much may be had now."""
    if terms.is_expired(now):
        raise ApiError(
            PartnerCode.PARTNER_CAPACITY_EXPIRED,
            "the partner agreement has ended; renew it to buy capacity",
        )
    cost_micro = standing.carried_micro + terms.rate.micro * messages
    amount = Money(_rounded(cost_micro), terms.currency)
    if _credit_micro(terms, standing) < terms.rate.micro * messages:
        raise _over_limit(terms, standing, messages, now)
    after = replace(
        moved(standing, amount, messages), carried_micro=cost_micro - amount.minor * MICRO
    )
    return Topup(amount, after)


def moved(standing: Standing, effect: Money, messages: int = 0) -> Standing:
    """Where the partner stands once an entry with this effect is booked."""
    capacity = replace(standing.capacity, total=standing.capacity.total + messages)
    return replace(
        standing,
        capacity=capacity,
        debt=standing.debt + effect,
        entries=standing.entries + 1,
    )


def credit_available(terms: Terms, standing: Standing) -> Money:
    """What may still be owed; nothing where the limit was lowered below the debt."""
    return Money(max(terms.credit_limit.minor - standing.debt.minor, 0), terms.currency)


def max_topup(terms: Terms, standing: Standing, now: datetime) -> int:
    """The largest top-up that would be taken now."""
    if terms.is_expired(now):
        return 0
    most = limits.TOPUP_MESSAGES.high
    credit = _credit_micro(terms, standing)
    if terms.rate.micro == 0:
        return most if credit >= 0 else 0
    return min(max(credit // terms.rate.micro, 0), most)


def require_quantity(value: object) -> int:
    """`messages` of a top-up: a JSON integer, and nothing that merely looks like one."""
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
    """`amount` of a transfer, from the very text of the number: a float has lost cents already."""
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
    """Without the spaces at its ends; otherwise as it is, case included."""
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


def require_capacity_kept(standing: Standing, messages: int) -> None:
    """An adjustment may take back what is left, not what was used."""
    left = standing.capacity.remaining
    if messages < -left:
        raise ApiError(
            Code.VALIDATION_ERROR,
            f"messages {messages} would take back more than the {left} that are left",
            field="messages",
        )


def _credit_micro(terms: Terms, standing: Standing) -> int:
    """What may still be owed, exactly."""
    left = terms.credit_limit - standing.debt
    return left.minor * MICRO - standing.carried_micro


def _rounded(micro: int) -> int:
    """To minor units, halves up: adding whole units before or after changes nothing."""
    return (micro + MICRO // 2) // MICRO


def _over_limit(terms: Terms, standing: Standing, messages: int, now: datetime) -> ApiError:
    requested = money.amount(terms.rate, messages)
    available, most = credit_available(terms, standing), max_topup(terms, standing, now)
    return ApiError(
        PartnerCode.CREDIT_LIMIT_EXCEEDED,
        f"{counted(messages, 'message')} {'costs' if messages == 1 else 'cost'} {requested}, and "
        f"the credit limit leaves {available}; request at most {counted(most, 'message')}, or "
        "report a transfer first",
        debt=money.to_wire(standing.debt),
        creditLimit=money.to_wire(terms.credit_limit),
        creditAvailable=money.to_wire(available),
        requestedAmount=money.to_wire(requested),
        maxTopupMessages=most,
    )
