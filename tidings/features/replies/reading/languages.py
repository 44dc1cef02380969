"""Which language a word is in: by its alphabet, and among Latin ones by its company. Pure."""

from collections.abc import Sequence
from itertools import chain, islice, product

from .lexicon import Lexicon, written_in
from .tokens import Clause

NEAR = 0.5  # languages as near as this to the likeliest are tried too
CANDIDATES_MAX = 3
NEIGHBOURS_WEIGH = 0.5  # of the other clauses, when one clause's language is judged
_SCRIPTS = (
    ("\u0590", "\u05ff", "hebrew"),
    ("\u0600", "\u06ff", "arabic"),
    ("\u0400", "\u04ff", "cyrillic"),
)

Spoken = dict[str, Lexicon]  # by alphabet


def script_of(word: str) -> str:
    return next((name for low, high, name in _SCRIPTS if low <= word[0] <= high), "latin")


def candidates(clauses: Sequence[Clause]) -> list[list[Spoken]]:
    """For each clause the languages that its words may be in."""
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
    """The alphabets of a clause; one without letters is as good as any."""
    words = (token.text for token in clause.tokens if token.is_word)
    return list(dict.fromkeys(script_of(word) for word in words)) or ["latin"]


def _ranked(clauses: Sequence[Clause], script: str) -> list[list[Lexicon]]:
    """For each clause the languages of one alphabet, likeliest first, without the unlikely."""
    known = written_in(script)
    if len(known) == 1:
        return [list(known)] * len(clauses)
    scores = [_scores(clause, known) for clause in clauses]
    whole = [sum(column) for column in zip(*scores, strict=True)]
    return [_near_best(own, whole, known) for own in scores]


def _near_best(own: list[float], whole: list[float], known: Sequence[Lexicon]) -> list[Lexicon]:
    total = [mine + NEIGHBOURS_WEIGH * every for mine, every in zip(own, whole, strict=True)]
    ranked = sorted(range(len(known)), key=lambda index: -total[index])
    return [known[n] for n in ranked if total[n] >= total[ranked[0]] - NEAR]


def _scores(clause: Clause, known: Sequence[Lexicon]) -> list[float]:
    """How well each language knows the words; a word that many know tells little."""
    scores = [0.0] * len(known)
    for token in clause.tokens:
        knowing = [n for n, lexicon in enumerate(known) if token.text in lexicon.vocabulary]
        for index in knowing:
            scores[index] += 1 / len(knowing)
    return scores
