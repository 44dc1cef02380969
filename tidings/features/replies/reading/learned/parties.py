"""How many come: every number that a reply may mean, with what speaks for it. Pure.

The rules count what they have words for. Here each number in the reply, each sum of them and of the
people named is proposed, the rules' own count among them, and weights learnt from labelled replies
choose. What speaks for a number is how it was arrived at (its kinds), crossed with the words and
signs of the reply: "with", a person and nothing else speak for one more than the people named.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..counts import Count
from .numbered import number_of, number_of_word, runs_of_words
from .seen import MOST, Number, Seen

BUCKETS = 1 << 18
RUN = 3  # words or signs that are looked at together
Guests = int | None  # None: not said, or not exactly
Proposed = dict[Guests, list[int]]  # the features of each number that may be meant

_NEAR = range(1, 5)  # numbers that words alone may mean: alone, a couple
_MASK = BUCKETS - 1
_WORDS, _SIGNS = map(number_of, ("words", "signs"))


@dataclass(frozen=True, slots=True)
class Known:
    """What the guest said before: yes, for so many. `by_rules`: what the rules make of it now."""

    guests: Guests
    by_rules: Guests
    is_changed: bool  # by the rules


def propose(seen: Seen, count: Count, known: Known | None = None) -> Proposed:
    kinds: dict[Guests, list[str]] = {None: ["none"]}
    for kind, value in _kinds(seen, count):
        if 0 < value <= MOST:
            kinds.setdefault(value, []).append(kind)
    if known is not None:
        _add_known(kinds, seen, known)
    reply = _Reply("first" if known is None else "after", seen, count, _grams(seen))
    return {value: reply.features(value, each) for value, each in kinds.items()}


def _kinds(seen: Seen, count: Count) -> Iterator[tuple[str, int]]:
    """How a number is arrived at, and the number."""
    values = [each.value for each in seen.numbers]
    total, people = sum(values), seen.people
    if count.guests:
        yield f"rules{count.ground}", count.guests
    for value in values:
        yield from (("number", value), ("number+1", value + 1))
    if len(values) > 1:
        yield from (("sum", total), ("sum+1", total + 1), ("last", values[-1]))
    for one, other in pairwise(values):
        yield from (("two", one + other), ("two+1", one + other + 1))
    if people:
        yield from (("people", people), ("people+1", people + 1))
        yield from (("people+sum", people + total), ("people+sum+1", people + total + 1))
    if seen.names:
        named = people + seen.names
        yield from (("names", named), ("names+1", named + 1))
    for value in _NEAR:
        yield f"={value}", value


def _add_known(kinds: dict[Guests, list[str]], seen: Seen, known: Known) -> None:
    """A guest who said yes may keep the number, or add to it and take from it."""
    kinds.setdefault(known.guests, []).append("keep")
    kinds.setdefault(known.by_rules, []).append("changed" if known.is_changed else "unchanged")
    before = known.guests or 1
    steps = [("one", 1), *(("number", each.value) for each in seen.numbers)]
    if seen.people:
        steps.append(("people", seen.people))
    for kind, step in steps:
        if known.guests is not None and before - step > 0:
            kinds.setdefault(before - step, []).append(f"-{kind}")
        if before + step <= MOST:
            kinds.setdefault(before + step, []).append(f"+{kind}")


class _Reply:
    """What all numbers proposed for one reply have in common."""

    def __init__(self, context: str, seen: Seen, count: Count, grams: Sequence[int]) -> None:
        self.context, self.seen, self.count, self.grams = context, seen, count, grams
        self.rules = f"{context}:{count.ground}:{count.guests is None}"
        people, names = min(seen.people, 5), min(seen.names, 4)
        self.shape = f"{people}:{names}:{min(len(seen.numbers), 3)}:{seen.marks}"

    def features(self, value: Guests, kinds: Sequence[str]) -> list[int]:
        agrees = value == self.count.guests
        context, together = self.context, ".".join(sorted(set(kinds)))
        found = [
            _number(f"{self.rules}:{agrees}:{value is None}"),
            _number(f"{context}:{together}"),
            _number(f"{self.rules}:{together}"),
            _number(f"{self.shape}:{together}"),
            _number(f"{context}={min(value, 7) if value else value}"),
        ]
        for kind in set(kinds):
            salt = number_of_word(f"{context}:{kind}")
            found += (salt % BUCKETS, _number(f"{salt}:{self.shape}"))
            found += [(gram ^ salt) & _MASK for gram in self.grams]
        for number in self.seen.numbers:
            if number.value == value:
                found += self._around(number, "is")
            elif value is not None and number.value == value - 1:
                found += self._around(number, "one more")
        return found

    def _around(self, number: Number, kind: str) -> list[int]:
        """The signs and words beside a number."""
        seen, at = self.seen, number.at
        before, here, after = seen.sign(at - 1), seen.sign(at), seen.sign(at + 1)
        left, right = seen.word(at - 1), seen.word(at + 1)
        place, last = seen.numbers.index(number), seen.numbers[-1] is number
        salt = f"{self.context}:{kind}"
        return [
            _number(f"{salt}:{feature}")
            for feature in (
                f"a:{before}",
                f"b:{after}",
                f"c:{before}:{after}",
                f"d:{here}:{before}",
                f"e:{here}:{after}",
                f"f:{seen.sign(at - 2)}:{before}",
                f"g:{after}:{seen.sign(at + 2)}",
                f"h:{left}",
                f"i:{right}",
                f"j:{seen.word(at - 2)} {left}",
                f"k:{right} {seen.word(at + 2)}",
                f"l:{place == 0}:{last}:{len(seen.numbers)}",
                f"m:{min(number.value // 4, 4)}",
            )
        ]


def _grams(seen: Seen) -> list[int]:
    words = [word for phrase in seen.words for word in phrase.split()]
    signs = ["^", *seen.signs, "^"]
    rows = (*runs_of_words(words, RUN, _WORDS), *runs_of_words(signs, RUN, _SIGNS))
    return list({each for row in rows for each in row})


def _number(feature: str) -> int:
    return number_of_word(feature) & _MASK
