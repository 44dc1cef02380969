"""Which of the account's numbers sends a message (4.1 `sentFrom`, `fromPolicy`). Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from tidings.errors import ApiError, Code

from .model import Number

POLICIES = ("prefer", "strict", "auto")


def require_policy(value: object) -> str:
    if not isinstance(value, str) or value not in POLICIES:
        problem = "fromPolicy must be one of prefer, strict, auto"
        raise ApiError(Code.INVALID_FROM_POLICY, problem, field="fromPolicy")
    return value


def require_own(numbers: Sequence[Number], asked: str, field: str = "sentFrom") -> None:
    if all(number.number != asked for number in numbers):
        raise ApiError(
            Code.INVALID_SENDER, f"{field} must be one of the account's numbers", field=field
        )


@dataclass(frozen=True, slots=True)
class Choice:
    """The number that sends, and whether another one was asked for. None: none can send now."""

    number: Number | None
    waits_for: str | None  # the number to wait for when none can send
    other_than_asked: bool = False


def decide_number(
    numbers: Sequence[Number], *, asked: str | None, policy: str | None, known: str | None
) -> Choice:
    """`known` is the number this guest has heard from before; a guest keeps its number."""
    if asked is not None:
        require_own(numbers, asked)
    policy = policy or ("prefer" if asked else "auto")
    wish = asked if policy != "auto" else None
    if policy == "strict" and wish is not None:
        only = [number for number in numbers if number.number == wish and number.ready]
        return Choice(only[0] if only else None, waits_for=wish)
    order = sorted(numbers, key=lambda n: (n.number != wish, n.number != known, n.position))
    for number in order:
        if number.ready:
            return Choice(number, number.number, wish is not None and number.number != wish)
    return Choice(None, order[0].number if order else None)
