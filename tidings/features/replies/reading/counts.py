"""How many guests a reply announces. Pure.

A number counts guests only where the words around it say so: "we'll be 4", "2 adults and 1 child",
"me and my wife", "+1", or beside the answer itself ("yes, 3"). Times, dates, telephone and house
numbers do not, and neither does "4 or 5". What is said last of the same kind holds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from .company import Company, is_free
from .corrections import DOUBTFUL, corrected
from .countable import COUNTED, NOTHING, Line, get, line_of
from .subject import is_about_some, is_not_alone
from .table import Part
from .tagged import Tagged

# Limits where words say that people are counted, and next to a yes: `yes 100` is no headcount.
GUESTS_MAX, GUESTS_MAX_BESIDE = 999, 99
NOT_WITHIN = 3  # steps between a negation and the party that it denies: can't come alone


class Ground(IntEnum):
    """Why a number is read as the number of guests; the highest wins."""

    NONE = 0
    ALONE = 1  # a number and nothing else
    BESIDE_ANSWER = 2  # next to the answer: yes, 3
    NAMED = 3  # Tom and I: says how many, but not that they come
    TAKEN = 4  # with my wife: the same
    PARTY = 5  # both of us
    ADDED = 6  # me and my wife, 2 adults and 1 child
    TOTAL = 7  # we will be 4


@dataclass(frozen=True, slots=True)
class Count:
    guests: int | None  # None: more than was said, or not exactly
    ground: Ground
    is_doubtful: bool = False  # a number was corrected, and it is not clear to what


# Which of several grounds holds: a number beside the answer sums up who is taken along.
_RANK = (
    Ground.NONE, Ground.ALONE, Ground.NAMED, Ground.TAKEN, Ground.BESIDE_ANSWER, Ground.PARTY,
    Ground.ADDED, Ground.TOTAL,
)  # fmt: skip
NOBODY = Count(None, Ground.NONE)


def counted(pieces: Sequence[Tagged]) -> Count:
    """The guests of all statements; unknown if only some of them come."""
    stated = [one for one in pieces if not one.is_asked and not is_not_alone(one)]
    last = max((at for at, piece in enumerate(stated) if is_about_some(piece)), default=-1)
    found = count(stated[last + 1 :])
    if found == NOBODY and last > 0 and count(stated[:last]).guests:
        return Count(None, Ground.NONE, is_doubtful=True)  # yes 4, sorry 2 can't
    return found


def count(pieces: Sequence[Tagged]) -> Count:
    """The number of guests and the ground for it; None if unsure."""
    line = corrected(line_of(pieces))
    if line == DOUBTFUL:
        return Count(None, Ground.NONE, is_doubtful=True)
    found = count_line(line)
    if found.ground is Ground.TAKEN and any(map(speaks_for_several, pieces)):
        return NOBODY
    return found


def count_line(line: Line, *, loosely: bool = False) -> Count:
    """`loosely`: the guest has said yes, and a number without an answer beside it is theirs too."""
    found: list[Count] = []
    at = 0
    while at < len(line):
        if line[at].does(Part.OF_WHICH) and found:
            at = _skip_part(line, at + 1)
            continue
        one, at = _read(line, at, loosely=loosely)
        if one is not None:
            found.append(one)
    return _best(found)


def speaks_for_several(piece: Tagged) -> bool:
    """We come with my mother: it does not say how many we are."""
    return any(
        token.text in lexicon.us for token, lexicon in zip(piece.tokens, piece.spoken, strict=True)
    )


def _skip_part(line: Line, at: int) -> int:
    """The end of what is counted already: 5 of us, of which 2 kids."""
    while at < len(line) and not line[at].is_break:
        at += 1
    return at


def _best(found: list[Count]) -> Count:
    ground = max((one.ground for one in found), key=_RANK.index, default=Ground.NONE)
    last = next((one for one in reversed(found) if one.ground is ground), NOBODY)
    most = GUESTS_MAX if ground > Ground.BESIDE_ANSWER else GUESTS_MAX_BESIDE
    return last if last.guests is not None and last.guests <= most else NOBODY


def _read(line: Line, at: int, *, loosely: bool) -> tuple[Count | None, int]:
    """The count at this position, and the position to continue from."""
    here = line[at]
    if here.does(Part.LACK):
        return _lacking(line, at)
    if here.is_unsure or _is_either_or(line, at):
        return Count(None, Ground.TOTAL), at + 1 + get(line, at + 1).is_number
    if here.is_blank:
        return None, at + 1
    group = Company(line, at)
    taken = here.does(Part.WITH) and not here.does(Part.ME)
    if group.is_sum and not (taken and _goes_elsewhere(line, at)):
        return _sum(line, at, group), group.end
    if here.party is not None and (not here.is_number or _stands_apart(line, at)):
        return _party(line, at), at + 1
    if here.is_number and is_free(line, at):
        return _number(line, at, loosely=loosely), at + 1
    return None, at + 1


def _stands_apart(line: Line, at: int) -> bool:
    """A word such as one, where it says alone and does not count what follows."""
    before, after = get(line, at - 1), get(line, at + 1)
    begins = before is NOTHING or before.is_break or before.is_answer or before.does(Part.ME)
    ends = after is NOTHING or after.is_break or after.is_answer or after.does(Part.AND)
    return begins and ends


def _goes_elsewhere(line: Line, at: int) -> bool:
    """I was at the hospital with dad: who is with the guest does not come."""
    if line[at].does(Part.BRING):
        return False
    start = end = at
    while start > 0 and not line[start - 1].is_break:
        start -= 1
    while end < len(line) and not line[end].is_break:
        end += 1
    return start < at and not any(step.is_answer or step.is_coming for step in line[start:end])


def _lacking(line: Line, at: int) -> tuple[Count | None, int]:
    """Without my wife: one person comes. Without the children: nobody knows."""
    left_out = Company(line, at + 1)
    alone = left_out.ones == left_out.total == 1
    end = max(left_out.end, at + 1)
    return Count(1, Ground.TAKEN) if alone else None, end


def _sum(line: Line, at: int, group: Company) -> Count:
    if group.heads and not group.me and _is_total(line, at, group.end):
        ground = Ground.TOTAL
    elif group.names:
        ground = Ground.NAMED
    elif group.led and not group.added and not group.me:
        ground = Ground.TAKEN
    else:
        ground = Ground.ADDED
    vague = group.vague or _is_about(line, at)
    return Count(None if vague else group.total, ground)


def _party(line: Line, at: int) -> Count | None:
    party = None if _is_about(line, at) else line[at].party
    if party == 1:
        return None if _is_denied(line, at) else Count(1, Ground.PARTY)
    if get(line, at - 1).is_not:
        return None  # not both of us
    return Count(party, Ground.TOTAL if _is_total(line, at, at + 1) else Ground.PARTY)


def _number(line: Line, at: int, *, loosely: bool) -> Count | None:
    value = None if _is_about(line, at) else line[at].value
    if _is_total(line, at, at + 1) and not (loosely and _says_more(line, at + 1)):
        return Count(value, Ground.TOTAL)
    if _is_alone(line):
        return Count(value, Ground.ALONE)
    if _is_beside_answer(line, at) or (loosely and _ends_there(line, at)):
        return Count(value, Ground.BESIDE_ANSWER)
    return Count(value, Ground.TOTAL) if _sums_up(line, at) else None


def _sums_up(line: Line, at: int) -> bool:
    """A number alone in its clause, after people: my wife is coming too, 2."""
    before, after = get(line, at - 1), get(line, at + 1)
    alone = before.is_break and (after is NOTHING or after.is_break)
    people = any(step.does(*COUNTED, Part.ME) or step.is_number for step in line[:at])
    return alone and people


def _is_about(line: Line, at: int) -> bool:
    before = get(line, at - 1)
    shortened = before.is_break and get(line, at - 2).does(Part.ABOUT)  # ca. 10
    return before.does(Part.ABOUT) or before.is_maybe or shortened


def _is_denied(line: Line, at: int) -> bool:
    """Not just me; can't come alone."""
    for back in range(at - 1, at - 1 - NOT_WITHIN, -1):
        before = get(line, back)
        if before.is_break or before is NOTHING:
            return False
        if before.is_not:
            return True
    return False


def _is_total(line: Line, start: int, end: int) -> bool:
    if line[start].does(Part.TOGETHER):
        return True
    before = get(line, start - 1)
    if before.does(Part.FOR) and not before.does(Part.WE_ARE):
        before = get(line, start - 2)
    after = get(line, end)
    part = after.does(Part.OUT_OF) and not get(line, end + 1).does(Part.KIDS, Part.ONE)
    if part or after.does(Part.OF_WHICH) or (after.is_not and get(line, end + 1).is_number):
        return True  # 3 of the 5; 5, of whom 2; 3 not 4
    if before.is_soft and (after.is_break or after is NOTHING):
        before = get(line, start - 2)  # headcount: 4
        if before.does(Part.PEOPLE):
            return True
    leads = before.does(Part.WE_ARE, Part.IN_ALL) and not (after.is_name and not after.is_apart)
    return leads or after.does(Part.IN_ALL)


def _is_alone(line: Line) -> bool:
    return sum(not step.is_break for step in line) == 1


def _says_more(line: Line, at: int) -> bool:
    """2 of us are vegetarian: it says something else of some of them."""
    if get(line, at - 2).does(Part.WE_ARE):
        return False
    while get(line, at).does(Part.IN_ALL, Part.OUT_OF, Part.KIDS) and not get(line, at).is_answer:
        at += 1
    after = get(line, at)
    other = get(line, at + 1)
    return after.is_name or (
        after.does(Part.WE_ARE) and (other.is_name or other.does(Part.UNIT, Part.ADULTS))
    )


def _ends_there(line: Line, at: int) -> bool:
    """A clause of its own, nothing counted by it: 8 now; 6, forgot Mum."""
    before, after = get(line, at - 1), get(line, at + 1)
    starts = at == 0 or before.is_break or before.does(Part.INSTEAD, Part.FOR, Part.LACK)
    ends = after is NOTHING or after.is_break or after.does(Part.INSTEAD, Part.LACK)
    return starts and ends and not (line[at].is_word and line[at].value == 1)


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


def _is_either_or(line: Line, at: int) -> bool:
    """4 or 5; in fours or fives."""
    if not line[at].does(Part.OR) or not _has_number(line, at - 1):
        return False
    ordinal = get(line, at - 1).party is not None and get(line, at + 1).is_name
    return ordinal or _has_number(line, at + 1)


def _has_number(line: Line, at: int) -> bool:
    return get(line, at).is_number or get(line, at).party is not None
