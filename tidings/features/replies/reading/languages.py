"""Which language a word is in: by its alphabet, and among Latin ones by its company. Pure."""

from collections.abc import Sequence
from functools import cache

from .lexicon import Lexicon, lexicons
from .tokens import Clause

NEAR = 0.5  # languages as near as this to the likeliest are tried too
CANDIDATES_MAX = 3
NEIGHBOURS_WEIGH = 0.5  # of the other clauses, when one clause's language is judged
_SCRIPTS = (
    ("\u0590", "\u05ff", "hebrew"),
    ("\u0600", "\u06ff", "arabic"),
    ("\u0400", "\u04ff", "cyrillic"),
)


def script_of(word: str) -> str:
    return next((name for low, high, name in _SCRIPTS if low <= word[0] <= high), "latin")


@cache
def written_in(script: str) -> tuple[Lexicon, ...]:
    return tuple(lexicon for lexicon in lexicons() if lexicon.table.script == script)


def candidates(clauses: Sequence[Clause], script: str) -> list[list[Lexicon]]:
    """For each clause the languages that its words in this alphabet may be in, likeliest first."""
    known = written_in(script)
    if not any(_is_in(script, clause) for clause in clauses):
        return [list(known[:1])] * len(clauses)
    scores = [_scores(clause, known) for clause in clauses]
    whole = [sum(column) for column in zip(*scores, strict=True)]
    return [_near_best(own, whole, known) for own in scores]


def _is_in(script: str, clause: Clause) -> bool:
    return any(token.is_word and script_of(token.text) == script for token in clause.tokens)


def _near_best(
    own: list[float], whole: list[float], known: Sequence[Lexicon]
) -> list[Lexicon]:
    total = [mine + NEIGHBOURS_WEIGH * every for mine, every in zip(own, whole, strict=True)]
    ranked = sorted(range(len(known)), key=lambda index: -total[index])
    return [known[n] for n in ranked[:CANDIDATES_MAX] if total[n] >= total[ranked[0]] - NEAR]


def _scores(clause: Clause, known: Sequence[Lexicon]) -> list[float]:
    """How well each language knows the words; a word that many know tells little."""
    scores = [0.0] * len(known)
    for token in clause.tokens:
        knowing = [n for n, lexicon in enumerate(known) if token.text in lexicon.vocabulary]
        for index in knowing:
            scores[index] += 1 / len(knowing)
    return scores
