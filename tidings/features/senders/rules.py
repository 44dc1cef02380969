"""Which of the account's numbers sends a message (4.1 `sentFrom`, `fromPolicy`). Pure."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

import msgspec

from tidings.errors import ApiError, ErrorCode
from tidings.wording import quote

from .model import Number


class SenderCode(ErrorCode):
    """The error codes of sending numbers (section 7)."""

    INVALID_FROM_POLICY = (
        400,
        "fromPolicy is not one of prefer, strict, auto",
        "Use prefer, strict or auto, or leave the field out.",
    )
    INVALID_SENDER = (
        400,
        "the number is not one of the account's",
        "Use one of the numbers that GET /sender/health lists.",
    )


POLICIES = ("prefer", "strict", "auto")


def require_policy(value: object) -> str:
    if not isinstance(value, str) or value not in POLICIES:
        got = quote(value) if isinstance(value, str) else "no string"
        problem = f"fromPolicy must be one of prefer, strict, auto, got {got}"
        raise ApiError(SenderCode.INVALID_FROM_POLICY, problem, field="fromPolicy")
    return value


def require_own(numbers: Sequence[Number], asked: str, field: str = "sentFrom") -> None:
    if all(number.number != asked for number in numbers):
        raise not_own(asked, field)


def not_own(asked: str, field: str) -> ApiError:
    problem = f"{field} must be one of the account's numbers, got {quote(asked)}"
    return ApiError(SenderCode.INVALID_SENDER, problem, field=field)


class Choice(msgspec.Struct, frozen=True):
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
    turn_of: Callable[[Number], datetime] | None = None,
    may_try: Callable[[Number], bool] = lambda _: False,
    now: datetime | None = None,
) -> Choice:
    """`numbers` in their order of preference. A guest keeps the number it has heard from: `known`.

    `asked` may be gone by the time a message's turn comes: then another stands in, or with strict
    it waits. `is_free`: whether a number that is ready could send at this very time. `turn_of`:
    when its turn would come there, never before `now`; the earliest is chosen, so that rates add
    up. `may_try`: whether one that the platform refused may try again, where no other can send.
    """
    if policy == "auto":
        asked = None
    wish = _find(numbers, asked)
    if asked is not None and policy == "strict":
        if wish is not None and not wish.may_send:
            wish = _on_trial([wish], may_try)
        return Choice(wish, asked)
    if wish is not None and wish.may_send and is_free(wish):
        return Choice(wish, wish.number)
    keeps = _find(numbers, known)
    if keeps is not None and keeps.may_send and keeps is not wish:
        return Choice(keeps, keeps.number, other_than_asked=asked is not None)
    found = _find_free(numbers, wish, is_free, turn_of, now)
    if found is not None:
        return Choice(found, found.number, other_than_asked=asked not in (None, found.number))
    first = wish or keeps or (numbers[0] if numbers else None)
    trial = _on_trial([one for one in (wish, keeps, *numbers) if one is not None], may_try)
    if trial is not None:
        return Choice(trial, trial.number, other_than_asked=asked not in (None, trial.number))
    return Choice(None, first.number if first is not None else None)


def only_number(numbers: Sequence[Number], asked: str | None) -> Choice | None:
    """As it mostly is: one number, ready, and nothing to choose. `decide_number` says the same."""
    if len(numbers) == 1 and numbers[0].may_send and asked in (None, numbers[0].number):
        return Choice(numbers[0], numbers[0].number)
    return None


def _on_trial(numbers: Sequence[Number], may_try: Callable[[Number], bool]) -> Number | None:
    """The first that would be ready, but for a fault that may be mended."""
    for number in numbers:
        if number.fault is not None and may_try(number):
            trial = replace(number, on_trial=True)
            if trial.may_send:
                return trial
    return None


def _find_free(
    numbers: Sequence[Number],
    wish: Number | None,
    is_free: Callable[[Number], bool],
    turn_of: Callable[[Number], datetime] | None,
    now: datetime | None,
) -> Number | None:
    """One that is ready and free, the earliest turn first; else the one whose turn comes first.
    Of equal turns the wish decides, then the order of preference."""
    ready = [number for number in numbers if number.ready]
    ready = ready or [number for number in numbers if number.may_send]
    ready.sort(key=lambda number: number is not wish)
    if len(ready) > 1 and turn_of is not None:
        if wish is None and (idle := _find_idle(ready, is_free, turn_of, now)) is not None:
            return idle
        ready.sort(key=turn_of)
    for number in ready:
        if number is not wish and is_free(number):
            return number
    return next(iter(ready), None)


def _find_idle(
    ready: Sequence[Number],
    is_free: Callable[[Number], bool],
    turn_of: Callable[[Number], datetime],
    now: datetime | None,
) -> Number | None:
    """The first whose turn is now: no other's comes earlier, so the rest need not be asked."""
    idle = next((number for number in ready if turn_of(number) == now), None)
    return idle if idle is not None and is_free(idle) else None


def _find(numbers: Sequence[Number], wanted: str | None) -> Number | None:
    if wanted is None:
        return None
    return next((number for number in numbers if number.number == wanted), None)
