"""The life of an invitation (contract.md, "Replies"). Pure: states in, states out.

    open --yes--> confirmed <--changed mind--> declined <--no-- open
    open --its time is over--> expired --an answer that was given in time--> confirmed, declined

The state is not kept: it follows from the answer and the time. A reply is in time or late by when
the guest wrote it, not by when we heard of it.
"""

from datetime import datetime
from enum import StrEnum


class State(StrEnum):
    OPEN = "open"
    CONFIRMED = "confirmed"
    DECLINED = "declined"
    EXPIRED = "expired"


class Said(StrEnum):
    """What a guest's reply comes to."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"


class When(StrEnum):
    IN_TIME = "in time"
    LATE = "late"


class Told(StrEnum):
    """The one event that a reply leaves (6.2)."""

    CONFIRMED = "guest.confirmed"
    DECLINED = "guest.declined"
    INVALID = "guest.replied_invalid"
    LATE = "guest.replied_late"
    MESSAGE = "guest.message"


ANSWERED = {"yes": State.CONFIRMED, "no": State.DECLINED}

# What is told of a reply, by the state of its invitation when we hear of it. An open invitation
# cannot be replied to late; an expired one can be answered in time, where the callback was slow.
REPLIES: dict[tuple[State, When, Said], Told] = {
    **{(state, When.IN_TIME, Said.YES): Told.CONFIRMED for state in State},
    **{(state, When.IN_TIME, Said.NO): Told.DECLINED for state in State},
    (State.OPEN, When.IN_TIME, Said.UNCLEAR): Told.INVALID,
    (State.CONFIRMED, When.IN_TIME, Said.UNCLEAR): Told.MESSAGE,
    (State.DECLINED, When.IN_TIME, Said.UNCLEAR): Told.MESSAGE,
    (State.EXPIRED, When.IN_TIME, Said.UNCLEAR): Told.LATE,
    (State.CONFIRMED, When.LATE, Said.YES): Told.LATE,
    (State.CONFIRMED, When.LATE, Said.NO): Told.LATE,
    (State.CONFIRMED, When.LATE, Said.UNCLEAR): Told.MESSAGE,
    (State.DECLINED, When.LATE, Said.YES): Told.LATE,
    (State.DECLINED, When.LATE, Said.NO): Told.LATE,
    (State.DECLINED, When.LATE, Said.UNCLEAR): Told.MESSAGE,
    **{(State.EXPIRED, When.LATE, said): Told.LATE for said in Said},
}


def state_at(answer: str | None, expires_at: datetime, now: datetime) -> State:
    if answer is not None:
        return ANSWERED[answer]
    return State.OPEN if now < expires_at else State.EXPIRED


def when_said(at: datetime, expires_at: datetime) -> When:
    return When.IN_TIME if at < expires_at else When.LATE
