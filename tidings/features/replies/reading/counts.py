"""How many guests a reply speaks of. Pure.

A number counts guests only where the words around it say so: "we'll be 4", "2 adults and 1 child",
"me and my wife", "+1", or beside the answer itself ("yes, 3"). Times, dates, telephone and house
numbers never do; nor do "4 or 5".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from . import lexicon as look_up
from .lexicon import Lexicon
from .table import Part, Role
from .tagged import Tagged
from .tokens import Kind, Token

GUESTS_MAX = 99


class Ground(IntEnum):
    """Why a number is taken for the guests; the greater one wins."""

    NONE = 0
    ALONE = 1  # a number and nothing else
    BESIDE = 2  # next to the answer: yes, 3
    TAKEN = 3  # with my wife: says how many, but not that they come
    PARTY = 4  # both of us
    ADDED = 5  # me and my wife, 2 adults and 1 child
    TOTAL = 6  # we will be 4


@dataclass(frozen=True, slots=True)
class Count:
    guests: int | None
    ground: Ground


NOBODY = Count(None, Ground.NONE)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A step through the reply, as far as counting cares."""

    parts: frozenset[Part] = frozenset()
    value: int | None = None  # of a number
    party: int | None = None
    is_word: bool = False  # the number was spelt out
    is_answer: bool = False
    is_break: bool = False
    is_unsure: bool = False  # 4-5
    is_name: bool = False  # a word nobody knows

    @property
    def is_number(self) -> bool:
        return self.value is not None

    def does(self, *parts: Part) -> bool:
        return not self.parts.isdisjoint(parts)


_BREAK = _Piece(is_break=True)
_NOTHING = _Piece()
_COUNTED = (Part.PEOPLE, Part.KIDS, Part.ONE)


def count(pieces: Sequence[Tagged]) -> Count:
    """The number of guests, and on what ground; guests are None where it is unsure."""
    line = _line(pieces)
    if _is_unsure(line):
        return NOBODY
    found: list[Count] = []
    at = 0
    while at < len(line):
        if line[at].does(Part.OF_WHICH) and found:
            break
        one, at = _read(line, at)
        if one is not None:
            found.append(one)
    return _best(found)


def _best(found: list[Count]) -> Count:
    if not found:
        return NOBODY
    ground = max(one.ground for one in found)
    guests = {one.guests for one in found if one.ground is ground}
    only = guests.pop() if len(guests) == 1 else None
    if only is None or not 1 <= only <= GUESTS_MAX:
        return NOBODY
    return Count(only, ground)


def _read(line: list[_Piece], at: int) -> tuple[Count | None, int]:
    """What the line says from here, and where to read on."""
    group = _Group(line, at)
    if group.is_sum:
        return Count(group.total, _ground(line, at, group)), group.end
    here = line[at]
    if here.party is not None:
        return Count(here.party, Ground.PARTY), at + 1
    if here.is_number and _is_free(line, at):
        if _is_total(line, at, at + 1):
            return Count(here.value, Ground.TOTAL), at + 1
        if _is_alone(line):
            return Count(here.value, Ground.ALONE), at + 1
        if _is_beside_answer(line, at):
            return Count(here.value, Ground.BESIDE), at + 1
    return None, at + 1


def _ground(line: list[_Piece], at: int, group: "_Group") -> Ground:
    if _is_total(line, at, group.end):
        return Ground.TOTAL
    taken = line[at].does(Part.WITH) and not group.me
    return Ground.TAKEN if taken else Ground.ADDED


class _Group:
    """People added up: `me, my wife and 3 kids`, `2 adults 1 child`, `+1`."""

    def __init__(self, line: list[_Piece], start: int) -> None:
        self.line = line
        self.total = 0
        self.me = self.ones = self.named = self.bare = 0
        self.company = False  # children or friends, who come beside the guest
        at = start
        self.led = at < len(line) and line[at].does(Part.WITH, Part.PLUS)
        self.added = at < len(line) and line[at].does(Part.PLUS)
        at += self.led
        while (after := self._term(at)) is not None:
            self.end = after
            at = self._skip_joins(after)
        if self.led and not self.me and (self.ones or self.company or self.added):
            self.total += 1

    @property
    def is_sum(self) -> bool:
        together = self.me and (self.ones or self.bare or self.named)
        led = self.led and (self.ones or (self.added and self.bare))
        sums = self.bare > 1
        return bool(self.named or together or led or sums)

    def _term(self, at: int) -> int | None:
        """Add the person or people named here; where to read on."""
        here = _get(self.line, at)
        if here.is_number:
            return self._number(at)
        if here.does(Part.ME):
            self.me, self.total = 1, self.total + 1 - self.me
            return at + 1
        if here.does(Part.ONE):
            self.ones, self.total = self.ones + 1, self.total + 1
            return at + 1
        if here.party is not None and here.party > 1 and self.total:
            self.named, self.total = self.named + 1, self.total + here.party
            return at + 1 + _get(self.line, at + 1).does(*_COUNTED)
        joined = _get(self.line, at - 1).does(Part.AND)
        if here.is_name and joined and self.me:  # me and Tom
            self.ones, self.total = self.ones + 1, self.total + 1
            return at + 1
        return None

    def _number(self, at: int) -> int | None:
        value = self.line[at].value or 0
        follows = _get(self.line, at + 1)
        if not _is_free(self.line, at):
            return None
        if follows.does(*_COUNTED):
            self.named, self.total = self.named + 1, self.total + value
            self.company = self.company or follows.does(Part.KIDS, Part.ONE)
            return at + 2
        joined = _get(self.line, at - 1).does(Part.PLUS, Part.AND)
        if follows.does(Part.PLUS) or (joined and (self.total or self.added)):
            self.bare, self.total = self.bare + 1, self.total + value
            return at + 1
        return None

    def _skip_joins(self, at: int) -> int:
        while _get(self.line, at).does(Part.AND, Part.WITH, Part.PLUS) or (
            _get(self.line, at).is_break and _is_person(_get(self.line, at + 1))
        ):
            at += 1
        return at


def _is_person(piece: _Piece) -> bool:
    return piece.is_number or bool(piece.party) or piece.does(Part.ME, Part.ONE, Part.AND)


def _is_free(line: list[_Piece], at: int) -> bool:
    """A number that is no time, no date and no name of anything."""
    before, after = _get(line, at - 1), _get(line, at + 1)
    if after.does(Part.UNIT) or before.does(Part.CALLED):
        return False
    return not before.does(Part.AT) or before.does(Part.WE_ARE)


def _is_total(line: list[_Piece], start: int, end: int) -> bool:
    before = _get(line, start - 1)
    if before.does(Part.FOR) and not before.does(Part.WE_ARE):
        before = _get(line, start - 2)
    return before.does(Part.WE_ARE, Part.IN_ALL) or _get(line, end).does(Part.IN_ALL)


def _is_alone(line: list[_Piece]) -> bool:
    return sum(not piece.is_break for piece in line) == 1


def _is_beside_answer(line: list[_Piece], at: int) -> bool:
    here, after = line[at], _get(line, at + 1)
    if here.is_word and here.value == 1:
        return False  # as often an article as a number
    ends = after is _NOTHING or after.is_break or after.is_answer
    back = at - 1
    while _get(line, back).is_break or _get(line, back).does(Part.FOR):
        back -= 1
    before = _get(line, back)
    first = back < 0 and any(piece.is_answer for piece in line[at:])
    return ends and (before.is_answer or first)


def _is_unsure(line: list[_Piece]) -> bool:
    return any(
        piece.is_unsure
        or (
            piece.does(Part.OR)
            and _get(line, at - 1).is_number
            and _get(line, at + 1).is_number
        )
        for at, piece in enumerate(line)
    )


def _get(line: list[_Piece], at: int) -> _Piece:
    return line[at] if 0 <= at < len(line) else _NOTHING


def _line(pieces: Sequence[Tagged]) -> list[_Piece]:
    line: list[_Piece] = []
    for piece in pieces:
        line += [_BREAK] if line else []
        line += _steps(piece)
    return line


def _steps(piece: Tagged) -> list[_Piece]:
    answers = {
        index
        for item in piece.items
        if item.role in (Role.YES, Role.GO, Role.BE)
        for index in range(item.start, item.end)
    }
    quiet = {
        index
        for item in piece.items
        if item.role in (Role.WARM, Role.LIGHT, Role.VOID)
        for index in range(item.start, item.end)
    }
    strange = {item.start for item in piece.items if item.role is None}
    steps: list[_Piece] = []
    at, end = piece.items[0].start, piece.items[-1].end
    while at < end:
        step, after = _step(piece, at, at in answers, at in strange)
        if step.parts or step.is_number or step.party is not None or step.is_answer:
            steps.append(step)
        elif at not in quiet or step.is_unsure:
            steps.append(step)
        at = after
    return steps


def _step(
    piece: Tagged, at: int, is_answer: bool, is_name: bool
) -> tuple[_Piece, int]:
    token = piece.tokens[at]
    if token.kind is Kind.NUMBER:
        return _Piece(value=token.value), at + 1
    if token.kind is Kind.RANGE:
        return _Piece(is_unsure=True), at + 1
    lexicon: Lexicon = piece.spoken[at]
    found = look_up.find(lexicon.count, lexicon.light, piece.tokens, at)
    if found is None:
        return _Piece(is_answer=is_answer, is_name=is_name), at + 1
    entry = found.entry
    party = entry.value if Part.PARTY in entry.parts else None
    number = entry.value if entry.is_number and party is None else None
    parts = entry.parts - {Part.PARTY}
    return _Piece(parts, number, party, number is not None, is_answer), found.end
