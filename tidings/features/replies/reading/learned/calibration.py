"""From scores to the probability that an answer is right, for each language. Pure.

Fitted on replies of authors that the scores were not trained on (`training`), so that among the
answers given with confidence 0.9 about nine in ten are right.
"""

from itertools import pairwise
from math import exp

import msgspec

OTHERS = "others"  # a language of which there are too few replies


class Curve(msgspec.Struct, frozen=True):
    """Log-odds that the likelier answer is right, from its score and the other answer's."""

    base: float
    own: float
    other: float
    agrees: float  # where the rules say the same
    differs: float  # where they say the opposite

    def confidence(self, own: float, other: float, *, agrees: bool, differs: bool) -> float:
        odds = self.base + self.own * own + self.other * other
        odds += self.agrees * agrees + self.differs * differs
        return 1 / (1 + exp(-max(-30.0, min(30.0, odds))))


class Calibration(msgspec.Struct, frozen=True):
    """By language. `thresholds`: (precision, the confidence from which on it was reached)."""

    curves: dict[str, Curve]
    thresholds: dict[str, list[tuple[float, float]]]

    def curve(self, language: str) -> Curve:
        return self.curves.get(language) or self.curves[OTHERS]

    def threshold(self, language: str, precision: float) -> float:
        """The confidence from which on an answer is given, between the precisions measured."""
        steps = self.thresholds.get(language) or self.thresholds[OTHERS]
        for (low, at_low), (high, at_high) in pairwise(steps):
            if precision <= high:
                share = max(0.0, precision - low) / (high - low)
                return at_low + share * (at_high - at_low)
        return steps[-1][1]
