"""How a guest who has said yes changes the number of people. Pure.

    find_change(clauses("make it 3"), 4)                     Change(3)
    find_change(clauses("one more is joining"), 2)           Change(3)
    find_change(clauses("my wife can't come after all"), 3)  Change(2)
    find_change(clauses("without the kids"), 4)              Change(None)
    find_change(clauses("where can I park?"), 4)             None

Only after a yes: of a guest who has not answered, the same words may be a refusal.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .company import Company
from .corrections import corrected
from .countable import Line, get, line_of
from .counts import Count, Ground, count_line, speaks_for_several
from .party import GUESTS_MAX, find_party
from .stance import weigh
from .subject import is_about_some
from .table import Part, Role
from .tagged import Tagged, tag
from .tokens import Clause
from .verdict import SURE_ENOUGH

_OPEN = (Role.MAYBE, Role.IF)


@dataclass(frozen=True, slots=True)
class Change:
    guests: int | None  # None: not said exactly


def find_change(parts: Sequence[Clause], before: int | None) -> Change | None:
    """The number of people from now on; None if the reply does not change it."""
    found = find_party(parts)
    if found is not None:
        return Change(found)
    stated = [piece for piece in tag(parts) if "?" not in piece.ends]
    if any(map(is_about_some, stated)):
        return _without_some(stated, before)
    withdrawn = max((at for at, piece in enumerate(stated) if _withdraws(piece)), default=-1)
    said = _absolute(stated[withdrawn + 1 :])
    if said is not None or withdrawn >= 0:
        return said
    return _relative(stated, before)


def _without_some(pieces: Sequence[Tagged], before: int | None) -> Change:
    """2 of us can't come."""
    some = [step.value or 0 for one in pieces for step in line_of([one]) if step.is_number]
    if before is None or len(some) != 1 or some[0] >= before:
        return Change(None)
    return Change(before - some[0])


def _absolute(pieces: Sequence[Tagged]) -> Change | None:
    """A new number of all: 4 not 5; so it's just me."""
    line = corrected(line_of(pieces))
    found = count_line(line, loosely=True)
    if found.ground in (Ground.NONE, Ground.TAKEN) or not _is_all(line, found):
        return None
    is_number = found.guests is None or 0 < found.guests <= GUESTS_MAX
    return Change(found.guests) if is_number else None


def _is_all(line: Line, found: Count) -> bool:
    """Whether the number counts all of them, not only who comes in addition: +1."""
    if found.ground not in (Ground.ADDED, Ground.NAMED):
        return True
    at = 0
    while at < len(line):
        group = Company(line, at)
        if group.is_sum and (group.me or (group.heads and not group.led)):
            return True
        at = max(at + 1, group.end if group.is_sum else 0)
    return False


def _withdraws(piece: Tagged) -> bool:
    """The guest does not come: the two of us can't make it; count us out."""
    stance = weigh(piece)
    if stance.no < SURE_ENOUGH or stance.others:
        return False
    return not stance.bare or any(item.role is Role.NO and item.is_phrase for item in piece.items)


@dataclass(frozen=True, slots=True)
class _Difference:
    many: int | None  # None: more or fewer, nobody knows how many
    counted: bool = False  # by a number: one less


def _relative(pieces: Sequence[Tagged], before: int | None) -> Change | None:
    """Those who come or do not come in addition; unknown if nobody knows how many were before."""
    found = [
        one for piece in pieces if not piece.has(*_OPEN) if (one := _difference(piece)) is not None
    ]
    found = [one for one in found if one.counted] or found
    if not found:
        return None
    if any(one.many is None for one in found):
        return Change(None)
    more = sum(one.many or 0 for one in found)
    base = 1 if before is None and more > 0 else before
    if base is None or not 1 <= base + more <= GUESTS_MAX:
        return None
    return Change(base + more)


def _difference(piece: Tagged) -> _Difference | None:
    """How many more or fewer people one piece announces."""
    line = line_of([piece])
    for at, step in enumerate(line):
        many = _beside(line, at) if step.does(Part.MORE, Part.FEWER) else 0
        if many:
            return _Difference(-many if step.does(Part.FEWER) else many, counted=True)
    people = _People.find(line)
    if people is None:
        return None
    if people.lack or any(step.does(Part.GONE) for step in line[people.end :]):
        return _Difference(-people.many if people.many is not None else None)
    if people.is_taken or people.joins(several=speaks_for_several(piece)):
        return _Difference(people.many)
    return None


def _beside(line: Line, at: int) -> int:
    """Two more; add 2; one less."""
    before, after = get(line, at - 1), get(line, at + 1)
    if before.is_number:
        return before.value or 0
    if after.is_number:
        return after.value or 0
    return 1 if line[at].is_several else 0


@dataclass(frozen=True, slots=True)
class _People:
    """The first people of a piece who are not the guest."""

    line: Line
    start: int
    end: int
    many: int | None
    led: bool = False

    @classmethod
    def find(cls, line: Line) -> "_People | None":
        for at, step in enumerate(line):
            group = Company(line, at)
            if group.me:
                return None
            if group.total:
                many = group.total - bool(group.led)
                return cls(line, at, group.end, None if group.vague else many, group.led)
            if step.does(Part.KIDS, Part.VAGUE):
                return cls(line, at, at + 1, None)
            if step.is_number and any(one.does(Part.GONE) for one in line[at + 1 : at + 4]):
                return cls(line, at, at + 1, step.value)
            named = step.is_name and not step.is_apart
            if named and get(line, at + 1).does(Part.GONE, Part.ALSO):
                return cls(line, at, at + 1, 1)
        return None

    @property
    def lack(self) -> bool:
        """Without the children; add no name that nobody knows."""
        return get(self.line, self.start - 1).does(Part.LACK)

    @property
    def is_taken(self) -> bool:
        """Bringing my son; but not: they are with my sister."""
        before = get(self.line, self.start - 1)
        leads = self.start == 0 or before.is_answer or before.does(Part.AND, Part.ME)
        first = self.line[self.start]
        with_them = first.does(Part.BRING, Part.PLUS) or not first.does(Part.WITH) or leads
        return self.led and with_them

    def joins(self, *, several: bool) -> bool:
        """And his mum; my mum is coming."""
        if self.many is None or any(step.is_not for step in self.line):
            return False
        after = self.line[self.end :]
        if not after:
            return get(self.line, self.start - 1).does(Part.AND)
        if any(step.does(Part.ALSO, Part.JOINING) for step in after):
            return True
        return not several and any(step.is_answer or step.is_coming for step in after)
