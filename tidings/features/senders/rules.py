"""Which of the account's numbers sends a message (4.1 `sentFrom`, `fromPolicy`). Pure."""

from collections.abc import Callable, Sequence
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
    numbers: Sequence[Number],
    *,
    asked: str | None,
    policy: str | None,
    known: str | None,
    is_free: Callable[[Number], bool] = lambda _: True,
) -> Choice:
    """`numbers` in their order of preference. A guest keeps the number it has heard from: `known`.

    `is_free`: whether a number that is ready could send at this very moment.
    """
    if asked is not None:
        require_own(numbers, asked)
    policy = policy or ("prefer" if asked else "auto")
    wish = _find(numbers, asked) if policy != "auto" else None
    if wish is not None and policy == "strict":
        return Choice(wish if wish.ready else None, wish.number)
    if wish is not None and wish.ready and is_free(wish):
        return Choice(wish, wish.number)
    keeps = _find(numbers, known)
    if keeps is not None and keeps.ready and keeps is not wish:
        return Choice(keeps, keeps.number, other_than_asked=wish is not None)
    return _decide_other(numbers, wish, keeps, is_free)


def _decide_other(
    numbers: Sequence[Number],
    wish: Number | None,
    keeps: Number | None,
    is_free: Callable[[Number], bool],
) -> Choice:
    """The first that is free; else one to wait for: the wish, the known one, the first."""
    ready = [number for number in numbers if number.ready]
    for number in ready:
        if number is not wish and is_free(number):
            return Choice(number, number.number, other_than_asked=wish is not None)
    if ready:
        waits = wish if wish is not None and wish.ready else ready[0]
        return Choice(waits, waits.number, wish is not None and waits is not wish)
    first = wish or keeps or (numbers[0] if numbers else None)
    return Choice(None, first.number if first is not None else None)


def _find(numbers: Sequence[Number], wanted: str | None) -> Number | None:
    if wanted is None:
        return None
    return next((number for number in numbers if number.number == wanted), None)
