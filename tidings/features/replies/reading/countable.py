"""A reply as input for counting: numbers, people, and words that say what a number is. Pure.

Words that say nothing about a count are left out, and the step after them is marked.
"""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from .lexicon import Entry, Lexicon, find
from .table import Part, Role
from .tagged import Item, Tagged
from .tokens import Kind

COUNTED = (Part.PEOPLE, Part.ADULTS, Part.KIDS, Part.PAIRS, Part.ONE)  # after a number
QUIET = (Role.WARM, Role.LIGHT, Role.VOID)
_KNOWN = (Part.INSTEAD, Part.LACK)  # a phrase that begins so says something of the number
_LABELS = frozenset({Part.CALLED, Part.UNIT, Part.AT, Part.ABOUT, Part.SKIP, Part.GONE})
_SOFT = set(",:;()")  # marks that may stand between the members of a list


class Step(msgspec.Struct, frozen=True, gc=False):
    parts: frozenset[Part] = frozenset()
    value: int | None = None  # of a number
    party: int | None = None  # of a phrase that names a number of guests, such as "both of us"
    group: int | None = None  # of a phrase that names a number of more people: my parents
    is_word: bool = False  # the number was spelt out
    is_answer: bool = False  # it says that they come
    is_coming: bool = False  # a verb that may say so: bring, attend
    is_break: bool = False  # between clauses
    is_soft: bool = False  # a break such as a comma
    is_unsure: bool = False  # 4-5
    is_name: bool = False  # a word in no table
    is_not: bool = False  # it negates what follows
    is_maybe: bool = False
    is_several: bool = False  # a phrase of several words
    is_apart: bool = False  # words were left out before it
    is_greeted: bool = False  # the word before it was one of courtesy: dear Mary

    @property
    def is_number(self) -> bool:
        return self.value is not None

    @property
    def is_blank(self) -> bool:
        """Nothing begins here that counts anybody."""
        return not (self.parts or self.is_number or self.is_name)

    def does(self, *parts: Part) -> bool:
        return bool(self.parts) and not self.parts.isdisjoint(parts)


HARD_BREAK, SOFT_BREAK = Step(is_break=True), Step(is_break=True, is_soft=True)
NOTHING = Step()
Line = list[Step]


def get(line: Line, at: int) -> Step:
    """The step at an index; NOTHING outside the line."""
    return line[at] if 0 <= at < len(line) else NOTHING


def line_of(pieces: Sequence[Tagged]) -> Line:
    line: Line = []
    ends = ""
    for piece in pieces:
        steps = _steps(piece)
        if "(" in ends and _is_age(line, steps):
            ends = piece.ends.replace(")", "")
            continue
        if line:
            line.append(SOFT_BREAK if _SOFT.issuperset(ends) else HARD_BREAK)
        line += steps
        ends = piece.ends or ","
    return line


def _is_age(line: Line, steps: Line) -> bool:
    """Max (5), my daughter (6 years)."""
    known = bool(steps) and steps[0].is_number
    short = all(step.does(Part.AGED, Part.UNIT) for step in steps[1:])
    person = bool(line) and (line[-1].is_name or line[-1].does(Part.ONE, Part.KIDS, Part.GROUP))
    return known and short and person


def _steps(piece: Tagged) -> Line:
    roles = {at: item for item in piece.items for at in range(item.start, item.end)}
    known = {  # skipped, such as "what a handsome couple"
        item.start: item.end
        for item in piece.items
        if item.is_phrase
        and item.role in (Role.VOID, Role.OTHER)
        and not _counts(piece, item)
        and not (item.role is Role.OTHER and _is_joined(piece, item.end))  # it's me and Tom
    }
    steps: Line = []
    apart = greeted = False
    at, end = piece.items[0].start, piece.items[-1].end
    while at < end:
        if at in known:
            at, apart, greeted = known[at], True, False
            continue
        step, after = step_at(piece, at, roles[at])
        word, item = piece.tokens[at].text, roles[at]
        own = word in piece.spoken[at].own and _is_idle(piece, (at, after), step)
        if own or (step == NOTHING and item.role in QUIET):
            apart = apart or not own
            greeted = item.role is Role.WARM
        else:
            marked = apart or greeted
            steps.append(replace(step, is_apart=apart, is_greeted=greeted) if marked else step)
            apart = greeted = False
        at = after
    return steps


def _is_joined(piece: Tagged, at: int) -> bool:
    return at < len(piece.tokens) and piece.tokens[at].text in piece.spoken[at].joins


def _is_idle(piece: Tagged, span: tuple[int, int], step: Step) -> bool:
    """The 5th is a day, and a las 8 a time; the children are neither."""
    if step.is_number or not step.parts <= {Part.AT, Part.FOR}:
        return False
    if not step.parts:
        return True
    at, end = span
    return piece.tokens[at].text in piece.spoken[at].articles and not _is_time(piece, end)


def _is_time(piece: Tagged, at: int) -> bool:
    """A number of no people: the 5th, and not the 5 children."""
    if at >= len(piece.tokens) or piece.tokens[at].kind is not Kind.NUMBER:
        return False
    if at + 1 == len(piece.tokens):
        return True
    lexicon = piece.spoken[at]
    found = find(lexicon.count, lexicon.light, piece.tokens, at + 1)
    return found is None or found.entry.parts.isdisjoint(COUNTED)


def _counts(piece: Tagged, item: Item) -> bool:
    """A phrase that is known to counting too: "no wait" announces another number."""
    lexicon = piece.spoken[item.start]
    found = find(lexicon.count, lexicon.light, piece.tokens, item.start)
    if found is None:
        return False
    return found.end >= item.end or not found.entry.parts.isdisjoint(_KNOWN)


def step_at(piece: Tagged, at: int, item: Item) -> tuple[Step, int]:
    """What the word or phrase at this token is to counting, and the token after it."""
    known: tuple[Step, int] | None = piece.steps.get(at)
    if known is None:
        known = piece.steps[at] = _step_at(piece, at, item)
    return known


def _step_at(piece: Tagged, at: int, item: Item) -> tuple[Step, int]:
    token, lexicon = piece.tokens[at], piece.spoken[at]
    if token.kind is Kind.NUMBER:
        return Step(value=token.value), at + 1
    if token.kind is Kind.RANGE:
        return Step(is_unsure=True), at + 1
    found = find(lexicon.count, lexicon.light, piece.tokens, at)
    if found is not None and token.guessed and set() < found.entry.parts <= _LABELS:
        found = None  # Grace is no misspelt grade
    if found is not None:
        return _counted(found.entry, is_answer=_is_answer(item)), found.end
    if token.kind is Kind.EMOJI:
        return Step(is_break=True, is_soft=True, is_answer=_is_answer(item)), at + 1
    if token.kind is not Kind.WORD:
        return Step(is_answer=_is_answer(item)), at + 1
    step = _word(item)
    is_name = step.is_name and _may_be_name(token.text, lexicon)
    return (step if is_name == step.is_name else replace(step, is_name=False)), at + 1


def _word(item: Item) -> Step:
    return Step(
        is_answer=_is_answer(item),
        is_coming=item.role in (Role.TO_GO, Role.THEY_GO),
        is_name=item.role is None or (item.guessed and not item.is_phrase),
        is_not=not item.is_phrase and (item.role is Role.NOT or item.may_negate),
        is_maybe=item.role is Role.MAYBE,
    )


def _may_be_name(word: str, lexicon: Lexicon) -> bool:
    return word not in lexicon.common and not word.startswith(lexicon.table.articles)


def _counted(entry: Entry, *, is_answer: bool) -> Step:
    if Part.SKIP in entry.parts:
        return Step(frozenset({Part.SKIP}), is_answer=is_answer)
    if Part.PARTY in entry.parts:
        number = entry.value if entry.is_number else None
        return Step(entry.parts, number, entry.value, is_word=True, is_answer=is_answer)
    if Part.GROUP in entry.parts:
        return Step(entry.parts, group=entry.value, is_word=True, is_answer=is_answer)
    number = entry.value if entry.is_number or Part.TOGETHER in entry.parts else None
    return Step(
        entry.parts,
        number,
        is_word=number is not None,
        is_several=len(entry.words) > 1,
        is_answer=is_answer,
    )


def _is_answer(item: Item) -> bool:
    return item.role in (Role.YES, Role.GO, Role.BE)
