"""The states of an invitation and how it changes (contract.md, "Replies"). Pure.

    open --yes--> confirmed <--changed mind--> declined <--no-- open
    open --its end passes--> expired --an answer written before the end--> confirmed, declined

The state is not stored: it follows from the answer and the time. Whether a reply is late depends on
when the guest wrote it, not on when it arrived here. Each function changes the `Invitation` it is
given and returns which event to publish and which text to send to the guest; the transaction that
locked the row saves it.
"""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Literal

import msgspec

from .model import Invitation, Unclear


class State(StrEnum):
    OPEN = "open"
    CONFIRMED = "confirmed"
    DECLINED = "declined"
    EXPIRED = "expired"


class Said(StrEnum):
    """What a guest's reply says."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"


class When(StrEnum):
    IN_TIME = "in time"
    LATE = "late"


class ReplyEvent(StrEnum):
    """The one event that a reply publishes (6.2)."""

    CONFIRMED = "guest.confirmed"
    DECLINED = "guest.declined"
    INVALID = "guest.replied_invalid"
    LATE = "guest.replied_late"
    MESSAGE = "guest.message"


SETTLED = 1.0  # the confidence of an answer that a person settled
ANSWERED = {"yes": State.CONFIRMED, "no": State.DECLINED}

# The event of a reply, by the state of its invitation when the reply arrives. An open invitation
# cannot be replied to late; an expired one can be answered in time, if the callback was slow.
REPLIES: dict[tuple[State, When, Said], ReplyEvent] = {
    **{(state, When.IN_TIME, Said.YES): ReplyEvent.CONFIRMED for state in State},
    **{(state, When.IN_TIME, Said.NO): ReplyEvent.DECLINED for state in State},
    (State.OPEN, When.IN_TIME, Said.UNCLEAR): ReplyEvent.INVALID,
    (State.CONFIRMED, When.IN_TIME, Said.UNCLEAR): ReplyEvent.MESSAGE,
    (State.DECLINED, When.IN_TIME, Said.UNCLEAR): ReplyEvent.MESSAGE,
    (State.EXPIRED, When.IN_TIME, Said.UNCLEAR): ReplyEvent.LATE,
    (State.CONFIRMED, When.LATE, Said.YES): ReplyEvent.LATE,
    (State.CONFIRMED, When.LATE, Said.NO): ReplyEvent.LATE,
    (State.CONFIRMED, When.LATE, Said.UNCLEAR): ReplyEvent.MESSAGE,
    (State.DECLINED, When.LATE, Said.YES): ReplyEvent.LATE,
    (State.DECLINED, When.LATE, Said.NO): ReplyEvent.LATE,
    (State.DECLINED, When.LATE, Said.UNCLEAR): ReplyEvent.MESSAGE,
    **{(State.EXPIRED, When.LATE, said): ReplyEvent.LATE for said in Said},
}


def state_at(answer: str | None, expires_at: datetime, now: datetime) -> State:
    if answer is not None:
        return ANSWERED[answer]
    return State.OPEN if now < expires_at else State.EXPIRED


def when_said(at: datetime, expires_at: datetime) -> When:
    return When.IN_TIME if at < expires_at else When.LATE


class Prompt(StrEnum):
    """The event's texts to guests, each sent once for an invitation."""

    INVALID_REPLY = "invalidReply"
    NUDGE = "nudge"
    EXPIRED = "expired"


class Verdict(msgspec.Struct, frozen=True):
    """The outcome of a reply."""

    event: ReplyEvent
    text: Prompt | None = None  # for the guest
    watch: bool = False  # first reply not understood: set the timers


def replied(
    invitation: Invitation,
    answer: str | None,
    guests: int | None,
    at: datetime,
    now: datetime,
) -> Verdict:
    """A reply, in any order: `at` is when the guest wrote it, `now` when it arrives."""
    state = state_at(invitation.answer, invitation.expires_at, max(at, now))
    said = Said.UNCLEAR if answer is None else Said(answer)
    event = REPLIES[state, when_said(at, invitation.expires_at), said]
    if event in (ReplyEvent.CONFIRMED, ReplyEvent.DECLINED):
        return _answered(invitation, said, guests, at, event)
    if event is ReplyEvent.INVALID:
        return _not_understood(invitation)
    if event is ReplyEvent.LATE:
        invitation.late = True
        if not _repeats(invitation, said, guests):
            return Verdict(event, _once(invitation, Prompt.EXPIRED))
    return Verdict(event)


def _repeats(invitation: Invitation, said: Said, guests: int | None) -> bool:
    """Whether a late guest only repeats the answer that counts already."""
    return said == invitation.answer and guests in (None, invitation.guests)


def share(invitation: Invitation, others: Iterable[Invitation]) -> list[Invitation]:
    """An event has one answer per guest: copy it to the guest's other invitations of the event, and
    return those. An invitation without an event shares its answer with no other.
    """
    shared = [
        other
        for other in others
        if other is not invitation
        and invitation.event_id is not None
        and (other.account_id, other.phone, other.event_id)
        == (invitation.account_id, invitation.phone, invitation.event_id)
    ]
    for other in shared:
        other.answer, other.guests = invitation.answer, invitation.guests
        other.answered_at, other.late = invitation.answered_at, invitation.late
        other.confidence = invitation.confidence
    return shared


def _answered(
    invitation: Invitation, said: Said, guests: int | None, at: datetime, event: ReplyEvent
) -> Verdict:
    if invitation.answered_at is not None and at < invitation.answered_at:
        return Verdict(ReplyEvent.MESSAGE)  # the guest has answered later since: it changes nothing
    invitation.answer = "yes" if said is Said.YES else "no"
    invitation.answered_at = at
    invitation.guests = guests if said is Said.YES else None
    invitation.late = False
    return Verdict(event)


def _not_understood(invitation: Invitation) -> Verdict:
    first = invitation.unclear is None
    return Verdict(ReplyEvent.INVALID, _once(invitation, Prompt.INVALID_REPLY), watch=first)


def defer_prompt(invitation: Invitation, verdict: Verdict) -> Verdict:
    """The guest is asked back only once a second reader has not understood the reply either."""
    if verdict.text is not Prompt.INVALID_REPLY:
        return verdict
    invitation.said_invalid = False
    return msgspec.structs.replace(verdict, text=None)


def ask_back(invitation: Invitation, now: datetime) -> Prompt | None:
    """Nobody has understood the reply: the text that `defer_prompt` held back, once."""
    state = state_at(invitation.answer, invitation.expires_at, now)
    return _once(invitation, Prompt.INVALID_REPLY) if state is State.OPEN else None


def remember_reply(
    invitation: Invitation, event: ReplyEvent, text: str | None, confidence: float, at: datetime
) -> None:
    """Store the words of the last reply, and how sure its answer was understood."""
    if invitation.replied_at is None or at >= invitation.replied_at:
        invitation.reply_text, invitation.replied_at = text, at
    if event in (ReplyEvent.CONFIRMED, ReplyEvent.DECLINED):
        invitation.confidence = confidence
    elif event is ReplyEvent.INVALID:
        invitation.confidence = 0.0


def settle(
    invitation: Invitation, answer: Literal["yes", "no"], guests: int | None, now: datetime
) -> bool:
    """A person decides what the guest meant, also after the end. False: it is decided already."""
    decided = (invitation.answer, invitation.guests, invitation.confidence)
    if decided == (answer, guests, SETTLED):
        return False
    invitation.answer, invitation.guests, invitation.confidence = answer, guests, SETTLED
    # The account's clock only moves forward; a guest's own may be ahead of it.
    invitation.answered_at = max(now, invitation.answered_at or now)
    invitation.late = False
    return True


def remember_unclear(invitation: Invitation, unclear: Unclear) -> None:
    """Store the reply for guest.unresolved, and the conversation for the nudge."""
    invitation.unclear = unclear


def nudge(invitation: Invitation, now: datetime) -> Prompt | None:
    """No reply understood after a while: nudge the guest, once."""
    state = state_at(invitation.answer, invitation.expires_at, now)
    return _once(invitation, Prompt.NUDGE) if state is State.OPEN else None


def expired(invitation: Invitation, now: datetime) -> bool:
    """The invitation has ended. True: publish guest.unresolved, once."""
    state = state_at(invitation.answer, invitation.expires_at, now)
    if state is not State.EXPIRED or invitation.unclear is None or invitation.unresolved:
        return False
    invitation.unresolved = True
    return True


_SAID = {
    Prompt.INVALID_REPLY: "said_invalid",
    Prompt.NUDGE: "said_nudge",
    Prompt.EXPIRED: "said_expired",
}


def _once(invitation: Invitation, text: Prompt) -> Prompt | None:
    """The text, unless the guest has had it: two bots answering each other would never stop."""
    if invitation.event_id is None or getattr(invitation, _SAID[text]):
        return None
    setattr(invitation, _SAID[text], True)
    return text
