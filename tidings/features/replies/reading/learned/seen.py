"""A reply as the ranking of head counts sees it: what each word or phrase is to counting. Pure.

Unlike the line that the rules count (`countable`), it leaves no word out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ..countable import Step, step_at
from ..table import Part
from ..tagged import Item, Tagged
from ..tokens import Kind

NUMBERS_MAX, SIGNS_MAX = 8, 120
MOST = 99  # a larger number counts no guests
_MARKS = (Part.ME, Part.PLUS, Part.WITH, Part.WE_ARE)


@dataclass(frozen=True, slots=True)
class Number:
    at: int  # which of the signs it is
    value: int


@dataclass(frozen=True, slots=True)
class Seen:
    """`signs` and `words` are of the same length: a phrase has one sign and all its words."""

    signs: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    numbers: tuple[Number, ...] = ()
    people: int = 0  # wife, friend, my parents: so many besides the guest
    names: int = 0
    marks: int = 0  # which of me, plus, with and we it has

    def sign(self, at: int) -> str:
        return self.signs[at] if 0 <= at < len(self.signs) else "^"

    def word(self, at: int) -> str:
        return self.words[at] if 0 <= at < len(self.words) else "^"

    def denies(self, value: int | None) -> bool:
        """Not 3: the number stands only behind a negation."""
        found = [self.sign(each.at - 1) for each in self.numbers if each.value == value]
        return bool(found) and all(sign.endswith("not") for sign in found)


NOTHING_SEEN = Seen()


def see(pieces: Sequence[Tagged]) -> Seen:
    signs, words = list[str](), list[str]()
    numbers, steps = list[Number](), list[Step]()
    for piece in pieces:
        for step, item, phrase in _steps(piece):
            value = step.party if step.value is None else step.value
            if value is not None and 0 < value <= MOST:
                numbers.append(Number(len(signs), value))
            signs.append(_sign(step, item))
            words.append(phrase)
            steps.append(step)
        signs.append("ask" if piece.is_asked else "|")
        words.append(piece.ends[:1] or "$")
        if len(signs) > SIGNS_MAX:
            break
    people = sum(step.does(Part.ONE) + (step.group or 0) for step in steps)
    names = sum(step.is_name for step in steps)
    marks = sum(any(step.does(part) for step in steps) << bit for bit, part in enumerate(_MARKS))
    return Seen(tuple(signs), tuple(words), tuple(numbers[:NUMBERS_MAX]), people, names, marks)


def _steps(piece: Tagged) -> list[tuple[Step, Item, str]]:
    """Each step, what the answer goes by in its place, and its words."""
    items = {at: item for item in piece.items for at in range(item.start, item.end)}
    found = []
    at, end = piece.items[0].start, piece.items[-1].end
    while at < end:
        step, after = step_at(piece, at, items[at])
        tokens = piece.tokens[at:after]
        words = ("#" if token.kind is Kind.NUMBER else token.text for token in tokens)
        found.append((step, items[at], " ".join(words)))
        at = after
    return found


def _sign(step: Step, item: Item) -> str:
    signs = sorted(part.value for part in step.parts)
    if step.value is not None:
        signs.append("word" if step.is_word else "#")
    if step.party:
        signs.append("party")
    if step.group:
        signs.append("group")
    if step.is_answer:
        signs.append("ans")
    if step.is_name:
        signs.append("name")
    if step.is_not:
        signs.append("not")
    if step.is_maybe:
        signs.append("maybe")
    return "+".join(signs) or ("?" if item.role is None else "." + item.role.value)
