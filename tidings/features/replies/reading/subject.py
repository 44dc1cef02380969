"""The subject of a piece of a reply: the guest, somebody else, or some of the party. Pure."""

from itertools import pairwise

from .lexicon import find
from .table import Part, Role
from .tagged import Item, Tagged
from .tokens import Kind

VERBS = frozenset({Role.GO, Role.BE, Role.TO_GO, Role.CAN, Role.WISH})
_REFUSALS = frozenset({Role.NO, Role.NOT})
_BETWEEN = VERBS | {Role.LIGHT, Role.THEY_GO}
_COUNTED = (Part.PEOPLE, Part.ADULTS, Part.KIDS, Part.IN_ALL)
_NAMES_IT = (Part.AT, Part.CALLED, Part.WE_ARE)  # a time, a table, or all of the party


def is_about_others(piece: Tagged) -> bool:
    """Somebody else is the subject: right before the verb, and not together with the guest."""
    items = [item for item in piece.items if item.role is not Role.LIGHT]
    for item, after in pairwise(items):
        if item.role is Role.WHO and (after.role in VERBS or after.role in _REFUSALS):
            return not _is_joined(piece, item)
    return False


def _is_joined(piece: Tagged, item: Item) -> bool:
    """My wife and I, me and the wife, with my wife."""
    lexicon = piece.spoken[item.start]
    start = item.start
    while start and piece.tokens[start - 1].text in lexicon.light - lexicon.joins:
        start -= 1
    before = piece.tokens[start - 1].text if start else ""
    after = piece.tokens[item.end].text if item.end < len(piece.tokens) else ""
    return before in lexicon.joins or after in lexicon.joins


def is_about_some(piece: Tagged) -> bool:
    """Some of the party do not come (2 of us can't); it says nothing about the others."""
    return any(
        _is_number(piece, item) and not _is_all(piece, item) and _is_refused(piece, item, index)
        for index, item in enumerate(piece.items)
    )


def _is_number(piece: Tagged, item: Item) -> bool:
    if piece.tokens[item.start].kind is Kind.NUMBER:
        return True
    return item.role in (Role.PLAIN, None) and _is_spelt_number(piece, item.start)


def _is_spelt_number(piece: Tagged, at: int) -> bool:
    lexicon = piece.spoken[at]
    found = find(lexicon.count, lexicon.light, piece.tokens[: at + 1], at)
    return found is not None and found.entry.is_number and Part.PARTY not in found.entry.parts


def _is_all(piece: Tagged, item: Item) -> bool:
    """The 4 of us, all 3; or a number of something else: at 8."""
    if item.start == 0:
        return False
    lexicon, before = piece.spoken[item.start], piece.tokens[item.start - 1].text
    return before in lexicon.light - lexicon.joins or _does(piece, item.start - 1, *_NAMES_IT)


def _is_refused(piece: Tagged, item: Item, index: int) -> bool:
    named = item.end < len(piece.tokens) and _does(piece, item.end, *_COUNTED)
    for after in piece.items[index + 1 :]:
        if after.role is Role.NOT and _is_number_at(piece, after.end):
            return False  # 3, not 4
        if after.role in _REFUSALS or after.role is Role.AWAY:
            return True
        counted = named and after.role is Role.PLAIN
        if not counted and not (named and after.role in _BETWEEN):
            return False
    return False


def _is_number_at(piece: Tagged, at: int) -> bool:
    return at < len(piece.tokens) and piece.tokens[at].kind is Kind.NUMBER


def _does(piece: Tagged, at: int, *parts: Part) -> bool:
    lexicon = piece.spoken[at]
    found = find(lexicon.count, lexicon.light, piece.tokens, at)
    return found is not None and not found.entry.parts.isdisjoint(parts)
