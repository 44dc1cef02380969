"""Which invitation a reply is about, and what it says (contract.md, "Replies"). Pure."""

import re
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from uuid import UUID

from tidings import limits
from tidings.features.messages.model import REFUNDED, WAITING, Message, MessageKind
from tidings.platforms.port import InboundMessage

from .model import About, Candidate, How, Slot
from .reading.reader import Reading, read

# A reply that can be an answer. Reactions, edits and types that nobody knows are messages only.
SPEAKING = frozenset(
    {"text", "button", "interactive", "image", "video", "document", "audio", "voice", "sticker"}
)
SILENT = Reading(None, None, 0.0)
COUNT_ALONE = 0.9
SHORT_CHARS = 24
_NO_WORDS = re.compile(r"[\W_]+")
_PROMPT_ID = re.compile(r"txt_([0-9a-f]{32})_[A-Za-z]+")


def speaks(item: InboundMessage) -> bool:
    return item.type in SPEAKING and item.form is None


def read_reply(item: InboundMessage, about: About | None = None) -> Reading:
    """A button by its payload, then by its text; the default payload, which all buttons of a
    message share, says nothing. A button cannot be misspelt: what is understood is certain."""
    if item.payload is None:
        return _read(item.text or "")
    is_default = about is not None and item.payload == about.message.client_message_id
    payload = "" if is_default else _NO_WORDS.sub(" ", item.payload)
    for words in (payload, item.text):
        reading = _read(words or "")
        if reading.answer is not None:
            return Reading(reading.answer, reading.guests, 1.0)
    return SILENT


def _read(words: str) -> Reading:
    if not words:
        return SILENT
    return _read_short(words) if len(words) <= SHORT_CHARS else read(words)


# Most replies are one of a few words, and reading takes half a millisecond.
_read_short = lru_cache(maxsize=4096)(read)


def in_context(reading: Reading, standing: str | None) -> Reading:
    """By what the guest said before: after a yes, a number and nothing else, `make it 3` and
    `no, only 2 of us` are how many come. `no` alone is a changed mind."""
    if standing != "yes":
        return reading
    party = reading.party
    if party is None and reading.answer is None:
        party = reading.guests
    if party is None:
        return reading
    confidence = max(reading.confidence, COUNT_ALONE) if reading.answer == "yes" else COUNT_ALONE
    return Reading("yes", party, confidence)


def prompt_id(invitation: UUID, prompt: str) -> str:
    """The clientMessageId of a text of ours: a guest who quotes it means the invitation."""
    return f"txt_{invitation.hex}_{prompt}"


def invitation_of(message: Message) -> UUID | None:
    """The invitation that a message of ours is, or belongs to."""
    if message.kind == MessageKind.INVITATION:
        return message.id
    prompt = _PROMPT_ID.fullmatch(message.client_message_id)
    return UUID(hex=prompt[1]) if message.kind == MessageKind.PROMPT and prompt else None


def choose(
    candidates: Sequence[Candidate], about: About | None, at: datetime
) -> tuple[Candidate | None, Slot]:
    """By the reply's own word, else by words alone: the newest that waits for an answer."""
    if about is None:
        return _by_words(candidates, at)
    meant = invitation_of(about.message)
    if meant is not None:
        found = next((each for each in candidates if each.message.id == meant), None)
        slot = Slot.BUTTON if about.how is How.BUTTON else Slot.QUOTED
        return found, slot if found is not None else Slot.NONE
    # Another message of the same event, such as a reminder, asks the same question.
    event_id = about.message.event_id
    of_event = [each for each in candidates if event_id and each.invitation.event_id == event_id]
    return _by_words(of_event, at)


def _by_words(candidates: Sequence[Candidate], at: datetime) -> tuple[Candidate | None, Slot]:
    """Of those that were open when the guest wrote: the newest of an event without an answer, else
    the newest that was answered (a changed mind). None open: the newest that has ended."""
    known = [each for each in candidates if _is_known(each, at)]
    in_time = [each for each in known if at < each.invitation.expires_at]
    answered = {
        each.invitation.event_id for each in candidates if each.invitation.answer is not None
    } - {None}
    unanswered = [
        each
        for each in in_time
        if each.invitation.answer is None and each.invitation.event_id not in answered
    ]
    for among in (unanswered, in_time, known):
        if among:
            slot = Slot.ONLY_OPEN if len(among) == 1 else Slot.LATEST_OPEN
            return max(among, key=_when_sent), slot
    return None, Slot.NONE


def _is_known(candidate: Candidate, at: datetime) -> bool:
    """Whether the guest may have had it in hand when writing. The platform's clock is not ours."""
    status = candidate.message.status
    out = status not in WAITING and status not in REFUNDED
    return out and _when_sent(candidate)[0] <= at + limits.CLOCK_SKEW_MAX


def _when_sent(candidate: Candidate) -> tuple[datetime, UUID]:
    message = candidate.message
    return (message.sent_at or message.created_at, message.id)
