"""When a number's next message may go: so many a second, strictly spaced (section 8). Pure.

A number has one slot every 1/per_second, and remembers when the next one is free. Where the account
sends passcodes, a quarter of the slots is kept for them: its other messages have a row of slots of
three quarters the rate, passcodes one of a quarter and whatever the first leaves free before that.
Together they never exceed the rate. A third row only plans: it says when the messages of a batch
come up, without keeping their slots from a single message. docs/decisions/0013-pacing.md
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from tidings import limits

from .strain import steps_at

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
SECOND = timedelta(seconds=1) // MICROSECOND
PERCENT = 100
SPAN = PERCENT * SECOND  # microseconds, in which a rate has no fraction


@dataclass(slots=True)
class Pace:
    """The rows of slots of one number, in the account's time. `take` moves them on."""

    per_second: int
    has_passcodes: bool = False  # the account can send them, so slots are kept for them
    next_free_at: datetime | None = None  # None: never used
    otp_next_free_at: datetime | None = None
    planned_until: datetime | None = None
    trial_at: datetime | None = None  # of a number with a fault: when one message may try
    slowed: int = 0  # how often its rate was halved,
    slowed_at: datetime | None = None  # and when
    access_token: bytes | None = field(default=None, repr=False)  # sealed, as it is now
    moved: bool = False  # since it was loaded

    @property
    def general_percent(self) -> int:
        return PERCENT - (limits.SEND_OTP_SLOTS_PERCENT if self.has_passcodes else 0)


def peek(pace: Pace, now: datetime, *, passcode: bool = False) -> datetime:
    """The slot that `take` would give."""
    general = _slot(pace.next_free_at, now)
    if passcode and pace.has_passcodes:
        return min(general, _slot(pace.otp_next_free_at, now))
    return general


def take(pace: Pace, now: datetime, *, passcode: bool = False) -> datetime:
    """The next free slot from `now` on; it is then taken."""
    slot = peek(pace, now, passcode=passcode)
    pace.moved = True
    if passcode and pace.has_passcodes and slot == _slot(pace.otp_next_free_at, now):
        pace.otp_next_free_at = _after(slot, _rate(pace, limits.SEND_OTP_SLOTS_PERCENT, now))
    else:
        pace.next_free_at = _after(slot, _rate(pace, pace.general_percent, now))
    return slot


def peek_plan(pace: Pace, now: datetime) -> datetime:
    """The turn that `plan` would give."""
    free = _slot(pace.next_free_at, now)
    planned = pace.planned_until
    return free if planned is None or planned < free else planned


def plan(pace: Pace, now: datetime) -> datetime:
    """When a message of a batch comes up, behind all that has been planned. It takes no slot."""
    turn = peek_plan(pace, now)
    pace.moved = True
    pace.planned_until = _after(turn, _rate(pace, pace.general_percent, turn))
    return turn


def unplan(pace: Pace, first: datetime, last: datetime) -> None:
    """The messages planned from `first` to `last` will not go. If none is planned behind them, what
    comes next takes their turns; a gap between others' turns is left as it is."""
    behind = pace.planned_until
    if behind is not None and behind <= _after(last, _rate(pace, pace.general_percent, last)):
        pace.planned_until = first
        pace.moved = True


def _rate(pace: Pace, percent: int, at: datetime) -> int:
    """Slots in a span: the number's rate, halved for every time that it was throttled lately."""
    rate = pace.per_second * percent
    return rate if not pace.slowed else max(rate >> steps_at(pace.slowed, pace.slowed_at, at), 1)


def _slot(next_free_at: datetime | None, now: datetime) -> datetime:
    return now if next_free_at is None or next_free_at < now else next_free_at


def _after(slot: datetime, per_span: int) -> datetime:
    """One slot on, rounded so that the roundings of a long row do not add up.

    Time is divided into cells of exactly SPAN / per_span; a step is as many whole microseconds as
    the cell that the slot lies in: at 60 a second two steps of 16,667 for one of 16,666. Where a
    second has a whole number of cells, it is enough to know where in its second the slot lies.
    """
    if per_span % PERCENT == 0:
        at, span, cells = slot.microsecond, SECOND, per_span // PERCENT
    else:
        at, span, cells = (slot - EPOCH) // MICROSECOND, SPAN, per_span
    cell = at * cells // span
    begins, ends = -(-cell * span // cells), -(-(cell + 1) * span // cells)
    return slot + timedelta(0, 0, ends - begins)
