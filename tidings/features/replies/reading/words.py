"""Stop and start words, which count only as the whole reply. Pure.

is_stop("STOP!")                  True
is_stop("הסר בבקשה")               True
is_stop("don't stop, we'll come")  False

asks_to_stop(clauses("stop, I'm busy that day"))  True: no opt-out, and no answer either
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain

from .normalise import normalise
from .table import phrases
from .tables import stop_requests, subscription
from .tokens import Clause, Kind, clauses

CHARS_MAX = 512  # longer than any such phrase, emoji included: not checked
WORDS_MAX = 16  # a longer reply is not checked
AND_PREFIXES = "וو"
INSIDE = f"{stop_requests.REQUESTS};{stop_requests.LABELS};{stop_requests.REMARKS}"
BESIDE_YES = f"{subscription.WORDS};{subscription.LISTS}"

Words = tuple[str, ...]


def is_stop(text: str) -> bool:
    """The guest wants no more messages."""
    return text.strip() in tuple(subscription.SIGNS) or _is_made_of(text, subscription.STOP)


def is_start(text: str) -> bool:
    """The guest wants messages again."""
    return _is_made_of(text, subscription.START)


def asks_to_stop(parts: Sequence[Clause]) -> bool:
    """Whether the reply asks for fewer messages, alone or beside something else: the guest is to be
    asked what is meant."""
    said = [tuple(token.text for token in clause.tokens if token.is_word) for clause in parts]
    whole = tuple(chain.from_iterable(said))
    if 1 < len(whole) <= WORDS_MAX and _says(whole[1:], BESIDE_YES):
        return True  # yes, stop
    return any(map(_asks, said))


def _asks(words: Words) -> bool:
    """Whether one clause asks for it."""
    if not words:
        return False
    if len(words) <= WORDS_MAX and _says(words, subscription.WORDS):
        return True
    if _starts(words, 0, stop_requests.OPENINGS):
        return True
    return any(_starts(words, at, INSIDE) for at in range(len(words) - 1))


def _starts(words: Words, at: int, table: str) -> bool:
    """Whether a phrase of several words begins at this word. Hebrew and Arabic write `and`
    together with it."""
    first, known = words[at], _by_start(table)
    following = [*known.get(first, ())]
    if first[0] in AND_PREFIXES:
        following += known.get(first[1:], ())
    return any(words[at + 1 : at + 1 + len(rest)] == rest for rest in following)


def _is_made_of(text: str, table: str) -> bool:
    if len(text) > CHARS_MAX:
        return False
    parts = clauses(normalise(text))
    tokens = [token for clause in parts for token in clause.tokens]
    words = tuple(token.text for token in tokens if token.kind is not Kind.EMOJI)
    signs = {token.text for token in tokens if token.kind is Kind.EMOJI}
    if not 1 <= len(words) <= WORDS_MAX or any(clause.is_asked for clause in parts):
        return False
    return signs <= set(subscription.EARNEST) and _says(words, table)


def _says(said: Words, table: str) -> bool:
    """Whether the words are such phrases and polite ones, and nothing else: STOP, please stop!"""
    if not _vocabulary(table).issuperset(said):
        return False
    meant, polite = _phrases(table), _phrases(subscription.POLITE)
    reached = {(0, False)}  # how far, and whether one of the phrases was among them
    for at in range(len(said)):
        for has_said in {has_said for end, has_said in reached if end == at}:
            for end in range(at + 1, len(said) + 1):
                words = said[at:end]
                if words in meant:
                    reached.add((end, True))
                if words in polite:
                    reached.add((end, has_said))
    return (len(said), True) in reached


@cache
def _phrases(table: str) -> frozenset[Words]:
    """Tokenised like replies: in some scripts a word is several tokens."""
    return frozenset(_tokenised(table))


@cache
def _vocabulary(table: str) -> frozenset[str]:
    """Of these phrases and the polite ones."""
    known = _phrases(table) | _phrases(subscription.POLITE)
    return frozenset(chain.from_iterable(known))


@cache
def _by_start(table: str) -> dict[str, list[Words]]:
    """The phrases of several words without their first, by it."""
    found: dict[str, list[Words]] = {}
    for first, *rest in _phrases(table):
        if rest:
            found.setdefault(first, []).append(tuple(rest))
    return found


def _tokenised(table: str) -> Iterable[Words]:
    cut = (clauses(" ".join(words)) for words in phrases(table))
    return (tuple(each.text for part in parts for each in part.tokens) for parts in cut)
