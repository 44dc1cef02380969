"""A table indexed for lookup: phrases by first word, and correction of misspelt words. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

import msgspec

from .table import Part, Role, Table, phrases, valued
from .tables import TABLES
from .tokens import Token

SKIPPED_MAX = 2  # light words within a phrase
TYPO_CHARS_MIN = 5
TWO_TYPOS_CHARS_MIN = 9
NAME_CHARS_MIN = 3

VALUED = (
    Part.GROUP,
    Part.PARTY,
    Part.TOGETHER,
)  # phrases that are a number of people in themselves

_NONE: frozenset[str] = frozenset()
_DOUBLE = re.compile(r"(.)\1")


@dataclass(frozen=True, slots=True)
class Entry:
    words: tuple[str, ...]
    roles: frozenset[Role]
    parts: frozenset[Part]
    value: int | None  # of a number, a party or a group
    is_number: bool

    @property
    def is_loose(self) -> bool:
        """Whether light words are allowed within it. The start of a question must match exactly."""
        return Role.ASK not in self.roles


Index = dict[str, dict[str, list[Entry]]]  # by the first word and the second, longest first


@dataclass(slots=True)
class _Draft:
    roles: set[Role] = field(default_factory=set)
    parts: set[Part] = field(default_factory=set)
    value: int | None = None
    is_number: bool = False


class Lexicon:
    """The phrases of a language. Built once per table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        entries = _entries(table)
        self.sense = _index(entry for entry in entries if entry.roles)
        self.count = _index(entry for entry in entries if entry.parts or entry.is_number)
        self.light = frozenset(words[0] for words in phrases(table.light) if len(words) == 1)
        # Before a person in a list. A table that names none allows all light words there.
        self.articles = _single(table.own)
        self.own = self.articles or self.light
        self.us = _single(table.us)
        self.common = _single(table.common)
        self.ands = _single(table.and_)
        self.common = _single(table.common)
        self.auxiliary = _single(table.auxiliary)
        self.negators = _single(table.not_)
        self.determiners = _single(table.determiners)
        self.conclusions = frozenset(phrases(table.so))
        self.joins = _single(table.and_, table.with_, table.me, table.plus)
        words = {word for entry in entries for word in entry.words}
        self.vocabulary = self.own | {word for word in words if not word.isdigit()}
        alone_yes, alone_no = ("", "") if table.unread else (table.alone_yes, table.alone_no)
        self.alone_yes = frozenset(" ".join(words) for words in phrases(alone_yes))
        self.alone_no = frozenset(" ".join(words) for words in phrases(alone_no))
        self._single_letters = {_DOUBLE.sub(r"\1", word): word for word in sorted(self.vocabulary)}
        # By first and last letter: another ending is another form of the word, not a typing error.
        self._by_edges: dict[str, list[str]] = {}
        for word in sorted(self.vocabulary):
            if len(word) >= TYPO_CHARS_MIN:
                self._by_edges.setdefault(word[0] + word[-1], []).append(word)
        self.spell = lru_cache(maxsize=4096)(self._spell)

    def _spell(self, word: str) -> tuple[tuple[str, ...], bool] | None:
        """The words of this language that it is, and whether by a guess; None: unknown."""
        if word in self.vocabulary:
            return (word,), False
        for prefix in self.table.prefixes:
            rest = word.removeprefix(prefix)
            if rest != word and len(rest) > 1 and rest in self.vocabulary:
                return (prefix, rest), False
        if self.table.small:
            return None  # too few words to guess by distance
        near = self._single_letters.get(_DOUBLE.sub(r"\1", word)) or self._find_near(word)
        return ((near,), True) if near else self._joined(word)

    def _joined(self, word: str) -> tuple[tuple[str, ...], bool] | None:
        """A name with a conjunction written before it: and Tom, as one word."""
        if word in self.common:
            return None
        for prefix in sorted(self.table.prefixes, key=len):
            rest = word.removeprefix(prefix)
            if prefix in self.ands and rest != word and len(rest) >= NAME_CHARS_MIN:
                return (prefix, rest), False
        return None

    def _find_near(self, word: str) -> str | None:
        """The one word at edit distance 1, or 2 if it is long."""
        if len(word) < TYPO_CHARS_MIN:
            return None
        from rapidfuzz.distance import OSA  # a service starts before it reads a misspelt word
        from rapidfuzz.process import extractOne

        errors = 2 if len(word) >= TWO_TYPOS_CHARS_MIN else 1
        choices = self._by_edges.get(word[0] + word[-1], [])
        found = extractOne(word, choices, scorer=OSA.distance, score_cutoff=errors)
        return found[0] if found else None


class Match(msgspec.Struct, frozen=True, gc=False):
    entry: Entry
    end: int  # the token after it


def find(index: Index, light: frozenset[str], tokens: Sequence[Token], at: int) -> Match | None:
    """The longest phrase that begins at a token; light words within it are skipped."""
    beginning = index.get(tokens[at].text)
    if beginning is None:
        return None
    best: Match | None = None
    for second in _seconds(light, tokens, at):
        for entry in beginning.get(second, ()):
            if best is not None and len(entry.words) < len(best.entry.words):
                break
            end = _end(entry.words, light if entry.is_loose else _NONE, tokens, at)
            if end is not None and (best is None or _is_better(entry, end, best)):
                best = Match(entry, end)
    return best


def _is_better(entry: Entry, end: int, best: Match) -> bool:
    return (len(entry.words), -end) > (len(best.entry.words), -best.end)


def _seconds(light: frozenset[str], tokens: Sequence[Token], at: int) -> list[str]:
    """The words that may come second in a phrase; the empty one is for phrases of one word."""
    seconds = []
    for token in tokens[at + 1 : at + 2 + SKIPPED_MAX]:
        seconds.append(token.text)
        if token.text not in light:
            break
    return [*seconds, ""]


def _end(
    words: tuple[str, ...], light: frozenset[str], tokens: Sequence[Token], at: int
) -> int | None:
    skipped, end = 0, at + 1
    for word in words[1:]:
        while end < len(tokens) and tokens[end].text != word:
            if tokens[end].text not in light or skipped == SKIPPED_MAX:
                return None
            skipped, end = skipped + 1, end + 1
        if end == len(tokens):
            return None
        end += 1
    return end


def respell(token: Token, lexicon: Lexicon) -> list[Token]:
    """A token with its prefix split off and typing errors corrected."""
    spelt = lexicon.spell(token.text) if token.is_word else None
    if spelt is None:
        return [token]
    words, guessed = spelt
    if not guessed and words == (token.text,):
        return [token]
    return [Token(word, guessed=guessed) for word in words]


def _entries(table: Table) -> list[Entry]:
    drafts: dict[tuple[str, ...], _Draft] = {}
    for role in Role:
        for words in phrases(getattr(table, role.value)):
            drafts.setdefault(words, _Draft()).roles.add(role)
    for words in phrases(table.cannot):
        drafts[words].roles |= {Role.NO, Role.NOT}
    for part in Part:
        if part not in VALUED:
            for words in phrases(getattr(table, part.value)):
                drafts.setdefault(words, _Draft()).parts.add(part)
    for words in phrases(table.adults):
        drafts[words].parts.discard(Part.PEOPLE)
    for part in VALUED:
        for words, value in valued(getattr(table, part.value)):
            draft = drafts.setdefault(words, _Draft())
            draft.value, draft.parts = value, {part}
    for words, value in valued(table.numbers):
        draft = drafts.setdefault(words, _Draft())
        draft.value, draft.is_number = value, True
    return [
        Entry(words, frozenset(each.roles), frozenset(each.parts), each.value, each.is_number)
        for words, each in drafts.items()
    ]


def _index(entries: Iterable[Entry]) -> Index:
    found: Index = {}
    for entry in sorted(entries, key=lambda entry: -len(entry.words)):
        second = entry.words[1] if len(entry.words) > 1 else ""
        found.setdefault(entry.words[0], {}).setdefault(second, []).append(entry)
    return found


def _single(*texts: str) -> frozenset[str]:
    return frozenset(words[0] for text in texts for words in phrases(text) if len(words) == 1)


@cache
def written_in(script: str) -> tuple[Lexicon, ...]:
    """The languages of an alphabet, large ones first; built on first use."""
    return tuple(Lexicon(table) for table in TABLES if table.script == script)


def make_ready() -> None:
    """Build all of them ahead of the first reply: it takes 0.1 s per alphabet."""
    for table in TABLES:
        written_in(table.script)
