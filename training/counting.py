"""Weights that choose among the numbers of guests a reply may mean: the likeliest by softmax."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import minimize

from tests.support import authors, replies
from tidings.features.replies.reading.headcount import (
    change_by_rules,
    propose_again,
    propose_first,
)
from tidings.features.replies.reading.learned.parties import BUCKETS, Guests, Proposed

from .hearing import heard

CALM = 1.5  # of regularisation: larger fits less closely
ROUNDS_MAX = 60

Vector = Any  # scipy is not typed


@dataclass(frozen=True, slots=True)
class Counted:
    """A reply of a guest who says yes, or leaves a yes standing."""

    text: str
    author: str
    head: str  # guests of a first yes, change after one
    proposed: Proposed
    guests: Guests


def load() -> Iterator[Counted]:
    for language in authors.LANGUAGES:
        for author in authors.TUNING:
            for reply in authors.replies(language, [author]):
                if reply.answer == "yes":
                    yield _first(reply.text, author, reply.guests)
            for conversation in authors.conversations(language, [author]):
                yield from _turns(conversation, author)
    for each in [one for name in replies.FILES for one in replies.load_tuning(name)]:
        if each.answer == "yes":
            yield _first(each.text, "older", each.guests)


def _first(text: str, author: str, guests: Guests) -> Counted:
    return Counted(text, author, "guests", propose_first(heard(text)), guests)


def _turns(conversation: authors.Conversation, author: str) -> Iterator[Counted]:
    before: authors.Turn | None = None
    for turn in conversation.turns:
        if turn.answer == "yes" and (before is None or before.answer != "yes"):
            yield _first(turn.text, author, turn.guests)
        elif turn.answer == "yes" and before is not None:
            now, guests = heard(turn.text), before.guests
            proposed = propose_again(now, guests, change_by_rules(now, guests))
            yield Counted(turn.text, author, "change", proposed, turn.guests)
        before = turn


def fit(examples: Sequence[Counted]) -> Vector:
    """Those that no proposal is right for teach nothing."""
    taught = [each for each in examples if each.guests in each.proposed]
    rows, group, right = _matrix(taught)

    def loss(weights: Vector) -> tuple[float, Vector]:
        likely = _softmax(rows @ weights, group)
        missed = -np.log(np.maximum(likely[right], 1e-12)).sum()
        return missed + CALM / 2 * weights @ weights, rows.T @ (likely - right) + CALM * weights

    start = np.zeros(BUCKETS)
    options = {"maxiter": ROUNDS_MAX}
    return minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x


def _matrix(examples: Sequence[Counted]) -> tuple[Any, Vector, Vector]:
    """A row for each number proposed, the reply that it belongs to, and whether it is right."""
    features = [np.array(each, np.int32) for one in examples for each in one.proposed.values()]
    ends = np.cumsum([0, *map(len, features)])
    rows = sparse.csr_matrix(
        (np.ones(ends[-1], np.float32), np.concatenate(features), ends), (len(features), BUCKETS)
    )
    group = np.repeat(np.arange(len(examples)), [len(one.proposed) for one in examples])
    right = np.array([guests == one.guests for one in examples for guests in one.proposed])
    return rows, group, right


def _softmax(scores: Vector, group: Vector) -> Vector:
    most = np.full(group[-1] + 1, -np.inf)
    np.maximum.at(most, group, scores)
    odds = np.exp(scores - most[group])
    return odds / np.bincount(group, odds)[group]
