"""The trained weights (reader.weights), and the scores they give a reply. Pure once loaded.

The file is a line of JSON (scales, calibration; `training` writes it) and for each head, `yes` and
`no`, one signed byte for each feature number. A score is a sum of weights over the root of their
number, so that long replies are not surer for being long.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt
from pkgutil import get_data

import msgspec

from .calibration import Calibration
from .features import BUCKETS, in_context

FILE = "reader.weights"
HERE = "invitation"  # the context whose features stand by themselves


class Head(msgspec.Struct, frozen=True):
    """How the bytes of one answer become its score."""

    scale: float
    bias: float


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
        signed = memoryview(weights).cast("b")
        self._yes, self._no = signed[:BUCKETS], signed[BUCKETS:]

    def scores(self, features: Sequence[int], context: str = HERE) -> Scores:
        found: Iterable[int] = features
        if context != HERE:
            found = [*features, *in_context(features, context)]
        bare = self.bare_scores(found)
        heads = self.header.heads
        return Scores(bare.yes + heads["yes"].bias, bare.no + heads["no"].bias)

    def bare_scores(self, found: Iterable[int]) -> Scores:
        """What these features say, without what is likely from the outset."""
        yes_weights, no_weights = self._yes, self._no
        yes = no = count = 0
        for feature in found:
            yes += yes_weights[feature]
            no += no_weights[feature]
            count += 1
        length = sqrt(count) or 1.0
        heads = self.header.heads
        return Scores(yes / length * heads["yes"].scale, no / length * heads["no"].scale)


@cache
def load() -> Model:
    content = get_data(__name__, FILE)
    assert content is not None, "the loader of this package gives no data"
    return Model(content)
