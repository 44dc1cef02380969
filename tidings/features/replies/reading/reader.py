"""Read a guest's reply: yes or no, and for how many (contract.md, "Replies"). Pure.

    read("כן, נהיה 4")                             yes, 4
    read("sorry, can't make it")                   no
    read("is there parking?")                      neither
    read("no, only 2 of us", Previous("yes", 4))   yes, 2

`heard` does what needs no context, `judgement` weighs the rules' verdict against the learned one,
and here the guest's previous answer and what the guest was asked decide what it means.
docs/replies.md describes how it works, docs/reading-report.md how well.
"""

from dataclasses import dataclass

from .changes import find_change
from .counts import Ground
from .heard import Heard, hear
from .judgement import Answer, Asked, Judgement, judge_first, judge_turned
from .party import GUESTS_MAX, find_party
from .verdict import SURE_ENOUGH

PRECISION = 0.99  # of the answers given, unless the account says otherwise
LEANS = 0.2  # below this confidence neither answer is the likelier one
DOUBTED = 0.5  # whether the guest still comes
CHANGED = 0.9  # people who join or drop out
COUNTED = 0.95  # a number that answers the question, or replaces another


@dataclass(frozen=True, slots=True)
class Previous:
    """What is known of the guest before this reply."""

    answer: Answer | None = None
    guests: int | None = None


UNKNOWN = Previous()


@dataclass(frozen=True, slots=True)
class Reading:
    """`confidence`: the probability that the likelier answer is right. Where that is not enough,
    `answer` is None, and `leaning` is the likelier one."""

    answer: Answer | None
    guests: int | None
    confidence: float
    change: int | None = None  # by how many more, or fewer, than the guest said before
    leaning: Answer | None = None


NOTHING = Reading(None, None, 0.0)


def read(
    text: str,
    previous: Previous = UNKNOWN,
    asked: Asked = "invitation",
    precision: float = PRECISION,
) -> Reading:
    """What a reply says. Never raises; the same text in the same context always reads the same."""
    return read_heard(hear(text), previous, asked, precision)


def read_heard(
    heard: Heard,
    previous: Previous = UNKNOWN,
    asked: Asked = "invitation",
    precision: float = PRECISION,
) -> Reading:
    """What a reply that was heard says in this context."""
    if not heard.parts:
        return NOTHING
    if previous.answer == "yes":
        return _after_yes(heard, previous, precision)
    if previous.answer == "no":
        return _after_no(heard, precision)
    counted = heard.count.guests if heard.count.ground is Ground.ALONE else None
    if asked == "confirm" and counted:
        return Reading("yes", counted, COUNTED, leaning="yes")
    return _reading(heard, judge_first(heard, asked, precision))


def read_label(heard: Heard) -> Reading:
    """What stands on a button, or what it carries: a few chosen words, or none at all. The rules
    alone know these; to what was learned, an id looks like any other reply."""
    if not heard.parts:
        return NOTHING
    sure = heard.verdict.confidence >= SURE_ENOUGH
    leaning: Answer | None = "yes" if heard.verdict.yes else "no"
    judged = Judgement(leaning, heard.verdict.confidence, sure and heard.verdict.yes is not None)
    return _reading(heard, judged)


def _after_yes(heard: Heard, previous: Previous, precision: float) -> Reading:
    """A number changes the party; `no` alone the answer; all else leaves both as they are."""
    party = find_party(heard.parts)
    if party is None and heard.count.ground is Ground.ALONE:
        party = heard.count.guests or None
    if party is not None:
        return Reading("yes", party, COUNTED, _change(previous, party), "yes")
    turned = judge_turned(heard, "yes", precision)
    if turned.is_sure:
        return _reading(heard, turned)
    changed = find_change(heard.parts, previous.guests) if turned.confidence < DOUBTED else None
    if changed is not None:
        change = _change(previous, changed.guests)
        return Reading("yes", changed.guests, CHANGED, change, "yes")
    again = _reading(heard, judge_first(heard, "nothing", precision))
    if again.answer != "yes":
        return Reading(None, None, again.confidence, leaning=again.leaning)
    guests = again.guests or previous.guests
    if (guests or 0) > GUESTS_MAX:
        return Reading(None, None, again.confidence, leaning="yes")
    return Reading("yes", guests, again.confidence, _change(previous, guests), "yes")


def _after_no(heard: Heard, precision: float) -> Reading:
    turned = judge_turned(heard, "no", precision)
    if turned.is_sure:
        return _reading(heard, turned)
    again = _reading(heard, judge_first(heard, "nothing", precision))
    if again.answer != "yes":
        return again
    return Reading(None, None, again.confidence, leaning="yes")


def _reading(heard: Heard, judged: Judgement) -> Reading:
    confidence, count = round(judged.confidence, 3), heard.count
    if judged.answer is None or not judged.is_sure:
        alone = count.guests if count.ground is Ground.ALONE else None
        leaning = judged.answer if confidence >= LEANS else None
        return Reading(None, alone or None, confidence, leaning=leaning)
    guests = count.guests or None if judged.answer == "yes" else None
    return Reading(judged.answer, guests, confidence, leaning=judged.answer)


def _change(previous: Previous, guests: int | None) -> int | None:
    if guests is None or previous.guests is None or guests == previous.guests:
        return None
    return guests - previous.guests
