"""How sure the scores are: curves and thresholds from predictions on authors left out of a fit."""

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat

import numpy as np
from sklearn.linear_model import LogisticRegression

from tests.support.authors import LANGUAGES
from tidings.features.replies.reading.judgement import is_for_rules
from tidings.features.replies.reading.learned.calibration import OTHERS, Calibration, Curve
from tidings.features.replies.reading.learned.weights import HERE
from tidings.features.replies.reading.verdict import SURE_ENOUGH

from .examples import Example
from .fitting import HEADS, Matrix, Vector, fit

# Those who wrote of everything and say it; the others wrote what is hard, or in hints and irony.
BROAD = frozenset([*"abjklopqrstuvxyz", "aa", "ab", "ae", "ag", "ah"])
FOLDS = 12  # of two or three authors each: the weights judged are nearly those of all authors
TURNED = {"after-yes": "no", "after-no": "yes"}
PRECISIONS = (0.9, 0.95, 0.97, 0.98, 0.99, 0.995, 0.999)
CALM = 1.0  # the inverse of regularisation of a curve
OUTRIGHT = 0.9999


@dataclass(frozen=True, slots=True)
class Judged:
    """A prediction on an author who was left out."""

    example: Example
    yes: float
    no: float

    @property
    def answer(self) -> str:
        """After a yes only a no is new, and the reverse: the other head was not taught there."""
        if self.example.context in TURNED:
            return TURNED[self.example.context]
        return "yes" if self.yes > self.no else "no"

    @property
    def is_right(self) -> bool:
        return self.answer == self.example.answer

    @property
    def seen(self) -> list[float]:
        """What a curve goes by."""
        rules = self.example.heard.verdict
        said = None if rules.yes is None or rules.confidence < SURE_ENOUGH else rules.yes
        agrees = said is not None and said == (self.answer == "yes")
        own, other = (self.yes, self.no) if self.answer == "yes" else (self.no, self.yes)
        other = 0.0 if self.example.context in TURNED else other
        return [own, other, agrees, said is not None and not agrees]


def judge_left_out(rows: Matrix, examples: Sequence[Example]) -> list[Judged]:
    authors = sorted({each.author for each in examples})
    folds = [authors[start::FOLDS] for start in range(FOLDS)]
    with ProcessPoolExecutor(2) as pool:
        parts = pool.map(_judge_fold, repeat(rows), repeat(examples), folds)
        return [judged for part in parts for judged in part]


def _judge_fold(rows: Matrix, examples: Sequence[Example], left_out: Sequence[str]) -> list[Judged]:
    out = np.array([each.author in left_out for each in examples])
    weights = fit(rows[~out], [each for each in examples if each.author not in left_out])
    found = [rows[out] @ weights[head].of + weights[head].bias for head in HEADS]
    kept = [each for each in examples if each.author in left_out]
    return [Judged(*each) for each in zip(kept, *found, strict=True)]


def calibrate(judged: Sequence[Judged]) -> Calibration:
    """A curve for each language of first replies, and for each other context."""
    groups = dict(_groups(judged))
    curves = {name: _curve(group) for name, group in groups.items()}
    return Calibration(
        curves, {name: _thresholds(group, curves[name]) for name, group in groups.items()}
    )


def _groups(judged: Sequence[Judged]) -> Iterator[tuple[str, list[Judged]]]:
    usual = [
        one for one in judged if one.example.author in BROAD and not is_for_rules(one.example.heard)
    ]
    first = [one for one in usual if one.example.context == HERE]
    yield OTHERS, first
    for language in LANGUAGES:
        yield language, [one for one in first if one.example.heard.language == language]
    for context in sorted({one.example.context for one in usual} - {HERE}):
        group = [one for one in usual if one.example.context == context]
        yield context, group


def _shares(group: Sequence[Judged]) -> Vector:
    """Of each reply: every kind counts the same, however many the authors wrote of it."""
    kinds = Counter(one.example.kind for one in group)
    shares = np.array([1 / kinds[one.example.kind] for one in group])
    return shares / shares.mean()


def _curve(group: Sequence[Judged]) -> Curve:
    seen = np.array([one.seen for one in group], float)
    right = np.array([one.is_right for one in group])
    model = LogisticRegression(C=CALM).fit(seen, right, _shares(group))
    base, (own, other, agrees, differs) = float(model.intercept_[0]), map(float, model.coef_[0])
    return Curve(*(round(each, 4) for each in (base, own, other, agrees, differs)))


def _thresholds(group: Sequence[Judged], curve: Curve) -> list[tuple[float, float]]:
    """For each precision the lowest confidence from which on the answers reach it."""
    sure = np.array([_confidence(one, curve) for one in group])
    order = np.argsort(-sure)
    shares = _shares(group)[order]
    right: Vector = np.cumsum(shares * np.array([one.is_right for one in group])[order])
    reached = right / np.cumsum(shares)
    steps = []
    for precision in PRECISIONS:
        enough = np.flatnonzero(reached >= precision)
        at = float(sure[order][enough[-1]]) if len(enough) else OUTRIGHT
        steps.append((precision, round(max(at, steps[-1][1] if steps else 0.0), 4)))
    return steps


def _confidence(judged: Judged, curve: Curve) -> float:
    own, other, agrees, differs = judged.seen
    return curve.confidence(own, other, agrees=bool(agrees), differs=bool(differs))
