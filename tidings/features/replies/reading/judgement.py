"""The rules' verdict and the learned one as one, with a confidence that can be trusted. Pure.

The rules alone decide what they know best: a word that is an answer in itself, a reply without
words, a language of which only plain words are known. A plain reply is what they say where the
learned scores do not speak against it; where they do, it is neither. Otherwise the scores lead, and
where the rules agree or differ changes how sure they are.
"""

from dataclasses import dataclass
from typing import Literal

from .heard import Heard, size
from .learned.weights import Scores, load
from .verdict import SURE_ENOUGH, Verdict

Answer = Literal["yes", "no"]
Asked = Literal["invitation", "confirm", "nothing"]  # before this reply
CONFIRM = "confirm"
OPPOSITE: dict[Answer, Answer] = {"yes": "no", "no": "yes"}
TORN = -2.5  # the other answer's score from which on that may be meant as well
AGREED = 0.5  # of the learned confidence in what the rules read in a plain reply


@dataclass(frozen=True, slots=True)
class Judgement:
    """The likelier answer; `is_sure`: it is right as often as the account asks for."""

    answer: Answer | None
    confidence: float
    is_sure: bool


def judge_first(heard: Heard, asked: Asked, precision: float) -> Judgement:
    """Of a guest who has not answered; `asked` is what was said to the guest last."""
    if is_for_rules(heard):
        return _by_rules(heard.verdict)
    if asked == CONFIRM:
        return _likelier(heard, load().scores(heard.features, CONFIRM), CONFIRM, precision)
    return _likelier(heard, load().scores(heard.features), heard.language, precision)


def judge_turned(heard: Heard, before: Answer, precision: float) -> Judgement:
    """Whether a guest who has answered now says the opposite."""
    turned, context = OPPOSITE[before], f"after-{before}"
    found = _by_rules(heard.verdict)
    says_so = found.is_sure and found.answer == turned
    if says_so and (_is_one_word(heard) or is_for_rules(heard)):
        return found
    if is_for_rules(heard):
        return Judgement(turned, 0.0, is_sure=False)
    scores = load().scores(heard.features, context)
    own = scores.yes if turned == "yes" else scores.no
    return _judge(heard, turned == "yes", (own, 0.0), context, precision)


def is_for_rules(heard: Heard) -> bool:
    worded = any(token.is_word for part in heard.parts for token in part.tokens)
    return heard.alone or heard.small or not worded


def _is_one_word(heard: Heard) -> bool:
    """Yes after a no: conversations seldom say it so plainly, and the scores know it less well."""
    return size(heard.parts) == 1


def _by_rules(verdict: Verdict) -> Judgement:
    sure = verdict.confidence >= SURE_ENOUGH
    return Judgement(_answer(verdict.yes), verdict.confidence, sure)


def _likelier(heard: Heard, scores: Scores, group: str, precision: float) -> Judgement:
    yes = scores.yes > scores.no
    ranked = max(scores.yes, scores.no), min(scores.yes, scores.no)
    torn = group != CONFIRM and ranked[1] > TORN
    return _judge(heard, yes, ranked, group, precision, torn=torn)


def _judge(
    heard: Heard,
    yes: bool,
    scores: tuple[float, float],
    group: str,
    precision: float,
    *,
    torn: bool = False,
) -> Judgement:
    """`scores`: of this answer and of the other. `group` names the replies that the confidence was
    measured on; `torn`: the other answer may be meant."""
    said = heard.verdict.yes if heard.verdict.confidence >= SURE_ENOUGH else None
    calibration = load().header.calibration
    confidence = calibration.curve(group).confidence(
        *scores, agrees=said is yes, differs=said is not None and said is not yes
    )
    if heard.plain and said is yes and confidence >= AGREED:
        return Judgement(_answer(yes), max(confidence, heard.verdict.confidence), is_sure=True)
    least = calibration.threshold(group, precision)
    unasked = heard.bare and group == heard.language  # asked "yes or no?", one word will do
    doubtful = torn or heard.strange or unasked or (heard.plain and said is not yes)
    return Judgement(_answer(yes), confidence, confidence >= least and not doubtful)


def _answer(yes: bool | None) -> Answer | None:
    return None if yes is None else "yes" if yes else "no"
