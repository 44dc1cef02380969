"""Stop and start words, which count only as the whole reply. Pure.

is_stop("STOP!")                  True
is_stop("הסר בבקשה")               True
is_stop("don't stop, we'll come")  False
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain

from .normalise import normalise
from .table import phrases
from .tables import subscription
from .tokens import Clause, Kind, clauses

CHARS_MAX = 512  # longer than any such phrase, emoji included: not checked
WORDS_MAX = 12  # a longer reply is not checked


def is_stop(text: str) -> bool:
    """The guest wants no more messages."""
    return text.strip() in tuple(subscription.SIGNS) or _is_one_of(text, subscription.STOP)


def is_start(text: str) -> bool:
    """The guest wants messages again."""
    return _is_one_of(text, subscription.START)


def asks_to_stop(parts: Sequence[Clause]) -> bool:
    """Whether the reply contains a stop phrase of several words, or is one word and a stop word."""
    clauses_said = [tuple(token.text for token in clause.tokens) for clause in parts]
    said = tuple(chain.from_iterable(clauses_said))
    if 1 < len(said) <= WORDS_MAX and _says(said[1:], subscription.STOP):
        return True  # yes, stop
    return any(_stops_at(words, at) for words in clauses_said for at in range(len(words) - 1))


def _stops_at(words: tuple[str, ...], at: int) -> bool:
    following = _stop_phrases().get(words[at : at + 2], ())
    return any(words[at : at + len(phrase)] == phrase for phrase in following)


@cache
def _stop_phrases() -> dict[tuple[str, ...], list[tuple[str, ...]]]:
    """Stop phrases of several words, by their first two."""
    found: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for phrase in _phrases(subscription.STOP):
        if len(phrase) > 1:
            found.setdefault(phrase[:2], []).append(phrase)
    return found


def _is_one_of(text: str, table: str) -> bool:
    if len(text) > CHARS_MAX:
        return False
    parts = clauses(normalise(text))
    words = [token for clause in parts for token in clause.tokens if token.kind is not Kind.EMOJI]
    if not 1 <= len(words) <= WORDS_MAX or any(clause.is_asked for clause in parts):
        return False
    return _says(tuple(token.text for token in words), table)


def _says(said: tuple[str, ...], table: str) -> bool:
    return any(left in _phrases(table) for left in _without_courtesy(said))


def _without_courtesy(said: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The words as they are, then without polite words before and after."""
    yield said
    polite = _phrases(subscription.POLITE)
    for start in range(len(said)):
        for end in range(len(said), start, -1):
            before, after = said[:start], said[end:]
            if (not before or before in polite) and (not after or after in polite):
                yield said[start:end]


@cache
def _phrases(table: str) -> frozenset[tuple[str, ...]]:
    """Tokenised like replies: in some scripts a word is several tokens."""
    cut = (clauses(" ".join(words)) for words in phrases(table))
    return frozenset(tuple(each.text for part in parts for each in part.tokens) for parts in cut)
