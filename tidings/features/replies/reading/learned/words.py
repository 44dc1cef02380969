"""Which words of a reply speak most for an answer, by the weights. Pure."""

from collections.abc import Sequence

from ..tokens import Clause
from .features import features_of_words
from .weights import Model

WORDS_MAX = 4  # in a row
ALONE = 0.1  # how much more a further word has to say


def find_words(clauses: Sequence[Clause], model: Model, *, yes: bool) -> tuple[int, int] | None:
    """The few words in a row that speak most for it, by their places in the whole reply."""
    best, bounds = 0.0, None
    start = 0
    for clause in clauses:
        words = [token.text for token in clause.tokens]
        for first in range(len(words)):
            for size in range(1, min(WORDS_MAX, len(words) - first) + 1):
                scores = model.bare_scores(features_of_words(words[first : first + size]))
                says = scores.yes - scores.no if yes else scores.no - scores.yes
                says *= 1 - ALONE * (size - 1)
                if says > best:
                    best, bounds = says, (start + first, start + first + size)
        start += len(words)
    return bounds
