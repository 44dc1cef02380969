"""What the reader makes of the labelled replies and conversations, and how that is counted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tests.support.authors import Conversation, Reply
from tidings.features.replies.reading.heard import Heard, hear
from tidings.features.replies.reading.judgement import Asked
from tidings.features.replies.reading.reader import (
    Previous,
    Reading,
    read_heard,
)
from tidings.features.replies.reading.verdict import SURE_ENOUGH


@dataclass(frozen=True, slots=True)
class Read:
    """A labelled reply, what the whole reader makes of it and what the rules alone do."""

    label: Reply
    heard: Heard
    reading: Reading
    by_rules: str | None


@dataclass(frozen=True, slots=True)
class Figures:
    """Answers given and right, flips, and numbers of guests."""

    replies: int
    answers: int  # replies that are a yes or a no
    decided: int  # read as a yes or a no
    right: int
    flips: int  # a yes read as no, or the reverse
    said: int  # replies that are a yes and say how many come
    counted: int  # of these, with this number and as a yes
    read_yes: int  # of these, read as a yes
    invented: int  # a number where none is said

    @property
    def precision(self) -> float:
        return self.right / max(1, self.decided)

    @property
    def coverage(self) -> float:
        return self.right / max(1, self.answers)

    @property
    def counts(self) -> float:
        """Of the replies read as yes that say how many come, those with this number."""
        return self.counted / max(1, self.read_yes)


def read_all(labels: Iterable[Reply]) -> list[Read]:
    found = []
    for label in labels:
        heard = hear(label.text)
        rules = heard.verdict
        sure = rules.yes is not None and rules.confidence >= SURE_ENOUGH
        by_rules = ("yes" if rules.yes else "no") if sure else None
        found.append(Read(label, heard, read_heard(heard), by_rules))
    return found


def read_again(read: Iterable[Read], precision: float) -> list[Read]:
    """As for an account that asks for this precision."""
    return [replace(one, reading=read_heard(one.heard, precision=precision)) for one in read]


def measure(read: Sequence[Read]) -> Figures:
    return _figures([(one.label, one.reading.answer, one.reading.guests) for one in read])


def measure_rules(read: Sequence[Read]) -> Figures:
    return _figures([(one.label, one.by_rules, one.heard.count.guests or None) for one in read])


def _figures(pairs: Sequence[tuple[Reply, str | None, int | None]]) -> Figures:
    decided = [(label, answer) for label, answer, _ in pairs if answer is not None]
    yes = [(label, guests) for label, answer, guests in pairs if answer == label.answer == "yes"]
    said = [(label, guests) for label, guests in yes if label.guests is not None]
    return Figures(
        replies=len(pairs),
        answers=sum(label.answer is not None for label, *_ in pairs),
        decided=len(decided),
        right=sum(label.answer == answer for label, answer in decided),
        flips=sum(label.answer not in (None, answer) for label, answer in decided),
        said=sum(label.guests is not None for label, *_ in pairs),
        counted=sum(label.guests == guests for label, guests in said),
        read_yes=len(said),
        invented=sum(label.guests is None and guests is not None for label, guests in yes),
    )


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation, and what the reader took from it after each turn."""

    label: Conversation
    states: tuple[Previous, ...]

    @property
    def ends_right(self) -> bool:
        last, state = self.label.turns[-1], self.states[-1]
        return (last.answer, last.guests) == (state.answer, state.guests)

    @property
    def is_flipped(self) -> bool:
        """It ends with yes for no, or the reverse."""
        last, state = self.label.turns[-1], self.states[-1]
        return last.answer is not None and state.answer not in (None, last.answer)


def follow(conversations: Iterable[Conversation]) -> list[Talk]:
    """Each conversation read turn by turn, as the service would."""
    return [Talk(one, tuple(_states(one))) for one in conversations]


def _states(conversation: Conversation) -> Iterable[Previous]:
    state = Previous()
    for turn in conversation.turns:
        asked: Asked = "confirm" if turn.asked == "confirm" else "invitation"
        reading = read_heard(hear(turn.text), state, "nothing" if state.answer else asked)
        if reading.answer is not None:
            state = Previous(reading.answer, reading.guests)
        yield state


@dataclass(frozen=True, slots=True)
class Bucket:
    low: float
    high: float
    replies: int
    said: float  # confidence, on average
    right: float  # how often the likelier answer is right


BOUNDS = (0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.01)


def calibration(read: Iterable[Read]) -> list[Bucket]:
    """By confidence, also of answers that were withheld: how often would they have been right?"""
    seen = [
        (one.reading.confidence, one.reading.leaning == one.label.answer)
        for one in read
        if one.reading.leaning is not None
    ]
    buckets = []
    for low, high in pairwise(BOUNDS):
        inside = [(said, right) for said, right in seen if low <= said < high]
        if inside:
            said = sum(said for said, _ in inside) / len(inside)
            right = sum(right for _, right in inside) / len(inside)
            buckets.append(Bucket(low, min(high, 1.0), len(inside), said, right))
    return buckets
