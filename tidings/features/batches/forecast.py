"""Estimate when the messages of a batch will be sent at the latest (`estimatedCompletionAt`, 2.4).

Simulates everything that waits: schedules, the account's send window and quotas, and the queues of
its numbers. Only half of a number's rate is assumed, because single messages and passcodes go
first. A minute is added as a margin. The estimate is None if it depends on an operator, who has to
unpause the account or repair the number. Pure.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from uuid import UUID

from tidings.features.accounts.model import Account
from tidings.features.accounts.send_window import next_open
from tidings.features.messages.model import Message, Status
from tidings.features.senders.capacity import Capacity
from tidings.features.senders.model import Number

Timestamps = dict[UUID, datetime | None]  # by message

RATE_DIVISOR = 2  # only this fraction of the rate is assumed to be available
MARGIN = timedelta(minutes=1)
RESERVATIONS_MAX = 5  # quota reservations that a message may miss, one after another


@dataclass(frozen=True)
class ForecastInputs:
    """The state after a batch was decided. The simulation consumes `capacity`: save it before."""

    account: Account
    numbers: Mapping[str, Number]
    capacity: Capacity
    now: datetime

    @cached_property
    def sending(self) -> frozenset[str]:
        """The numbers that may send."""
        if not self.account.may_send:
            return frozenset()
        return frozenset(name for name, number in self.numbers.items() if number.may_send)


def needs_simulation(inputs: ForecastInputs, messages: Iterable[Message]) -> bool:
    """Whether other waiting messages may go before these: not if each has a planned slot."""
    if inputs.account.send_window is not None:
        return True
    return any(message.status is not Status.QUEUED for message in messages)


def estimate_planned(inputs: ForecastInputs, messages: Iterable[Message]) -> Timestamps:
    """Estimates without a simulation: every message has a planned slot, and no send window."""
    return {
        message.id: _planned(inputs, message) + MARGIN if message.number in inputs.sending else None
        for message in messages
    }


def estimates(
    inputs: ForecastInputs,
    messages: Sequence[Message],
    others: Sequence[Message] = (),
    *,
    weight: float = 1.0,
) -> Timestamps:
    """When each of `messages` will be sent. `others` also wait; each one represents `weight`."""
    mine = {message.id for message in messages}
    checks = [(_checked_at(inputs, message), message) for message in [*others, *messages]]
    dated = [(at, message) for at, message in checks if at is not None]
    dated.sort(key=lambda pair: pair[0])
    starts = [(_start(inputs, at, message), message) for at, message in dated]
    known = [(start, message) for start, message in starts if start is not None]
    queues = {number: _NumberQueue.after_planned(inputs, number) for number in inputs.numbers}
    found: Timestamps = dict.fromkeys(mine, None)
    for start, message in sorted(known, key=lambda pair: pair[0]):
        slot = start
        if not _has_slot(inputs, message, start):
            slot = queues[message.number or ""].take(inputs, start, weight)
        if message.id in mine:
            found[message.id] = slot + MARGIN
    return found


@dataclass(slots=True)
class _NumberQueue:
    """The send slots of a number, at the assumed rate."""

    free_at: datetime
    step: timedelta

    @classmethod
    def after_planned(cls, inputs: ForecastInputs, number: str) -> "_NumberQueue":
        """Starts after all planned slots."""
        limiter = inputs.capacity.limiters[inputs.account.id, number]
        step = timedelta(seconds=100) / (limiter.per_second * limiter.general_percent)
        planned = max(limiter.planned_until or inputs.now, inputs.now)
        return cls(_slowed(inputs, planned), RATE_DIVISOR * step)

    def take(self, inputs: ForecastInputs, start: datetime, weight: float) -> datetime:
        slot = _next_open(inputs, max(start, self.free_at))
        self.free_at = slot + weight * self.step
        return slot


def _checked_at(inputs: ForecastInputs, message: Message) -> datetime | None:
    """When it is processed next within the send window."""
    if message.number not in inputs.sending:
        return None
    known = _known(inputs, message)
    return None if known is None else _next_open(inputs, known)


def _known(inputs: ForecastInputs, message: Message) -> datetime | None:
    return {
        Status.QUEUED: _planned(inputs, message),
        Status.SCHEDULED: message.scheduled_for,
        Status.DEFERRED: message.retry_at,
    }[message.status]


def _start(inputs: ForecastInputs, at: datetime, message: Message) -> datetime | None:
    """When its quota is available, so that it only waits for a slot of its number.

    A reservation outside the send window is lost; the next one is made when the window opens.
    """
    if message.reserved_at is not None and at == _known(inputs, message):
        return at
    account, number = inputs.account, inputs.numbers[message.number or ""]
    for _ in range(RESERVATIONS_MAX):
        reservation = inputs.capacity.reserve_quota(
            account, number, message.recipient, at, counted=True
        )
        if reservation.at is None:
            return None
        at = _next_open(inputs, reservation.at)
        if at == reservation.at:
            break
    return at


def _has_slot(inputs: ForecastInputs, message: Message, start: datetime) -> bool:
    """Whether it has a planned slot within the send window."""
    return message.status is Status.QUEUED and start == _planned(inputs, message)


def _planned(inputs: ForecastInputs, message: Message) -> datetime:
    return _slowed(inputs, message.planned_at or inputs.now)


def _slowed(inputs: ForecastInputs, planned: datetime) -> datetime:
    return inputs.now + RATE_DIVISOR * (planned - inputs.now)


def _next_open(inputs: ForecastInputs, at: datetime) -> datetime:
    window = inputs.account.send_window
    return at if window is None else next_open(window, at)
