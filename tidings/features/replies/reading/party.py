"""A reply that only changes how many come, of a guest who has said yes. Pure.

    find_party("make it 3")          3
    find_party("no, only 2 of us")   2
    find_party("3, not 4")           3
    find_party("no")                 None

Only after a yes: the same words of a guest who has not answered may be a refusal. The whole reply
must match (`tables/party.py`), in one language; otherwise it is read like any other reply.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from .table import phrases, valued
from .tables import TABLES
from .tables.party import PARTIES
from .tokens import Clause, Kind, Token

TOKENS_MAX = 16  # a longer reply is not just a number
GUESTS_MAX = 99
NOBODY = {("no", "one"), ("not", "one")}

Phrases = dict[str, list[tuple[str, ...]]]  # by their first word, the longest first


@dataclass(frozen=True, slots=True)
class _Grammar:
    """The phrases of one language, tokenised like replies."""

    lead: Phrases
    people: Phrases
    tail: Phrases
    instead: Phrases
    numbers: dict[tuple[str, ...], int]
    starts: Phrases  # of the numbers


def find_party(parts: Sequence[Clause]) -> int | None:
    """The number of people, if the whole reply says nothing else."""
    tokens = [each for part in parts for each in part.tokens if each.kind is not Kind.EMOJI]
    if len(tokens) > TOKENS_MAX or any(part.is_asked for part in parts):
        return None
    if not all(each.kind in (Kind.WORD, Kind.NUMBER) for each in tokens):
        return None
    if tuple(each.text for each in tokens[:2]) in NOBODY:
        return None
    for grammar in _grammars():
        found = _Reading(grammar, tokens).read()
        if found is not None:
            return found if 0 < found <= GUESTS_MAX else None
    return None


class _Reading:
    """One pass over the reply; `at` is the token to be read next."""

    def __init__(self, grammar: _Grammar, tokens: Sequence[Token]) -> None:
        self.grammar = grammar
        self.tokens = tokens
        self.words = tuple(each.text for each in tokens)
        self.at = 0

    def read(self) -> int | None:
        """`not 4, 3`; else `no, 3 people, not 4, please`."""
        self._skip_lead()
        if self._retract():
            self._skip_lead()
        found = self._number()
        if found is None:
            return None
        self._skip(self.grammar.people)
        self._retract()
        self._skip(self.grammar.tail)
        return found if self.at == len(self.words) else None

    def _retract(self) -> bool:
        """Skip a retracted number: not 4."""
        before = self.at
        if self._take(self.grammar.instead) and self._number() is not None:
            self._skip(self.grammar.people)
            return True
        self.at = before
        return False

    def _number(self) -> int | None:
        token = self.tokens[self.at] if self.at < len(self.tokens) else None
        if token is not None and token.value is not None:
            self.at += 1
            return token.value
        taken = self._take(self.grammar.starts)
        return self.grammar.numbers[taken] if taken else None

    def _skip_lead(self) -> None:
        """Skip to the number, which may itself begin like a lead: just me."""
        while not self._is_number() and self._take(self.grammar.lead):
            pass

    def _is_number(self) -> bool:
        before = self.at
        found = self._number()
        self.at = before
        return found is not None

    def _skip(self, among: Phrases) -> None:
        while self._take(among):
            pass

    def _take(self, among: Phrases) -> tuple[str, ...]:
        """The longest phrase at this position; empty if there is none."""
        for phrase in among.get(self.words[self.at], ()) if self.at < len(self.words) else ():
            if self.words[self.at : self.at + len(phrase)] == phrase:
                self.at += len(phrase)
                return phrase
        return ()


@cache
def _grammars() -> tuple[_Grammar, ...]:
    tables = {table.language: table for table in TABLES}
    found = []
    for party in PARTIES:
        table = tables[party.language]
        numbers = dict(valued(table.numbers)) | dict(valued(table.party))
        numbers |= dict(valued(table.together))
        lead, people = _listed(party.lead), _listed(party.people)
        tail, instead = _listed(party.tail), _listed(party.instead)
        found.append(_Grammar(lead, people, tail, instead, numbers, _by_start(numbers)))
    return tuple(found)


def _listed(text: str) -> Phrases:
    return _by_start(phrases(text))


def _by_start(listed: Iterable[tuple[str, ...]]) -> Phrases:
    found: Phrases = {}
    for phrase in sorted(set(listed), key=len, reverse=True):
        found.setdefault(phrase[0], []).append(phrase)
    return found
