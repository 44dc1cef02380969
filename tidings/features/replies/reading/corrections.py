"""A number that replaces an earlier one: we'll be 3, no wait, 4. Pure."""

from collections.abc import Sequence

from .countable import NOTHING, Line, Step, get, line_of
from .table import Part, Role
from .tagged import Tagged

_TOTAL = Step(frozenset({Part.WE_ARE}))
DOUBTFUL = [Step(is_unsure=True)]
_BETWEEN = (Part.INSTEAD, Part.FOR, Part.WE_ARE)
_AFTER = (Part.PEOPLE, Part.ADULTS, Part.KIDS, Part.ONE, Part.IN_ALL)  # a number
_QUIET = (Role.NO, Role.SORRY, Role.VOID, Role.LIGHT, Role.WARM, Role.PLAIN, None)


def corrected(line: Line) -> Line:
    """The line from its last correction on, unchanged if it has none, or DOUBTFUL."""
    for at in reversed(range(len(line))):
        number_at = _find_corrected(line, at)
        if number_at is None:
            continue
        if _is_doubtful(line, at, number_at):
            return DOUBTFUL
        return [_TOTAL, *line[number_at:]]
    return [step for step in line if step.parts != {Part.INSTEAD}]


def _find_corrected(line: Line, at: int) -> int | None:
    """The index of the number that a correction at `at` introduces, if there is one."""
    here, number_at = line[at], at + 1
    if not here.does(Part.INSTEAD) or not any(map(_is_counted, line[:at])):
        return None
    if here.does(Part.CALLED) and not (get(line, at - 1).is_break or get(line, number_at).is_break):
        return None  # table no 4
    while get(line, number_at).is_break or get(line, number_at).does(*_BETWEEN):
        number_at += 1
    return number_at if _is_counted(get(line, number_at)) and _ends(line, number_at + 1) else None


def _is_doubtful(line: Line, at: int, number_at: int) -> bool:
    """`4 adults and 2 kids, no, 3 kids` corrects a part; in `4, no 5` the no may mean not."""
    part = get(line, number_at + 1).does(Part.KIDS, Part.ONE)
    return part or (line[at].does(Part.CALLED) and number_at == at + 1)


def _is_counted(step: Step) -> bool:
    return step.is_number or step.party is not None


def _ends(line: Line, at: int) -> bool:
    """Whether nothing follows but what the number counts."""
    while get(line, at).does(*_AFTER):
        at += 1
    after = get(line, at)
    more = after.does(Part.AND, Part.PLUS)
    return more or after is NOTHING or after.is_break or after.is_answer


def without_corrections(pieces: Sequence[Tagged]) -> list[Tagged]:
    """The pieces of a reply without those that only correct a number: `3, no, 4` is not a no.

    Read backwards: words such as `no, wait` count only where a number follows.
    """
    if len(pieces) < 2 or not any(map(_is_quiet, pieces)):
        return list(pieces)
    lines = [line_of([piece]) for piece in pieces]
    counted = [any(map(_is_counted, line)) for line in lines]
    kept: list[Tagged] = []
    leads_on = False  # what follows is a number and nothing else
    for index in reversed(range(len(pieces))):
        number_at = _number_index(lines[index])
        before = lines[index][:number_at] if number_at is not None else lines[index]
        instead = _is_lead(pieces[index], before) and (number_at is not None or leads_on)
        if instead and any(counted[:index]):
            leads_on = True
            continue
        kept.insert(0, pieces[index])
        leads_on = number_at == 0
    return kept


def _number_index(line: Line) -> int | None:
    """The index of the number in a piece that says nothing else."""
    number_at = next((at for at, step in enumerate(line) if step.is_number), None)
    return number_at if number_at is not None and _ends(line, number_at + 1) else None


def _is_lead(piece: Tagged, line: Line) -> bool:
    """Whether it has only words such as no, wait."""
    if not line or not _is_quiet(piece):
        return False
    return all(step.does(*_BETWEEN) for step in line) and line[0].does(Part.INSTEAD)


def _is_quiet(piece: Tagged) -> bool:
    return all(item.role in _QUIET for item in piece.items)
