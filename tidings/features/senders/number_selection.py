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


def require_own(numbers: Sequence[Number], requested: str, field: str = "sentFrom") -> None:
    if all(number.number != requested for number in numbers):
        raise not_own(requested, field)


def not_own(requested: str, field: str) -> ApiError:
    problem = f"{field} must be one of the account's numbers, got {quote(requested)}"
    return ApiError(SenderCode.INVALID_SENDER, problem, field=field)


class Choice(msgspec.Struct, frozen=True):
    """The number that sends, and whether another one was requested. None: none can send now."""

    number: Number | None
    waits_for: str | None  # the number to wait for when none can send
    other_than_requested: bool = False


def select_number(
    numbers: Sequence[Number],
    *,
    requested: str | None,
    policy: str | None,
    known: str | None,
    can_send_now: Callable[[Number], bool] = lambda _: True,
    earliest_send: Callable[[Number], datetime] | None = None,
    may_probe: Callable[[Number], bool] = lambda _: False,
    now: datetime | None = None,
) -> Choice:
    """`numbers` in order of preference. A recipient keeps the number it was messaged from: `known`.

    The `requested` number may have been removed since: then another number sends, or with `strict`
    the message waits. `can_send_now`: whether a ready number could send at this time.
    `earliest_send`: when a number could send this message, never before `now`; the earliest is
    chosen, so that the numbers' rates add up. `may_probe`: whether a number with an open circuit
    may send a probe, if no other number can send.
    """
    if policy == "auto":
        requested = None
    preferred = _find(numbers, requested)
    if requested is not None and policy == "strict":
        if preferred is not None and not preferred.may_send:
            preferred = _half_open([preferred], may_probe)
        return Choice(preferred, requested)
    if preferred is not None and preferred.may_send and can_send_now(preferred):
        return Choice(preferred, preferred.number)
    current = _find(numbers, known)
    if current is not None and current.may_send and current is not preferred:
        return Choice(current, current.number, other_than_requested=requested is not None)
    found = _find_free(numbers, preferred, can_send_now, earliest_send, now)
    if found is not None:
        return Choice(
            found, found.number, other_than_requested=requested not in (None, found.number)
        )
    first = preferred or current or (numbers[0] if numbers else None)
    probe = _half_open(
        [one for one in (preferred, current, *numbers) if one is not None], may_probe
    )
    if probe is not None:
        return Choice(
            probe, probe.number, other_than_requested=requested not in (None, probe.number)
        )
    return Choice(None, first.number if first is not None else None)


def only_number(numbers: Sequence[Number], requested: str | None) -> Choice | None:
    """Fast path of `select_number` for the common case: a single number that may send."""
    if len(numbers) == 1 and numbers[0].may_send and requested in (None, numbers[0].number):
        return Choice(numbers[0], numbers[0].number)
    return None


def _half_open(numbers: Sequence[Number], may_probe: Callable[[Number], bool]) -> Number | None:
    """The first that could send but for its open circuit, and may be probed."""
    for number in numbers:
        if number.fault is not None and may_probe(number):
            probe = replace(number, half_open=True)
            if probe.may_send:
                return probe
    return None


def _find_free(
    numbers: Sequence[Number],
    preferred: Number | None,
    can_send_now: Callable[[Number], bool],
    earliest_send: Callable[[Number], datetime] | None,
    now: datetime | None,
) -> Number | None:
    """A ready number that can send now, the earliest first; else the one that can send first.
    Ties go to the preferred number, then to the order of preference."""
    ready = [number for number in numbers if number.ready]
    ready = ready or [number for number in numbers if number.may_send]
    ready.sort(key=lambda number: number is not preferred)
    if len(ready) > 1 and earliest_send is not None:
        times: list[datetime] = []
        for number in ready:
            at = earliest_send(number)
            if at == now and preferred is None and can_send_now(number):
                return number  # no other is earlier, so the rest need no check
            times.append(at)
        ready = [ready[n] for n in sorted(range(len(ready)), key=times.__getitem__)]
    for number in ready:
        if number is not preferred and can_send_now(number):
            return number
    return next(iter(ready), None)


def _find(numbers: Sequence[Number], requested: str | None) -> Number | None:
    if requested is None:
        return None
    return next((number for number in numbers if number.number == requested), None)
