"""Read a guest's reply: yes or no, and for how many (contract.md, "Replies"). Pure.

    read("כן, נהיה 4")          Reading("yes", 4, 0.99)
    read("sorry, can't make it") Reading("no", None, 0.98)
    read("is there parking?")    Reading(None, None, 0.0)

`confidence` is the probability that the likelier answer is right; where it is too small, `answer`
is None. A reply that is a number and nothing else is no answer (it may be a choice from a list),
but its number is in `guests`. `party` is the number that the same words mean after a yes
(`make it 3`); `rules.in_context` decides by the guest's previous answer. docs/replies.md
describes how it works, docs/reading-report.md how well.
"""

from dataclasses import dataclass
from typing import Literal

from .corrections import without_corrections
from .counts import Ground, counted
from .languages import script_of
from .lexicon import written_in
from .normalise import normalise
from .party import find_party
from .tagged import tag
from .tokens import Clause, clauses
from .verdict import SURE_ENOUGH, UNDECIDED, Verdict, judge
from .words import asks_to_stop

Answer = Literal["yes", "no"]
# A short word that means yes or no only when it is the whole reply, in a language known well or not
ALONE, ALONE_SMALL = 0.99, 0.95


@dataclass(frozen=True, slots=True)
class Reading:
    answer: Answer | None
    guests: int | None
    confidence: float
    party: int | None = None  # the number of people, if the guest has said yes before


NOTHING = Reading(None, None, 0.0)


def read(text: str) -> Reading:
    """What a reply says. Never raises; the same text always reads the same."""
    parts = clauses(normalise(text))
    if not parts:
        return NOTHING
    verdict, guests = _understand(parts)
    party = find_party(parts)
    confidence = round(verdict.confidence, 3)
    if verdict.yes is None or confidence < SURE_ENOUGH:
        return Reading(None, guests if verdict is UNDECIDED else None, confidence, party)
    if verdict.yes:
        return Reading("yes", guests, confidence, party)
    return Reading("no", None, confidence, party)


def lean(text: str) -> Verdict:
    """The likelier answer however unsure, for the report on how well confidence is calibrated."""
    parts = clauses(normalise(text))
    return _understand(parts)[0] if parts else UNDECIDED


def _understand(parts: list[Clause]) -> tuple[Verdict, int | None]:
    alone = _alone(parts)
    if alone is not None:
        return alone, None
    pieces = tag(parts)
    count = counted(pieces)
    verdict = judge(without_corrections(pieces), count, unwanted=asks_to_stop(parts))
    if verdict.yes is None and count.ground is not Ground.ALONE:
        return verdict, None
    return verdict, count.guests or None


def _alone(parts: list[Clause]) -> Verdict | None:
    if len(parts) > 1 or parts[0].is_asked or not all(each.is_word for each in parts[0].tokens):
        return None
    whole = " ".join(each.text for each in parts[0].tokens)
    for lexicon in written_in(script_of(whole)):
        if whole in lexicon.alone_yes | lexicon.alone_no:
            sure = ALONE_SMALL if lexicon.table.small else ALONE
            return Verdict(whole in lexicon.alone_yes, sure)
    return None
