"""What the platform's answers say about a number: that it takes nothing from it, or too much. Pure.

A fault (contract.md: the account's or number's own) stops the number: its queue waits, and now and
then one message tries whether it is mended. Throttling halves its rate, and time gives it back step
by step. docs/decisions/0016-live-adapter.md
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tidings import limits


@dataclass(slots=True)
class Strain:
    """How a number fares, beside the platform's own word for it. Times are the account's."""

    status: str
    quality: str
    access_token: bytes | None = field(repr=False)
    fault: str | None = None  # the failure's word
    faults: int = 0  # one soon after another
    fault_at: datetime | None = None  # when it last began or ended
    trial_at: datetime | None = None  # from then on one message may try; None: at once
    slowed: int = 0
    slowed_at: datetime | None = None


def begin_fault(strain: Strain, word: str, now: datetime, *, on_trial: bool) -> None:
    """The platform refused the number itself. Of the many that were on their way, one counts."""
    if strain.fault is not None and not on_trial:
        return
    soon = strain.fault_at is not None and now - strain.fault_at < limits.FAULT_RELAPSE
    strain.faults = strain.faults + 1 if strain.fault is not None or soon else 1
    if strain.fault is None:
        strain.fault_at = now
    strain.fault = word
    strain.trial_at = now + trial_wait(strain.faults)


def end_fault(strain: Strain, now: datetime) -> None:
    if strain.fault is not None:
        strain.fault, strain.fault_at, strain.trial_at = None, now, None


def trial_wait(faults: int) -> timedelta:
    """Twice as long each time: a minute, two, four, up to an hour."""
    doublings = min(faults - 1, 10)
    return min(limits.TRIAL_WAIT_MIN * (1 << doublings), limits.TRIAL_WAIT_MAX)


def slow_down(strain: Strain, steps: int, now: datetime) -> None:
    """Once for all that were on their way together."""
    just_now = strain.slowed_at is not None and now - strain.slowed_at < limits.SLOW_STEP_MIN
    if not steps or (just_now and steps == 1):
        return
    still = steps_at(strain.slowed, strain.slowed_at, now)
    strain.slowed = min(still + steps, limits.SLOW_STEPS_MAX)
    strain.slowed_at = now


def steps_at(slowed: int, slowed_at: datetime | None, now: datetime) -> int:
    """How often the rate is halved at this time: one step is given back at a time."""
    if not slowed or slowed_at is None:
        return 0
    return max(slowed - max(now - slowed_at, timedelta(0)) // limits.SLOW_RECOVERY_STEP, 0)
