"""Which words of a reply are the evidence for its answer and its number of guests. Pure.

Words are evidence if a piece that consists of nothing else leans the same way: `weigh` and `count`
are asked again about a few phrases in a row, so this follows the rules wherever they go.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from .corrections import without_corrections
from .countable import line_of
from .counts import Count, count
from .lexicon import respell
from .stance import COMING, Stance, weigh
from .table import Part, Role
from .tagged import Item, Tagged, tag
from .tokens import Clause

ITEMS_MAX = 8  # phrases in a row that are tried together
ABOUT_AS_STRONG = 0.9
BORDER = 2  # phrases beside the evidence in which no negation is left out
_NEGATIONS = frozenset({Role.NO, Role.NOT, Role.MISS})
_SPEAKING = COMING | _NEGATIONS | {Role.YES, Role.CAN, Role.WISH, Role.AWAY}
_COUNTING = (
    Part.WE_ARE, Part.IN_ALL, Part.ME, Part.ONE, Part.PEOPLE, Part.KIDS, Part.PLUS, Part.WITH,
)  # fmt: skip
_BETWEEN = frozenset(
    {Part.AND, Part.WITH, Part.PLUS, Part.OR, Part.INSTEAD, Part.OF_WHICH, Part.FOR, Part.AT}
    | {Part.UNIT, Part.CALLED, Part.ME}
)  # all other parts name what is counted


_T = TypeVar("_T")


class Span(NamedTuple):
    """Words of the reply, by their places in all of it."""

    start: int
    end: int

    def overlaps(self, other: "Span") -> bool:
        return self.start < other.end and other.start < self.end

    def over(self, others: Sequence["Span"]) -> "Span":
        """The words from the first to the last of all these."""
        every = [self, *others]
        return Span(min(one.start for one in every), max(one.end for one in every))


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece of the reply that says something. `words`: for each of its tokens the place of the
    word that it was made from (a prefix is split off: two tokens of one word)."""

    piece: Tagged
    words: tuple[int, ...]

    def span(self, items: Sequence[Item]) -> Span:
        return Span(self.words[items[0].start], self.words[items[-1].end - 1] + 1)

    def only(self, items: Sequence[Item]) -> Tagged:
        """The piece without what follows these: a phrase that counts may be longer than an item."""
        end = items[-1].end
        tokens, spoken = self.piece.tokens[:end], self.piece.spoken[:end]
        return replace(self.piece, items=tuple(items), tokens=tokens, spoken=spoken, steps={})


def place(parts: Sequence[Clause]) -> list[Placed]:
    """The pieces that are no question and no mere correction of a number."""
    pieces = tag(parts)
    kept = {id(piece) for piece in without_corrections(pieces) if not piece.is_asked}
    placed, ahead, at = list[Placed](), iter(parts), 0
    words: tuple[int, ...] = ()
    for piece in pieces:
        if piece.items[0].start == 0:  # the first piece of the next clause
            clause = next(ahead)
            words, at = _places(clause, piece, at), at + len(clause.tokens)
        if id(piece) in kept:
            placed.append(Placed(piece, words))
    return placed


def _places(clause: Clause, piece: Tagged, at: int) -> tuple[int, ...]:
    places: list[int] = []
    for index, token in enumerate(clause.tokens):
        made = respell(token, piece.spoken[len(places)])
        places += [at + index] * len(made)
    return tuple(places)


# The answer


def find_answer(placed: Sequence[Placed], *, yes: bool) -> list[Span]:
    """The evidence for this answer, the strongest first."""
    found: list[tuple[float, Span]] = []
    for one in placed:
        stance = weigh(one.piece)
        if _says(stance, yes=yes) and not stance.others:
            items = _evidence(one, yes=yes)
            found.append((_strength(one.only(items), yes=yes), one.span(items)))
    spans = [span for _, span in sorted(found, key=lambda each: (-each[0], each[1]))]
    if yes:
        return spans
    away = [span for span in _of_role(placed, Role.AWAY) if not any(map(span.overlaps, spans))]
    return [*spans, *away] or _of_role(placed, Role.SORRY) or _of_some(placed)


def _evidence(one: Placed, *, yes: bool) -> Sequence[Item]:
    """The shortest items in a row that are as strong as any, with the verbs that belong to them."""
    items = one.piece.items

    def strength(window: tuple[int, int]) -> float:
        return _strength(one.only(items[slice(*window)]), yes=yes)

    windows = [each for each in _windows(items, _speaks) if _is_whole(items, *each)]
    windows = [each for each in windows if _says(weigh(one.only(items[slice(*each)])), yes=yes)]
    if windows:
        best = max(windows, key=lambda each: (strength(each), each[0] - each[1]))
        wider = [each for each in windows if _extends(items, best, each)]
        wider = [each for each in wider if strength(each) >= ABOUT_AS_STRONG * strength(best)]
        start, end = max(wider, key=lambda each: each[1] - each[0])
        return items[start:end]
    speaking = [index for index, item in enumerate(items) if _speaks(item)]
    return items[speaking[0] : speaking[-1] + 1] if speaking else items


def _extends(items: Sequence[Item], inner: tuple[int, int], outer: tuple[int, int]) -> bool:
    """Whether only words of coming, and light ones between them, are added: can't + make it."""
    added = (*items[outer[0] : inner[0]], *items[inner[1] : outer[1]])
    within = outer[0] <= inner[0] and inner[1] <= outer[1]
    return within and all(_speaks(item) or item.role is Role.LIGHT for item in added)


def _is_whole(items: Sequence[Item], start: int, end: int) -> bool:
    """Whether no negation stands right beside: `going` is no evidence in `not going to miss it`."""
    beside = (*items[max(0, start - BORDER) : start], *items[end : end + BORDER])
    return not any(item.role in _NEGATIONS for item in beside)


def _strength(piece: Tagged, *, yes: bool) -> float:
    stance = weigh(piece)
    return stance.yes if yes else stance.no


def _says(stance: Stance, *, yes: bool) -> bool:
    return stance.yes > stance.no if yes else stance.no > 0 and stance.no >= stance.yes


def _speaks(item: Item) -> bool:
    return item.role in _SPEAKING


def _of_role(placed: Sequence[Placed], role: Role) -> list[Span]:
    return [one.span([item]) for one in placed for item in one.piece.items if item.role is role]


def _of_some(placed: Sequence[Placed]) -> list[Span]:
    """Of a part of the guests: 2 of us can't come."""
    return [one.span(one.piece.items) for one in placed if weigh(one.piece).some]


# The number of guests


def find_number(placed: Sequence[Placed]) -> Span | None:
    """The shortest words that by themselves are counted as the whole reply is, and as surely."""
    guests = count([one.piece for one in placed]).guests if placed else None
    every = [(one, item) for one in placed for item in one.piece.items]
    if guests is None:
        return None
    best: tuple[int, int] | None = None
    bounds: tuple[int, int] | None = None
    for start, end in _windows(every, _counts):
        counted = _count(every[start:end])
        rank = (counted.ground, start - end)
        if counted.guests == guests and (best is None or rank > best):
            best, bounds = rank, (start, end)
    if bounds is None:
        return None
    first, last = every[bounds[0]], every[_with_noun(every, bounds[1]) - 1]
    return first[0].span([first[1]]).over([last[0].span([last[1]])])


def _with_noun(every: Sequence[tuple[Placed, Item]], end: int) -> int:
    """The end, with what the number before it counts: 3 kids."""
    for one, item in every[end : end + 1]:
        steps = line_of([one.only([item])]) if one is every[end - 1][0] else []
        return end + any(step.parts and not step.parts & _BETWEEN for step in steps)
    return end


def _count(chosen: Sequence[tuple[Placed, Item]]) -> Count:
    pieces: list[tuple[Placed, list[Item]]] = []
    for one, item in chosen:
        if not pieces or pieces[-1][0] is not one:
            pieces.append((one, []))
        pieces[-1][1].append(item)
    return count([one.only(items) for one, items in pieces])


def _counts(chosen: tuple[Placed, Item]) -> bool:
    one, item = chosen
    return any(
        step.is_number or step.party is not None or step.is_name or step.does(*_COUNTING)
        for step in line_of([one.only([item])])
    )


def _windows(items: Sequence[_T], bounds: Callable[[_T], bool]) -> Iterator[tuple[int, int]]:
    """Every few items in a row that begin and end with such an item."""
    places = [index for index, item in enumerate(items) if bounds(item)]
    for number, start in enumerate(places):
        for last in places[number:]:
            if last - start >= ITEMS_MAX:
                break
            yield start, last + 1
