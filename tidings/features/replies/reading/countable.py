"""A reply as input for counting: numbers, people, and words that say what a number is. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .lexicon import find
from .table import Part, Role
from .tagged import Item, Tagged
from .tokens import Kind


@dataclass(frozen=True, slots=True)
class Step:
    parts: frozenset[Part] = frozenset()
    value: int | None = None  # of a number
    party: int | None = None  # of a phrase that names a number of guests, such as "both of us"
    is_word: bool = False  # the number was spelt out
    is_answer: bool = False  # it says that they come
    is_break: bool = False  # between clauses
    is_unsure: bool = False  # 4-5
    is_name: bool = False  # a word in no table

    @property
    def is_number(self) -> bool:
        return self.value is not None

    def does(self, *parts: Part) -> bool:
        return not self.parts.isdisjoint(parts)


BREAK = Step(is_break=True)
NOTHING = Step()
Line = list[Step]


def get(line: Line, at: int) -> Step:
    """The step at an index; NOTHING outside the line."""
    return line[at] if 0 <= at < len(line) else NOTHING


def line_of(pieces: Sequence[Tagged]) -> Line:
    line: Line = []
    for piece in pieces:
        line += [BREAK] if line else []
        line += _steps(piece)
    return line


def _steps(piece: Tagged) -> Line:
    answers = _indexes(piece.items, Role.YES, Role.GO, Role.BE)
    quiet = _indexes(piece.items, Role.WARM, Role.LIGHT, Role.VOID)
    unknown = {item.start for item in piece.items if item.role is None}
    known = {  # skipped, such as "what a handsome couple"
        item.start: item.end
        for item in piece.items
        if item.is_phrase and item.role in (Role.VOID, Role.OTHER) and not _corrects(piece, item)
    }
    steps: Line = []
    at, end = piece.items[0].start, piece.items[-1].end
    while at < end:
        if at in known:
            at = known[at]
            continue
        step, after = _step(piece, at, is_answer=at in answers, is_name=at in unknown)
        if step != NOTHING or at not in quiet:
            steps.append(step)
        at = after
    return steps


def _corrects(piece: Tagged, item: Item) -> bool:
    """A phrase such as "no wait": not an answer, it announces another number."""
    return _step(piece, item.start, is_answer=False, is_name=False)[0].does(Part.INSTEAD)


def _indexes(items: Iterable[Item], *roles: Role) -> set[int]:
    return {at for item in items if item.role in roles for at in range(item.start, item.end)}


def _step(piece: Tagged, at: int, *, is_answer: bool, is_name: bool) -> tuple[Step, int]:
    token, lexicon = piece.tokens[at], piece.spoken[at]
    if token.kind is Kind.NUMBER:
        return Step(value=token.value), at + 1
    if token.kind is Kind.RANGE:
        return Step(is_unsure=True), at + 1
    found = find(lexicon.count, lexicon.light, piece.tokens, at)
    if found is None:
        return Step(is_answer=is_answer, is_name=is_name), at + 1
    entry = found.entry
    party = entry.value if Part.PARTY in entry.parts else None
    number = entry.value if entry.is_number and party is None else None
    return Step(entry.parts, number, party, number is not None, is_answer), found.end
