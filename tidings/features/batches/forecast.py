"""When the messages of a batch will have gone at the latest (2.4 `estimatedCompletionAt`). Pure.

All that waits is played forward: through what it waits for, the account's hours and limits, and the
rows of its numbers. Their rate is halved, because the other half is for single messages to come and
for passcodes, which go first. A minute is added for what nobody plans for. None where nobody can
know: the message waits for a person, who unpauses the account or mends the number.
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

SHARE = 2  # of the rate, one part in so many is reckoned with
MARGIN = timedelta(minutes=1)
ASKS_MAX = 5  # places that a message may lose, one after another


@dataclass(frozen=True)
class Outlook:
    """What is known once a batch has been decided. Its capacity is drawn upon: save it before."""

    account: Account
    numbers: Mapping[str, Number]
    capacity: Capacity
    now: datetime

    @cached_property
    def sending(self) -> frozenset[str]:
        """The numbers by which a message may go at all."""
        if not self.account.may_send:
            return frozenset()
        return frozenset(name for name, number in self.numbers.items() if number.may_send)


def needs_others(outlook: Outlook, messages: Iterable[Message]) -> bool:
    """Whether what waits besides may come before these: not if each has its turn in the row."""
    if outlook.account.send_window is not None:
        return True
    return any(message.status is not Status.QUEUED for message in messages)


def in_their_turns(outlook: Outlook, messages: Iterable[Message]) -> Timestamps:
    """The same for messages that all have their turn, at any hour: nothing is to be played."""
    return {
        message.id: _planned(outlook, message) + MARGIN
        if message.number in outlook.sending
        else None
        for message in messages
    }


def estimates(
    outlook: Outlook,
    messages: Sequence[Message],
    others: Sequence[Message] = (),
    *,
    weight: float = 1.0,
) -> Timestamps:
    """When each of `messages` will have gone. `others` wait besides; each stands for `weight`."""
    mine = {message.id for message in messages}
    asking = [(_asks_at(outlook, message), message) for message in [*others, *messages]]
    asked = [(at, message) for at, message in asking if at is not None]
    asked.sort(key=lambda pair: pair[0])
    starts = [(_start(outlook, at, message), message) for at, message in asked]
    known = [(start, message) for start, message in starts if start is not None]
    rows = {number: _Row.behind(outlook, number) for number in outlook.numbers}
    found: Timestamps = dict.fromkeys(mine, None)
    for start, message in sorted(known, key=lambda pair: pair[0]):
        turn = start
        if not _has_turn(outlook, message, start):
            turn = rows[message.number or ""].take(outlook, start, weight)
        if message.id in mine:
            found[message.id] = turn + MARGIN
    return found


@dataclass(slots=True)
class _Row:
    """A number's turns, at the rate reckoned with."""

    free_at: datetime
    step: timedelta

    @classmethod
    def behind(cls, outlook: Outlook, number: str) -> "_Row":
        """Behind everything that is planned."""
        limiter = outlook.capacity.limiters[outlook.account.id, number]
        step = timedelta(seconds=100) / (limiter.per_second * limiter.general_percent)
        planned = max(limiter.planned_until or outlook.now, outlook.now)
        return cls(_slowed(outlook, planned), SHARE * step)

    def take(self, outlook: Outlook, start: datetime, weight: float) -> datetime:
        turn = _opens(outlook, max(start, self.free_at))
        self.free_at = turn + weight * self.step
        return turn


def _asks_at(outlook: Outlook, message: Message) -> datetime | None:
    """When it is looked at next at an hour when it may go."""
    if message.number not in outlook.sending:
        return None
    known = _known(outlook, message)
    return None if known is None else _opens(outlook, known)


def _known(outlook: Outlook, message: Message) -> datetime | None:
    return {
        Status.QUEUED: _planned(outlook, message),
        Status.SCHEDULED: message.scheduled_for,
        Status.DEFERRED: message.retry_at,
    }[message.status]


def _start(outlook: Outlook, at: datetime, message: Message) -> datetime | None:
    """From when on it waits for nothing but its number: the limits have a place for it.

    A place at an hour when it may not go is lost, and it asks again when it may.
    """
    if message.reserved_at is not None and at == _known(outlook, message):
        return at
    account, number = outlook.account, outlook.numbers[message.number or ""]
    for _ in range(ASKS_MAX):
        place = outlook.capacity.reserve_quota(account, number, message.recipient, at, counted=True)
        if place.at is None:
            return None
        at = _opens(outlook, place.at)
        if at == place.at:
            break
    return at


def _has_turn(outlook: Outlook, message: Message, start: datetime) -> bool:
    """Whether its turn in the row is given away already, at an hour when it may go."""
    return message.status is Status.QUEUED and start == _planned(outlook, message)


def _planned(outlook: Outlook, message: Message) -> datetime:
    return _slowed(outlook, message.planned_at or outlook.now)


def _slowed(outlook: Outlook, planned: datetime) -> datetime:
    return outlook.now + SHARE * (planned - outlook.now)


def _opens(outlook: Outlook, at: datetime) -> datetime:
    window = outlook.account.send_window
    return at if window is None else next_open(window, at)
