"""The send rate of a number: evenly spaced slots, so many per second (section 8). Pure.

A number has one slot every 1/per_second and stores when the next one is free. If the account sends
passcodes, a quarter of the slots is reserved for them: other messages get a sequence of slots at
three quarters of the rate, passcodes one at a quarter, plus any earlier free slot of the first.
Together they never exceed the rate. A third sequence only plans: it estimates when the messages of
a batch will be sent, without reserving slots for them. docs/decisions/0013-pacing.md
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tidings import limits

from .number_health import halvings_at
from .quotas import EPOCH, MICROSECOND

SECOND = timedelta(seconds=1) // MICROSECOND
PERCENT = 100
SPAN = PERCENT * SECOND  # microseconds, in which a rate has no fraction


@dataclass(slots=True)
class RateLimiter:
    """The slots of one number, in the account's time. `take_slot` advances them."""

    per_second: int
    has_passcodes: bool = False  # the account can send them, so slots are reserved for them
    next_free_at: datetime | None = None  # None: never used
    otp_next_free_at: datetime | None = None
    planned_until: datetime | None = None
    half_open_at: datetime | None = None  # circuit open: when one probe message may be sent
    rate_halvings: int = 0  # how often the platform's throttling halved its rate,
    rate_halved_at: datetime | None = None  # and when it last did
    access_token: bytes | None = field(default=None, repr=False)  # sealed, as currently stored
    generation: int = 0  # of the row, when it was loaded: every write adds one
    changed: bool = False  # since then; also if only a counter that it guards has changed

    @property
    def general_percent(self) -> int:
        return PERCENT - (limits.SEND_OTP_SLOTS_PERCENT if self.has_passcodes else 0)


def next_slot(limiter: RateLimiter, now: datetime, *, passcode: bool = False) -> datetime:
    """The slot that `take_slot` would return."""
    general = _slot(limiter.next_free_at, now)
    if passcode and limiter.has_passcodes:
        return min(general, _slot(limiter.otp_next_free_at, now))
    return general


def take_slot(limiter: RateLimiter, now: datetime, *, passcode: bool = False) -> datetime:
    """Take the next free slot at or after `now`."""
    slot = next_slot(limiter, now, passcode=passcode)
    limiter.changed = True
    if passcode and limiter.has_passcodes and slot == _slot(limiter.otp_next_free_at, now):
        limiter.otp_next_free_at = _after(slot, _rate(limiter, limits.SEND_OTP_SLOTS_PERCENT, now))
    else:
        limiter.next_free_at = _after(slot, _rate(limiter, limiter.general_percent, now))
    return slot


def next_planned_slot(limiter: RateLimiter, now: datetime) -> datetime:
    """The time that `plan_slot` would return."""
    free = _slot(limiter.next_free_at, now)
    planned = limiter.planned_until
    return free if planned is None or planned < free else planned


def plan_slot(limiter: RateLimiter, now: datetime) -> datetime:
    """Estimate when a message of a batch is sent, after everything planned. It takes no slot."""
    at = next_planned_slot(limiter, now)
    limiter.changed = True
    limiter.planned_until = _after(at, _rate(limiter, limiter.general_percent, at))
    return at


def release_planned(limiter: RateLimiter, first: datetime, last: datetime) -> None:
    """The messages planned from `first` to `last` will not be sent. If nothing is planned after
    them, their time becomes available again; a gap before other planned messages stays."""
    end = limiter.planned_until
    if end is not None and end <= _after(last, _rate(limiter, limiter.general_percent, last)):
        limiter.planned_until = first
        limiter.changed = True


def _rate(limiter: RateLimiter, percent: int, at: datetime) -> int:
    """Slots per SPAN: the number's rate, halved once per recent throttling."""
    rate = limiter.per_second * percent
    return (
        rate
        if not limiter.rate_halvings
        else max(rate >> halvings_at(limiter.rate_halvings, limiter.rate_halved_at, at), 1)
    )


def _slot(next_free_at: datetime | None, now: datetime) -> datetime:
    return now if next_free_at is None or next_free_at < now else next_free_at


def _after(slot: datetime, per_span: int) -> datetime:
    """The following slot, rounded so that rounding errors do not accumulate.

    Time is divided into cells of exactly SPAN / per_span; a step is the length of the slot's cell
    in whole microseconds: at 60 per second, two steps of 16,667 for each of 16,666. If a second
    holds a whole number of cells, the position within the second is sufficient.
    """
    if per_span % PERCENT == 0:
        at, span, cells = slot.microsecond, SECOND, per_span // PERCENT
    else:
        at, span, cells = (slot - EPOCH) // MICROSECOND, SPAN, per_span
    cell = at * cells // span
    begins, ends = -(-cell * span // cells), -(-(cell + 1) * span // cells)
    return slot + timedelta(0, 0, ends - begins)
