"""Which language a word is in: by its alphabet, then by the words around it. Pure."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, islice, product

from .lexicon import Lexicon, written_in
from .tokens import Clause

NEAR = 0.5  # languages that score within this of the likeliest are tried too
CANDIDATES_MAX = 3
NEIGHBOURS_WEIGH = 0.5  # weight of the other clauses when ranking the languages of one
_SCRIPTS = (
    ("\u0590", "\u05ff", "hebrew"),
    ("\u0600", "\u06ff", "arabic"),
    ("\u0400", "\u04ff", "cyrillic"),
    ("\u0370", "\u03ff", "greek"),
    ("\u0900", "\u097f", "devanagari"),
    ("\u0980", "\u09ff", "bengali"),
    ("\u0e00", "\u0e7f", "thai"),
    ("\u3005", "\u9fff", "signs"),  # Chinese and Japanese
    ("\uac00", "\ud7a3", "hangul"),
    ("\u1100", "\u11ff", "hangul"),
)

Spoken = dict[str, Lexicon]  # by alphabet


def script_of(word: str) -> str:
    return _script(word[0])


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    return next((name for low, high, name in _SCRIPTS if low <= letter <= high), "latin")


def candidates(clauses: Sequence[Clause]) -> list[list[Spoken]]:
    """The possible languages of each clause."""
    scripts = [_scripts(clause) for clause in clauses]
    by_script = {script: _ranked(clauses, script) for script in {*chain.from_iterable(scripts)}}
    return [
        [
            Spoken(zip(own, chosen, strict=True))
            for chosen in islice(product(*(by_script[name][n] for name in own)), CANDIDATES_MAX)
        ]
        for n, own in enumerate(scripts)
    ]


def _scripts(clause: Clause) -> list[str]:
    """The alphabets of a clause; one without letters may be in any."""
    words = (token.text for token in clause.tokens if token.is_word)
    return list(dict.fromkeys(script_of(word) for word in words)) or ["latin"]


def _ranked(clauses: Sequence[Clause], script: str) -> list[list[Lexicon]]:
    """For each clause the languages of one alphabet, likeliest first, without the unlikely."""
    known = [lexicon for lexicon in written_in(script) if not lexicon.table.small]
    small = _find_small(clauses, script, known)
    if small:
        return [small] * len(clauses)
    if len(known) == 1:
        return [known] * len(clauses)
    scores = [_scores(clause, known) for clause in clauses]
    whole = [sum(column) for column in zip(*scores, strict=True)]
    return [_near_best(own, whole, known) for own in scores]


def _find_small(clauses: Sequence[Clause], script: str, large: Sequence[Lexicon]) -> list[Lexicon]:
    """The small tables that know most of the reply's words, and more than every large one."""
    words = {each.text for clause in clauses for each in clause.tokens if each.is_word}

    def known(lexicon: Lexicon) -> int:
        return len(words & lexicon.vocabulary)

    small = [lexicon for lexicon in written_in(script) if lexicon.table.small]
    most = max(map(known, small), default=-1)
    beaten = max(map(known, large), default=-1)
    return [lexicon for lexicon in small if known(lexicon) == most > beaten]


def _near_best(own: list[float], whole: list[float], known: Sequence[Lexicon]) -> list[Lexicon]:
    total = [mine + NEIGHBOURS_WEIGH * every for mine, every in zip(own, whole, strict=True)]
    ranked = sorted(range(len(known)), key=lambda index: -total[index])
    return [known[n] for n in ranked if total[n] >= total[ranked[0]] - NEAR]


def _scores(clause: Clause, known: Sequence[Lexicon]) -> list[float]:
    """The score of each language; a word found in many languages weighs little.

    A number is in no language, though some tables have it in a phrase such as "los 4".
    """
    scores = [0.0] * len(known)
    for token in (each for each in clause.tokens if each.is_word):
        knowing = [n for n, lexicon in enumerate(known) if token.text in lexicon.vocabulary]
        for index in knowing:
            scores[index] += 1 / len(knowing)
    return scores
