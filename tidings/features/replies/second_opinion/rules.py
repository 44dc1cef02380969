"""Which replies a second opinion is asked about, and when it counts. Pure."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from tidings.features.accounts.model import Account
from tidings.features.events.invitation_states import ReplyEvent, When, when_said
from tidings.features.events.model import Invitation
from tidings.platforms.port import InboundMessage

from ..reading.normalise import normalise
from ..reading.reader import Reading
from ..reading.tokens import clauses
from ..reading.words import asks_to_stop
from .model import Asked, Opinion

# Nobody has measured how often a model that calls itself sure is right: what it says stays below
# what the rules may say, and below what a person settles.
CONFIDENCE_MAX = 0.9
TEXT_CHARS_MAX = 1000
WAIT_MAX = timedelta(seconds=20)  # of the guest, before the question is asked back without it


def is_worth_asking(account: Account, item: InboundMessage, event: ReplyEvent) -> bool:
    """Words of a guest who has not answered yet, and was not understood. A button is no words of
    the guest's; a number or a heart alone says nothing that a model would know better; and whoever
    may want no more messages is asked back."""
    text = item.text or ""
    return (
        account.second_opinion
        and event is ReplyEvent.INVALID
        and item.payload is None
        and len(text) <= TEXT_CHARS_MAX
        and any(character.isalpha() for character in text)
        and not asks_to_stop(clauses(normalise(text)))
    )


def is_late(asked: Asked, now: datetime) -> bool:
    """`now` is real time."""
    return now - asked.since > WAIT_MAX


def to_reading(opinion: Opinion | None, precision: float) -> Reading | None:
    """What counts of it, for an account that wants this share of its answers to be right."""
    if opinion is None or opinion.answer == "unclear" or opinion.confidence < precision:
        return None
    confidence = min(opinion.confidence, CONFIDENCE_MAX)
    if opinion.answer == "yes":
        return Reading("yes", opinion.guests, confidence)
    return Reading("no", None, confidence)


def is_overtaken(invitations: Sequence[Invitation], asked: Asked) -> bool:
    """Whether the guest has replied again, to any invitation to the event: that reply is read, or
    asked about, by itself."""
    return any(one.replied_at is not None and one.replied_at > asked.at for one in invitations)


def is_about(invitation: Invitation, asked: Asked) -> bool:
    """Whether the reply is still what was last not understood, and nobody has settled it."""
    return (
        invitation.answer is None
        and invitation.unclear is not None
        and invitation.unclear.data["replyId"] == asked.reply_id
        and when_said(asked.at, invitation.expires_at) is When.IN_TIME
    )


def text_of(invitation: Invitation) -> str | None:
    """None: it was erased."""
    text = None if invitation.unclear is None else invitation.unclear.data["text"]
    return text if isinstance(text, str) else None
