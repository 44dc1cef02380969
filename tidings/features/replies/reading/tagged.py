"""Clauses with the role of each phrase looked up, and unknown words marked. Pure.

A clause is cut before "but" and before a question inside it, so that each piece says one thing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import msgspec

from . import lexicon as look_up
from .languages import Spoken, candidates, script_of
from .lexicon import Entry, Lexicon
from .table import Role
from .tables import signs
from .tokens import Clause, Kind, Token

# If a phrase has several roles, the first of these applies.
_ORDER = (
    Role.SPIRIT, Role.HOW, Role.VOID, Role.OTHER, Role.MAYBE, Role.IF, Role.ASK, Role.YES,
    Role.NO, Role.CANNOT, Role.MISS, Role.SORRY, Role.AWAY, Role.GO, Role.BE, Role.CAN,
    Role.THEY_GO, Role.WISH, Role.TO_GO, Role.NOT, Role.BUT, Role.WHO, Role.DAY, Role.WARM,
    Role.LIGHT, Role.PLAIN,
)  # fmt: skip
BEFORE_QUESTION_MAX = 1  # words without a role before the start of a question
_RANK = {role: rank for rank, role in enumerate(_ORDER)}


class Item(msgspec.Struct, frozen=True, gc=False):
    """A phrase in a clause; an unknown word has no role."""

    role: Role | None
    start: int
    end: int
    may_negate: bool = False  # a NO that also negates what follows
    is_cannot: bool = False
    is_never: bool = False  # a phrase such as no way, whatever follows
    guessed: bool = False
    is_sign: bool = False  # an emoji

    @property
    def is_phrase(self) -> bool:
        return self.end - self.start > 1


@dataclass(frozen=True)  # without slots, so that is_asked can be cached
class Tagged:
    """A piece of a clause; its items index the tokens of the whole clause."""

    tokens: tuple[Token, ...]
    spoken: tuple[Lexicon, ...]  # the language of each token
    items: tuple[Item, ...]
    ends: str
    after_but: bool = False
    # What counting made of the tokens (`countable.step_at`), by their places in the clause.
    steps: dict[int, Any] = field(default_factory=dict, repr=False, compare=False)

    def has(self, *roles: Role) -> bool:
        return any(item.role in roles for item in self.items)

    @cached_property
    def is_asked(self) -> bool:
        """It ends with a question mark, or starts like a question."""
        if "?" in self.ends:
            return True
        strange = 0
        for item in self.items:
            strange += item.role not in (Role.WARM, Role.BUT, Role.ASK)
            if item.role is Role.ASK:
                return strange <= BEFORE_QUESTION_MAX
            if item.role not in (Role.WARM, Role.BUT, Role.LIGHT, None):
                return False
        return False

    @property
    def unknown(self) -> int:
        return sum(item.role is None for item in self.items)


def tag(clauses: Sequence[Clause]) -> list[Tagged]:
    """Every clause of a reply with its phrases found, in pieces that say one thing."""
    pieces: list[Tagged] = []
    for clause, choices in zip(clauses, candidates(clauses), strict=True):
        readings = [_tag(clause, languages) for languages in choices]
        pieces += _cut(min(readings, key=_strangeness))
    return pieces


def _strangeness(reading: Tagged) -> tuple[int, int]:
    """Sort key of languages: the fewest unknown words first, then the longest phrases."""
    silent = sum(item.role in (Role.LIGHT, Role.PLAIN, Role.WARM) for item in reading.items)
    guessed = sum(item.guessed for item in reading.items)
    return reading.unknown * 2 + guessed + len(reading.items), silent


def _tag(clause: Clause, languages: Spoken) -> Tagged:
    tokens: list[Token] = []
    spoken: list[Lexicon] = []
    current = next(iter(languages.values()))  # a number is in the language of the words around it
    for token in clause.tokens:
        if token.is_word:
            current = languages[script_of(token.text)]
        respelt = look_up.respell(token, current)
        tokens += respelt
        spoken += [current] * len(respelt)
    return Tagged(tuple(tokens), tuple(spoken), tuple(_items(tokens, spoken)), clause.ends)


def _items(tokens: list[Token], spoken: list[Lexicon]) -> list[Item]:
    items: list[Item] = []
    at = 0
    while at < len(tokens):
        item = _item(tokens, spoken[at], at)
        items.append(item)
        at = item.end
    return items


def _item(tokens: list[Token], lexicon: Lexicon, at: int) -> Item:
    token = tokens[at]
    if token.kind is Kind.EMOJI:
        return Item(_sign(token.text), at, at + 1, is_sign=True)
    found = look_up.find(lexicon.sense, lexicon.light, tokens, at)
    if found is None:
        counted = look_up.find(lexicon.count, lexicon.light, tokens, at)
        if counted is not None:
            return Item(Role.PLAIN, at, at + 1)
        return Item(None if token.is_word else Role.PLAIN, at, at + 1)
    roles = found.entry.roles
    return Item(
        min(roles, key=_RANK.__getitem__),
        at,
        found.end,
        may_negate=_may_negate(found.entry, lexicon),
        is_cannot=Role.CANNOT in roles,
        is_never=_is_never(found.entry),
        guessed=any(each.guessed for each in tokens[at : found.end]),
    )


def _may_negate(entry: Entry, lexicon: Lexicon) -> bool:
    """A refusal such as no, cannot, definitely not."""
    if Role.NO not in entry.roles:
        return False
    return Role.NOT in entry.roles or entry.words[-1] in lexicon.negators


def _is_never(entry: Entry) -> bool:
    denies = {Role.NO, Role.NOT} <= entry.roles and Role.CANNOT not in entry.roles
    return denies and len(entry.words) > 1


def _sign(emoji: str) -> Role:
    if emoji in signs.YES:
        return Role.YES
    if emoji in signs.NO:
        return Role.NO
    return Role.MAYBE if emoji in signs.MAYBE else Role.WARM


def _cut(whole: Tagged) -> list[Tagged]:
    """Cut before each "but" and "so we", and before a question inside the clause."""
    asked = "?" in whole.ends
    pieces: list[Tagged] = []
    start = 0
    for index, item in enumerate(whole.items):
        begins = item.role is Role.BUT or (item.role is Role.ASK and asked)
        begins = begins or (_concludes(whole, item) and _denies(whole.items[start:index]))
        if begins and index > start:
            pieces.append(_piece(whole, start, index, ends=","))
            start = index
    pieces.append(_piece(whole, start, len(whole.items), ends=whole.ends))
    return pieces


def _concludes(whole: Tagged, item: Item) -> bool:
    words = tuple(each.text for each in whole.tokens[item.start : item.start + 2])
    return words in whole.spoken[item.start].conclusions


def _denies(items: Sequence[Item]) -> bool:
    return any(item.role in (Role.NO, Role.NOT) for item in items)


def _piece(whole: Tagged, start: int, end: int, *, ends: str) -> Tagged:
    items = whole.items[start:end]
    after_but = bool(items) and items[0].role is Role.BUT
    return replace(whole, items=items, ends=ends, after_but=after_but)
