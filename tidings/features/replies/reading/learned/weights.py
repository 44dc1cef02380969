"""The trained weights (reader.weights), and the scores they give a reply. Pure once loaded.

The file is a line of JSON (scales, calibration; `training` writes it) and for each head one byte
for each feature number, MIDDLE for nothing. `yes` and `no` score an answer by a sum of
weights over the root of their number, so that long replies are not surer for being long; `guests`
and `change` score each number of guests that a reply may mean, by a sum.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from math import exp, sqrt
from operator import itemgetter
from pkgutil import get_data

import msgspec

from .calibration import Calibration
from .features import in_context
from .parties import Guests, Proposed

FILE = "reader.weights"
MIDDLE = 128  # a byte that weighs nothing
HERE = "invitation"  # the context whose features stand by themselves


class Head(msgspec.Struct, frozen=True):
    """How the bytes of one head become its score."""

    scale: float
    bias: float
    buckets: int


class Header(msgspec.Struct, frozen=True):
    seen: str  # a checksum of features of the training texts: another one, and it is out of date
    heads: dict[str, Head]
    calibration: Calibration


@dataclass(frozen=True, slots=True)
class Scores:
    """How much speaks for each answer; above zero it is likelier than not."""

    yes: float
    no: float


class Model:
    def __init__(self, content: bytes) -> None:
        line, _, weights = content.partition(b"\n")
        self.header = msgspec.json.decode(line, type=Header)
        heads = self.header.heads
        ends = accumulate(head.buckets for head in heads.values())
        self._of = {
            name: weights[end - head.buckets : end]
            for (name, head), end in zip(heads.items(), ends, strict=True)
        }

    def scores(self, features: Sequence[int], context: str = HERE) -> Scores:
        found: Collection[int] = features
        if context != HERE:
            found = [*features, *in_context(features, context)]
        bare = self.bare_scores(found)
        heads = self.header.heads
        return Scores(bare.yes + heads["yes"].bias, bare.no + heads["no"].bias)

    def bare_scores(self, found: Collection[int]) -> Scores:
        """What these features say, without what is likely from the outset."""
        yes, no = _sums(found, self._of["yes"], self._of["no"])
        length = sqrt(len(found)) or 1.0
        heads = self.header.heads
        return Scores(yes / length * heads["yes"].scale, no / length * heads["no"].scale)

    def choose(self, proposed: Proposed, head: str) -> tuple[Guests, float]:
        """The likeliest of these numbers of guests, and its probability."""
        weights, scale = self._of[head], self.header.heads[head].scale
        scores = {
            guests: scale * _sums(features, weights)[0] for guests, features in proposed.items()
        }
        likeliest = max(scores, key=scores.__getitem__)
        most = scores[likeliest]
        return likeliest, 1 / sum(exp(score - most) for score in scores.values())


def _sums(features: Collection[int], *heads: bytes) -> list[int]:
    """Of the weights of these features in each head. Several are picked from bytes by one call."""
    if len(features) < 2:
        return [sum(head[feature] - MIDDLE for feature in features) for head in heads]
    pick, middle = itemgetter(*features), MIDDLE * len(features)
    return [sum(pick(head)) - middle for head in heads]


@cache
def load() -> Model:
    content = get_data(__name__, FILE)
    assert content is not None, "the loader of this package gives no data"
    return Model(content)
