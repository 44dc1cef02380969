"""Which invitation a reply is about, and what it says (contract.md, "Replies"). Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from uuid import UUID

from tidings import limits
from tidings.features.events.model import Event, Invitation
from tidings.features.messages.model import REFUNDED, WAITING, Message, MessageKind
from tidings.platforms.port import InboundMessage

from .model import About, Candidate, How, Slot
from .reading.heard import SILENCE, Heard, hear
from .reading.judgement import Asked
from .reading.reader import NOTHING, Previous, Reading, read_heard, read_label

# Types that can be an answer. Reactions, edits and unknown types are only published as messages.
SPEAKING = frozenset(
    {"text", "button", "interactive", "image", "video", "document", "audio", "voice", "sticker"}
)
SILENT = NOTHING
SHORT_CHARS = 24
_NO_WORDS = re.compile(r"[\W_]+")
_DIGIT = re.compile(r"\d")
_PROMPT_ID = re.compile(r"txt_([0-9a-f]{32})_[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class Spoken:
    """What a guest typed; of a button what it carries and what stands on it."""

    heard: tuple[Heard, ...]
    is_pressed: bool = False


def speaks(item: InboundMessage) -> bool:
    return item.type in SPEAKING and item.form is None


def hear_reply(item: InboundMessage, about: About | None = None) -> Spoken:
    """A button is heard by its payload, then by its text. The default payload is the same for all
    buttons of a message and is ignored."""
    if item.payload is None:
        return Spoken((_hear(item.text or ""),))
    is_default = about is not None and item.payload == about.message.client_message_id
    payload = "" if is_default else _NO_WORDS.sub(" ", item.payload)
    return Spoken((_hear(payload), _hear(item.text or "")), is_pressed=True)


def understand(spoken: Spoken, previous: Previous, asked: Asked, precision: float) -> Reading:
    """What it says in this context. A button cannot be misspelt, so its confidence is 1."""
    if not spoken.is_pressed:
        return read_heard(spoken.heard[0], previous, asked, precision)
    for heard in spoken.heard:
        label = read_label(heard)
        if label.answer is not None:
            return replace(label, confidence=1.0)
    reading = read_heard(spoken.heard[-1], previous, asked, precision)
    return replace(reading, confidence=1.0) if reading.answer is not None else SILENT


def _hear(words: str) -> Heard:
    if not words:
        return SILENCE
    return _hear_short(words) if len(words) <= SHORT_CHARS else hear(words)


# Cached: most replies are the same few words, and hearing one takes most of a millisecond.
_hear_short = lru_cache(maxsize=4096)(hear)


def asked_before(invitation: Invitation, event: Event | None) -> Asked:
    """What the guest was asked last. A text of the account with digits in it may be a choice by
    number ("1 for yes"): then a number is not the number of guests."""
    if invitation.answer is not None:
        return "nothing"
    if event is None or not (invitation.said_invalid or invitation.said_nudge):
        return "invitation"
    texts = event.settings.texts
    return "invitation" if _DIGIT.search(texts.invalid_reply + texts.nudge) else "confirm"


def prompt_id(invitation: UUID, prompt: str) -> str:
    """The clientMessageId of a prompt, from which `invitation_of` finds the quoted invitation."""
    return f"txt_{invitation.hex}_{prompt}"


def invitation_of(message: Message) -> UUID | None:
    """The invitation that our message is, or that it is a prompt of."""
    if message.kind == MessageKind.INVITATION:
        return message.id
    prompt = _PROMPT_ID.fullmatch(message.client_message_id)
    return UUID(hex=prompt[1]) if message.kind == MessageKind.PROMPT and prompt else None


def choose(
    candidates: Sequence[Candidate], about: About | None, at: datetime
) -> tuple[Candidate | None, Slot]:
    """The invitation that the reply names by button or quote; else the newest unanswered one."""
    if about is None:
        return _newest_open(candidates, at)
    named = invitation_of(about.message)
    if named is not None:
        found = next((each for each in candidates if each.message.id == named), None)
        slot = Slot.BUTTON if about.how is How.BUTTON else Slot.QUOTED
        return found, slot if found is not None else Slot.NONE
    # Another message of the same event, such as a reminder, asks the same question.
    event_id = about.message.event_id
    of_event = [each for each in candidates if event_id and each.invitation.event_id == event_id]
    return _newest_open(of_event, at)


def _newest_open(candidates: Sequence[Candidate], at: datetime) -> tuple[Candidate | None, Slot]:
    """Of the invitations open when the guest wrote: the newest whose event has no answer, else the
    newest (the guest changes an answer). If none was open: the newest that has ended."""
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
    """Whether the guest may have received it before writing; allows for clock skew."""
    status = candidate.message.status
    was_sent = status not in WAITING and status not in REFUNDED
    return was_sent and _when_sent(candidate)[0] <= at + limits.CLOCK_SKEW_MAX


def _when_sent(candidate: Candidate) -> tuple[datetime, UUID]:
    message = candidate.message
    return (message.sent_at or message.created_at, message.id)
