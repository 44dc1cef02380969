"""Which language a word of a reply is in: by its alphabet, and among Latin ones by its company."""

from collections.abc import Sequence

from .lexicon import LEXICONS, Lexicon
from .tokens import Clause

LATIN = tuple(lexicon for lexicon in LEXICONS if lexicon.table.script == "latin")
BY_SCRIPT = {
    lexicon.table.script: lexicon for lexicon in LEXICONS if lexicon.table.script != "latin"
}
NEIGHBOURS_WEIGH = 0.5  # of the other clauses, when one clause's language is judged


def script_of(word: str) -> str:
    first = word[0]
    if "\u0590" <= first <= "\u05ff":
        return "hebrew"
    if "\u0600" <= first <= "\u06ff":
        return "arabic"
    if "\u0400" <= first <= "\u04ff":
        return "cyrillic"
    return "latin"


def choose_latin(clauses: Sequence[Clause]) -> list[Lexicon]:
    """For each clause the language of its Latin words."""
    scores = [_scores(clause) for clause in clauses]
    whole = [sum(column) for column in zip(*scores, strict=True)] or [0.0] * len(LATIN)
    chosen = []
    for own in scores:
        total = [mine + NEIGHBOURS_WEIGH * all_ for mine, all_ in zip(own, whole, strict=True)]
        chosen.append(LATIN[max(range(len(LATIN)), key=lambda index: (total[index], -index))])
    return chosen


def _scores(clause: Clause) -> list[float]:
    """How well each Latin language knows the words; a word that many know tells little."""
    scores = [0.0] * len(LATIN)
    for token in clause.tokens:
        knowing = [n for n, lexicon in enumerate(LATIN) if token.text in lexicon.vocabulary]
        for index in knowing:
            scores[index] += 1 / len(knowing)
    return scores
