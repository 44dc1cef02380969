"""How an invitation changes: one function for each thing that can happen to it. Pure.

Each changes the `Invitation` it is given and says what is to be told to the customer and what text
goes to the guest. The transaction that locked the row saves it.
"""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

import msgspec

from .model import Invitation, Unclear
from .states import REPLIES, Said, State, Told, state_at, when_said


class Prompt(StrEnum):
    """The event's texts to guests, each sent once for an invitation."""

    INVALID_REPLY = "invalidReply"
    NUDGE = "nudge"
    EXPIRED = "expired"


class Verdict(msgspec.Struct, frozen=True):
    """What a reply has come to."""

    told: Told
    text: Prompt | None = None  # for the guest
    watch: bool = False  # nothing was understood for the first time: mind the nudge and the end


def replied(
    invitation: Invitation,
    answer: str | None,
    guests: int | None,
    at: datetime,
    now: datetime,
) -> Verdict:
    """A reply, in any order: `at` is when the guest wrote it, `now` when we hear of it."""
    state = state_at(invitation.answer, invitation.expires_at, max(at, now))
    said = Said.UNCLEAR if answer is None else Said(answer)
    told = REPLIES[state, when_said(at, invitation.expires_at), said]
    if told in (Told.CONFIRMED, Told.DECLINED):
        return _answered(invitation, said, guests, at, told)
    if told is Told.INVALID:
        return _not_understood(invitation)
    if told is Told.LATE:
        invitation.late = True
        if not _repeats(invitation, said, guests):
            return Verdict(told, _once(invitation, Prompt.EXPIRED))
    return Verdict(told)


def _repeats(invitation: Invitation, said: Said, guests: int | None) -> bool:
    """Whether a guest who is late only says once more what stands anyway."""
    return said == invitation.answer and guests in (None, invitation.guests)


def share(invitation: Invitation, others: Iterable[Invitation]) -> list[Invitation]:
    """An event has one answer a guest: give it to the guest's other invitations of the event, and
    return those. An invitation without an event is an event of its own.
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
    return shared


def _answered(
    invitation: Invitation, said: Said, guests: int | None, at: datetime, told: Told
) -> Verdict:
    if invitation.answered_at is not None and at < invitation.answered_at:
        return Verdict(Told.MESSAGE)  # overtaken by what the guest wrote later: it changes nothing
    invitation.answer = "yes" if said is Said.YES else "no"
    invitation.answered_at = at
    invitation.guests = guests if said is Said.YES else None
    invitation.late = False
    return Verdict(told)


def _not_understood(invitation: Invitation) -> Verdict:
    first = invitation.unclear is None
    return Verdict(Told.INVALID, _once(invitation, Prompt.INVALID_REPLY), watch=first)


def remember_unclear(invitation: Invitation, unclear: Unclear) -> None:
    """The reply that guest.unresolved will repeat, and the conversation the nudge goes to."""
    invitation.unclear = unclear


def nudge(invitation: Invitation, now: datetime) -> Prompt | None:
    """Still nothing understood after a while: the guest is nudged, once."""
    state = state_at(invitation.answer, invitation.expires_at, now)
    return _once(invitation, Prompt.NUDGE) if state is State.OPEN else None


def expired(invitation: Invitation, now: datetime) -> bool:
    """Its time is over. True: the customer hears that a reply was never understood, once."""
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
    """The text, if the guest has not had it. Two machines that answer each other would not end."""
    if invitation.event_id is None or getattr(invitation, _SAID[text]):
        return None
    setattr(invitation, _SAID[text], True)
    return text
