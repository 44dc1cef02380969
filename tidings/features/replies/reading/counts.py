"""How many guests a reply announces. Pure.

A number counts guests only where the words around it say so: "we'll be 4", "2 adults and 1 child",
"me and my wife", "+1", or beside the answer itself ("yes, 3"). Times, dates, telephone and house
numbers do not, and neither does "4 or 5".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from .corrections import corrected
from .countable import NOTHING, Line, Step, get, line_of
from .subject import is_about_some
from .table import Part
from .tagged import Tagged, tag
from .tokens import Clause

# Limits where words say that people are counted, and next to a yes: `yes 100` is no headcount.
GUESTS_MAX, GUESTS_MAX_BESIDE = 999, 99
_COUNTED = (Part.PEOPLE, Part.KIDS, Part.ONE)


class Ground(IntEnum):
    """Why a number is read as the number of guests; the highest wins."""

    NONE = 0
    ALONE = 1  # a number and nothing else
    BESIDE_ANSWER = 2  # next to the answer: yes, 3
    TAKEN = 3  # with my wife: says how many, but not that they come
    PARTY = 4  # both of us
    ADDED = 5  # me and my wife, 2 adults and 1 child
    TOTAL = 6  # we will be 4


@dataclass(frozen=True, slots=True)
class Count:
    guests: int | None
    ground: Ground


NOBODY = Count(None, Ground.NONE)


def head_count(parts: Sequence[Clause]) -> int | None:
    """How many guests a reply means if it is a yes, whether or not its words say that it is."""
    return counted(tag(parts)).guests or None


def counted(pieces: Sequence[Tagged]) -> Count:
    """The guests of all statements; unknown if only some of them come."""
    stated = [piece for piece in pieces if not piece.is_asked]
    return NOBODY if any(map(is_about_some, stated)) else count(stated)


def count(pieces: Sequence[Tagged]) -> Count:
    """The number of guests and the ground for it; None if unsure."""
    line = corrected(line_of(pieces))
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
    ground = max((one.ground for one in found), default=Ground.NONE)
    guests = {one.guests for one in found if one.ground is ground}
    only = guests.pop() if len(guests) == 1 else None
    most = GUESTS_MAX if ground > Ground.BESIDE_ANSWER else GUESTS_MAX_BESIDE
    return Count(only, ground) if only is not None and only <= most else NOBODY


def _read(line: Line, at: int) -> tuple[Count | None, int]:
    """The count at this position, and the position to continue from."""
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
            return Count(here.value, Ground.BESIDE_ANSWER), at + 1
    return None, at + 1


class _Group:
    """People added up: `me, my wife and 3 kids`, `2 adults 1 child`, `+1`."""

    def __init__(self, line: Line, start: int) -> None:
        self.line = line
        self.total = self.me = self.ones = self.named = self.bare = 0
        self.company = False  # children or friends, who come in addition to the guest
        self.end = start
        self.added = get(line, start).does(Part.PLUS)
        self.led = self.added or get(line, start).does(Part.WITH)
        at = start + self.led
        while (after := self._term(at)) is not None:
            self.end = after
            at = self._skip_joins(after)
        if self.led and not self.me and (self.ones or self.company or self.added):
            self.total += 1

    @property
    def is_sum(self) -> bool:
        together = self.me and (self.ones or self.bare or self.named)
        led = self.led and (self.ones or (self.added and self.bare))
        return bool(self.named or together or led or self.bare > 1)

    def _term(self, at: int) -> int | None:
        """Add the people at this position; returns the position to continue from."""
        here = get(self.line, at)
        if here.is_number:
            return self._number(at)
        if here.does(Part.ME):
            self.me, self.total = 1, self.total + 1 - self.me
            return at + 1
        named = here.is_name and self.me and get(self.line, at - 1).does(Part.AND)
        if here.does(Part.ONE) or named:  # my wife; me and Tom
            self.ones, self.total = self.ones + 1, self.total + 1
            return at + 1
        if here.party is not None and here.party > 1 and self.total:
            self.named, self.total = self.named + 1, self.total + here.party
            return at + 1 + get(self.line, at + 1).does(*_COUNTED)
        return None

    def _number(self, at: int) -> int | None:
        value = self.line[at].value or 0
        before, after = get(self.line, at - 1), get(self.line, at + 1)
        if not _is_free(self.line, at):
            return None
        if after.does(*_COUNTED):
            self.named, self.total = self.named + 1, self.total + value
            self.company = self.company or after.does(Part.KIDS, Part.ONE)
            return at + 2
        joined = before.does(Part.PLUS, Part.AND) and (self.total or self.added)
        if joined or after.does(Part.PLUS):
            self.bare, self.total = self.bare + 1, self.total + value
            return at + 1
        return None

    def _skip_joins(self, at: int) -> int:
        while get(self.line, at).does(Part.AND, Part.WITH, Part.PLUS) or (
            get(self.line, at).is_break and _is_person(get(self.line, at + 1))
        ):
            at += 1
        return at


def _is_person(step: Step) -> bool:
    return step.is_number or bool(step.party) or step.does(Part.ME, Part.ONE, Part.AND)


def _ground(line: Line, at: int, group: _Group) -> Ground:
    if _is_total(line, at, group.end):
        return Ground.TOTAL
    taken = line[at].does(Part.WITH) and not group.me
    return Ground.TAKEN if taken else Ground.ADDED


def _is_free(line: Line, at: int) -> bool:
    """Whether the number is not a time, a date or a label such as a table number."""
    before, after = get(line, at - 1), get(line, at + 1)
    if after.does(Part.UNIT) or before.does(Part.CALLED):
        return False
    return not before.does(Part.AT) or before.does(Part.WE_ARE)


def _is_total(line: Line, start: int, end: int) -> bool:
    before = get(line, start - 1)
    if before.does(Part.FOR) and not before.does(Part.WE_ARE):
        before = get(line, start - 2)
    return before.does(Part.WE_ARE, Part.IN_ALL) or get(line, end).does(Part.IN_ALL)


def _is_alone(line: Line) -> bool:
    return sum(not step.is_break for step in line) == 1


def _is_beside_answer(line: Line, at: int) -> bool:
    here, after = line[at], get(line, at + 1)
    if here.is_word and here.value == 1:
        return False  # "one" is as often an article as a number
    ends = after is NOTHING or after.is_break or after.is_answer
    back = at - 1
    while get(line, back).is_break or get(line, back).does(Part.FOR):
        back -= 1
    first = back < 0 and any(step.is_answer for step in line[at:])
    return ends and (get(line, back).is_answer or first)


def _is_unsure(line: Line) -> bool:
    return any(step.is_unsure or _is_either_or(line, at) for at, step in enumerate(line))


def _is_either_or(line: Line, at: int) -> bool:
    """4 or 5"""
    around = get(line, at - 1).is_number and get(line, at + 1).is_number
    return around and line[at].does(Part.OR)
