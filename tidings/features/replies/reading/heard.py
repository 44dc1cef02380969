"""A reply as heard: all that does not depend on what the guest said before. Pure.

This is most of the work, and done before any row is locked. `reader` then decides in context.
"""

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .corrections import without_corrections
from .counts import NOBODY, Count, counted
from .languages import script_of
from .learned.features import features_of
from .learned.seen import NOTHING_SEEN, Seen, see
from .lexicon import written_in
from .normalise import normalise
from .tagged import Tagged, tag
from .tokens import Clause, clauses
from .verdict import UNDECIDED, Verdict, judge
from .words import asks_to_stop

# Of 267 replies as plain as this, by authors whom neither rules nor scores had seen, none was read
# wrongly where the learned scores agreed.
PLAIN, PLAIN_TOKENS_MAX = 0.95, 6
# The share of unknown words above which a reply may be in a language that nobody has listed.
UNKNOWN_MAX, UNKNOWN_MAX_SPELLED = 0.65, 0.35
# A short word that means yes or no only when it is the whole reply, in a language known well or not
ALONE, ALONE_SMALL = 0.99, 0.95


@dataclass(frozen=True, slots=True)
class Heard:
    parts: Sequence[Clause] = ()
    verdict: Verdict = UNDECIDED  # of the rules
    count: Count = NOBODY
    language: str = ""  # of most words
    small: bool = False  # of a language of which only plain words are known
    alone: bool = False  # a single word that is an answer
    strange: bool = False  # too few of its words are known to be in this language at all
    bare: bool = False  # a single word that is no answer in this language
    plain: bool = False  # short, of known words, and the rules are sure of it
    features: Sequence[int] = ()
    seen: Seen = NOTHING_SEEN


SILENCE = Heard()


def hear(text: str) -> Heard:
    """Never raises; the same text is always heard the same."""
    normal = normalise(text)
    parts = clauses(normal)
    if not parts or asks_to_stop(parts):
        return SILENCE
    alone = _alone(parts)
    pieces = tag(parts)
    count = counted(pieces)
    verdict = alone or judge(without_corrections(pieces), count)
    language, small = _language(pieces)
    features = features_of(normal, parts, pieces, verdict)
    plain = verdict.confidence >= PLAIN and _is_plain(parts, pieces)
    is_alone = alone is not None
    strange = _is_strange(parts, pieces, language)
    bare, numbers, seen = _is_bare(parts, verdict), array("I", features), see(pieces)
    return Heard(
        parts, verdict, count, language, small, is_alone, strange, bare, plain, numbers, seen
    )


def size(parts: Sequence[Clause]) -> int:
    """In tokens."""
    return sum(len(part.tokens) for part in parts)


def _is_strange(parts: Sequence[Clause], pieces: Sequence[Tagged], language: str) -> bool:
    words = sum(token.is_word for part in parts for token in part.tokens)
    most = UNKNOWN_MAX_SPELLED if language == "spelled" else UNKNOWN_MAX
    return sum(piece.unknown for piece in pieces) > most * words


def _is_bare(parts: Sequence[Clause], verdict: Verdict) -> bool:
    """A single word that no table takes for an answer, though it may be one elsewhere: ano."""
    return verdict.yes is None and size(parts) == 1


def _is_plain(parts: Sequence[Clause], pieces: Sequence[Tagged]) -> bool:
    if size(parts) > PLAIN_TOKENS_MAX:
        return False
    return not any(item.role is None or item.guessed for each in pieces for item in each.items)


def _language(pieces: Sequence[Tagged]) -> tuple[str, bool]:
    spoken = Counter(lexicon.table.language for piece in pieces for lexicon in piece.spoken)
    small = any(lexicon.table.small for piece in pieces for lexicon in piece.spoken)
    return spoken.most_common(1)[0][0], small


def _alone(parts: Sequence[Clause]) -> Verdict | None:
    if len(parts) > 1 or parts[0].is_asked or not all(each.is_word for each in parts[0].tokens):
        return None
    whole = " ".join(each.text for each in parts[0].tokens)
    for lexicon in written_in(script_of(whole)):
        if whole in lexicon.alone_yes | lexicon.alone_no:
            sure = ALONE_SMALL if lexicon.table.small else ALONE
            return Verdict(whole in lexicon.alone_yes, sure)
    return None
