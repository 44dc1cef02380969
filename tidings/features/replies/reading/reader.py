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

from .counts import Ground
from .headcount import change_by_rules, count_again, count_guests
from .heard import Heard, hear
from .judgement import Answer, Asked, Judgement, judge_first, judge_turned
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
    if not sure or heard.verdict.yes is None:
        return Reading(None, None, 0.0)
    guests = heard.count.guests or None if heard.verdict.yes else None
    return Reading(leaning, guests, heard.verdict.confidence, leaning=leaning)


def _after_yes(heard: Heard, previous: Previous, precision: float) -> Reading:
    """A number changes the party; `no` alone the answer; all else leaves both as they are."""
    by_rules = change_by_rules(heard, previous.guests)
    if by_rules is not None and by_rules.is_plain:
        change = _change(previous, by_rules.guests)
        return Reading("yes", by_rules.guests, COUNTED, change, "yes")
    turned = judge_turned(heard, "yes", precision)
    if turned.is_sure:
        return _reading(heard, turned)
    guests = previous.guests
    if turned.confidence < DOUBTED:
        guests = count_again(heard, previous.guests, by_rules)
    if guests != previous.guests:
        return Reading("yes", guests, CHANGED, _change(previous, guests), "yes")
    again = judge_first(heard, "nothing", precision)
    confidence = round(again.confidence, 3)
    if again.answer != "yes" or not again.is_sure:
        return Reading(None, None, confidence, leaning=_leaning(again))
    return Reading("yes", guests, confidence, leaning="yes")


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
        return Reading(None, alone or None, confidence, leaning=_leaning(judged))
    guests = count_guests(heard) if judged.answer == "yes" else None
    return Reading(judged.answer, guests, confidence, leaning=judged.answer)


def _leaning(judged: Judgement) -> Answer | None:
    return judged.answer if judged.confidence >= LEANS else None


def _change(previous: Previous, guests: int | None) -> int | None:
    if guests is None or previous.guests is None or guests == previous.guests:
        return None
    return guests - previous.guests
