"""What became of a message at the platform: our codes for it, and the numbers to try them with.
Pure."""

from dataclasses import dataclass
from functools import cache

from tidings.platforms import failures
from tidings.platforms.failure_table import TABLE
from tidings.platforms.failures import deferral_reason, explain
from tidings.platforms.port import Failure
from tidings.platforms.sandbox.behaviour import MAGIC, Behaviour

PERMISSION_CODES = range(200, 300)  # one meaning: shown as a range


@dataclass(frozen=True, slots=True)
class Cause:
    """One way to come to a code; a few codes have two."""

    failure: Failure
    platform_codes: tuple[int, ...]


@cache
def causes() -> dict[str, tuple[Cause, ...]]:
    """By code, in alphabetical order."""
    grouped: dict[tuple[str, str], list[Failure]] = {}
    for failure in _every_failure():
        grouped.setdefault((failure.code, failure.explanation), []).append(failure)
    found: dict[str, list[Cause]] = {}
    for same in grouped.values():
        numbers = {one.platform_code for one in same if one.platform_code is not None}
        found.setdefault(same[0].code, []).append(Cause(same[0], tuple(sorted(numbers))))
    return {code: tuple(found[code]) for code in sorted(found)}


def fate(failure: Failure) -> str:
    """What becomes of the message."""
    reason = deferral_reason(failure.kind)
    if reason is None:
        return "The message is `failed`, and what it cost is given back."
    return f"The message waits as `deferred` with the reason `{reason}`, and is tried again."


def numbers_text(cause: Cause) -> str:
    """The platform's codes in words."""
    if cause.failure.code == "PLATFORM_ERROR":
        return "any code that is not listed"
    shown = [str(code) for code in cause.platform_codes if code not in PERMISSION_CODES]
    if set(PERMISSION_CODES) <= set(cause.platform_codes):
        shown.append("200 to 299")
    return ", ".join(shown)


def magic_endings(code: str) -> list[str]:
    """Endings of sandbox numbers whose messages come to this code."""
    return [ending for ending, behaviour in MAGIC.items() if code in codes_of(behaviour)]


def codes_of(behaviour: Behaviour) -> set[str]:
    numbers = {step.code for step in behaviour.statuses if step.code is not None}
    if behaviour.refusal is not None:
        numbers.add(behaviour.refusal.code)
    return {explain(number).code for number in numbers}


def _every_failure() -> list[Failure]:
    tabled = [explain(code) for rows in TABLE.values() for code in rows]
    ours = [value for value in vars(failures).values() if isinstance(value, Failure)]
    return [*tabled, *ours, explain(-1)]
