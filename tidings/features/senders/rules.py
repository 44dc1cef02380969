"""Which of the account's numbers sends a message (4.1 `sentFrom`, `fromPolicy`). Pure."""

from collections.abc import Collection, Sequence
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
    free: Collection[str] | None = None,
) -> Choice:
    """`known`: the number this guest has heard from; a guest keeps its number.

    `free`: the numbers that could send at this moment (None: all that are ready).
    """
    if asked is not None:
        require_own(numbers, asked)
    policy = policy or ("prefer" if asked else "auto")
    wish = asked if policy != "auto" else None
    ready = {number.number: number for number in numbers if number.ready}
    able = ready.keys() if free is None else ready.keys() & set(free)
    if wish is not None and (policy == "strict" or wish in able):
        return Choice(ready.get(wish), waits_for=wish)
    if known in ready and known != wish:
        return Choice(ready[known], known, wish is not None)
    order = sorted(
        ready.values(), key=lambda n: (n.number not in able, n.number != wish, n.position)
    )
    if order:
        return Choice(order[0], order[0].number, wish is not None and order[0].number != wish)
    return Choice(None, _first_choice(numbers, wish, known))


def _first_choice(numbers: Sequence[Number], wish: str | None, known: str | None) -> str | None:
    """The number a message waits for when none is ready."""
    order = sorted(numbers, key=lambda n: (n.number != wish, n.number != known, n.position))
    return order[0].number if order else None
