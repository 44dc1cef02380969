"""Combine the stances of a reply's pieces into one answer and its confidence. Pure.

Every doubt lowers the confidence; below SURE_ENOUGH there is no answer. A wrong answer costs a host
a seat or a guest, no answer costs one more question.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .counts import Count, Ground
from .stance import Stance, weigh
from .subject import is_number
from .table import Role
from .tagged import Tagged

SURE_ENOUGH = 0.7

# The factors by which doubts lower the confidence.
GUESSED = 0.95  # a word was misspelt
HEDGED = 0.88  # maybe, about something other than coming
OPEN = 0.1  # maybe, and nothing else
TORN = 0.1  # it says both yes and no
CONDITION = 0.1
MURKY_BARE, MURKY, MURKY_APART = 0.3, 0.7, 0.85  # a negation of something unknown
OTHERS = 0.87  # somebody else answers differently
ELSEWHERE_BARE, ELSEWHERE = 0.2, 0.93  # it is also about something else
EXCUSED = 0.85  # a yes with a reason to stay away
REGRETTED = 0.71  # a yes with regret
UNKNOWN_COUNTED, UNKNOWN_BARE, UNKNOWN = 1.0, 0.8, 0.2  # times the share of unknown words
# In a language of which only plain words are known; times the share of the others. A yes beside
# an unknown word may be a yes to anything.
SMALL, SMALL_BARE, SMALL_STRANGE = 0.96, 4.0, 2.0
NAMED_WITHIN = 3  # in a reply this short one unknown word is a name

AWAY_SORRY, AWAY, SORRY, COUNTED, SOME = 0.93, 0.78, 0.3, 0.92, 0.3


@dataclass(frozen=True, slots=True)
class Verdict:
    """The likelier answer and the probability that it is right; None: there is no evidence."""

    yes: bool | None
    confidence: float


UNDECIDED = Verdict(None, 0.0)


def judge(pieces: Sequence[Tagged], count: Count) -> Verdict:
    stated = [piece for piece in pieces if not piece.is_asked]
    stances = [weigh(piece) for piece in stated]
    evidence = _Evidence(stated, stances, any(piece.has(Role.OTHER) for piece in pieces))
    verdict = evidence.weigh()
    if not verdict.yes and any(one.some for one in stances):
        return Verdict(False, SOME)
    if count.guests == 0 and count.ground > Ground.ALONE:
        return Verdict(False, TORN)  # "none of us", but there may be a yes too
    manner = any(one.manner for one in stances)  # can't come alone, bringing my husband
    least = Ground.TAKEN if manner else Ground.PARTY
    counts = count.ground >= least and not evidence.is_doubted
    if verdict.yes is None and counts and not any(map(_is_congratulation, stated)):
        return Verdict(True, COUNTED * evidence.known(UNKNOWN_COUNTED))
    return verdict


def _is_congratulation(piece: Tagged) -> bool:
    """All the best to you both: the number does not count guests."""
    stated = [item.role for item in piece.items if item.role is not Role.LIGHT]
    return len(stated) > 1 and stated[0] is Role.WARM


class _Evidence:
    """All pieces of a reply together."""

    def __init__(
        self, pieces: Sequence[Tagged], stances: Sequence[Stance], elsewhere: bool
    ) -> None:
        self.pieces = pieces
        self.elsewhere = elsewhere  # it is also about something else, perhaps in a question
        self.stances = stances
        clear = [one for one in stances if not (one.open or (one.elsewhere and not one.coming))]
        words = [one for one in clear if not one.sign]
        stated = any(one.yes or one.no for one in words)
        self.clear = words if stated else clear
        self.others = [one for one in self.clear if one.others]
        own = [one for one in self.clear if not one.others]
        if any(one.strength >= SURE_ENOUGH for one in own):
            own = [one for one in own if one.strength >= SURE_ENOUGH]
        self.torn = [one for one in own if min(one.yes, one.no) >= SURE_ENOUGH]
        self.for_ = [one for one in own if one.yes > one.no]
        self.against = [one for one in own if one.no > one.yes]

    @property
    def is_doubted(self) -> bool:
        if self.has(Role.SORRY) or self.has(Role.AWAY):
            return True
        return any(
            one.open or one.condition or one.elsewhere or (one.no and not one.others)
            for one in self.stances
        )

    def has(self, role: Role) -> bool:
        return any(piece.has(role) for piece in self.pieces)

    def known(self, weight: float) -> float:
        """The factor by which unknown words lower the confidence."""
        unknown = sum(piece.unknown for piece in self.pieces)
        size = sum(len(piece.items) for piece in self.pieces)
        tables = {lexicon.table for piece in self.pieces for lexicon in piece.spoken}
        if any(table.unread for table in tables):
            return 0.0
        if any(table.small for table in tables):
            strange = SMALL_BARE if weight == UNKNOWN_BARE else SMALL_STRANGE
            return SMALL * max(0.0, 1 - strange * unknown / max(1, size))
        if unknown == 1 and size <= NAMED_WITHIN:
            return 1 - weight / 10
        return 1 - weight * unknown / max(1, size)

    def weigh(self) -> Verdict:
        if self.torn:
            return Verdict(False, TORN)
        if self.for_ and self.against:
            return self._both()
        if self.for_:
            return self._for()
        return self._against() if self.against else self._reason()

    def _for(self) -> Verdict:
        best = max(self.for_, key=lambda one: (one.yes, not one.bare))
        confidence = self._doubt(best, _together(one.yes for one in self.for_), self.for_)
        if any(one.no for one in self.others) or any(one.they for one in self.stances):
            confidence *= OTHERS
        if self.has(Role.AWAY):
            if all(one.wished for one in self.for_):
                return Verdict(False, EXCUSED * self.known(UNKNOWN_BARE))
            confidence *= EXCUSED
        if self.has(Role.SORRY):
            confidence *= REGRETTED
        return Verdict(True, confidence)

    def _against(self) -> Verdict:
        best = max(self.against, key=lambda one: (one.no, not one.bare))
        confidence = self._doubt(best, _together(one.no for one in self.against), self.against)
        days = [piece for piece in self.pieces if piece.has(Role.DAY)]
        if (
            len(days) > 1
            or any(one.yes for one in self.others)
            or any(one.they for one in self.stances)
        ):
            confidence *= TORN
        return Verdict(False, confidence)

    def _both(self) -> Verdict:
        """A refusal outweighs a wish, and a bare yes with regret."""
        verbal = any(not one.bare for one in self.against)
        wished = all(one.wished for one in self.for_)
        regret = verbal and self.has(Role.SORRY) and all(one.bare for one in self.for_)
        against = self._against()
        if wished or regret:
            return Verdict(False, against.confidence * (1 if wished else HEDGED))
        return Verdict(False, TORN)

    def _reason(self) -> Verdict:
        """No word about coming: a reason to stay away counts as a no."""
        if any(one.open or one.condition or one.elsewhere for one in self.stances):
            return UNDECIDED
        sorry = self.has(Role.SORRY)
        if self.has(Role.AWAY):
            return Verdict(False, (AWAY_SORRY if sorry else AWAY) * self.known(UNKNOWN_BARE))
        return Verdict(False, SORRY) if sorry else UNDECIDED

    def _doubt(self, best: Stance, strength: float, same: Sequence[Stance]) -> float:
        bare = all(one.bare for one in same)
        confidence = strength * self.known(UNKNOWN_BARE if bare else UNKNOWN)
        if best.guessed:
            confidence *= GUESSED
        if any(one.murky for one in self.stances):
            confidence *= MURKY_BARE if bare else MURKY if best.murky else MURKY_APART
        if any(one.condition for one in self.stances):
            confidence *= CONDITION
        if self.elsewhere:
            confidence *= ELSEWHERE_BARE if bare else ELSEWHERE
        return confidence * self._openness(same)

    def _openness(self, same: Sequence[Stance]) -> float:
        """A `maybe` in another clause: about coming itself, or about something else."""
        last = max(index for index, one in enumerate(self.stances) if one in same)
        first = min(index for index, one in enumerate(self.stances) if one in same)
        bare = all(one.bare for one in same)
        left = 1.0
        stated = list(zip(self.pieces, self.stances, strict=True))
        for index, (piece, stance) in enumerate(stated):
            if not stance.open:
                continue
            details = _is_about_details(piece)
            if bare and index >= first and not details:
                return OPEN  # yes, I'll check and get back to you
            between = stated[index + 1 : last + 1]
            settled = any(piece.after_but and not stance.bare for piece, stance in between)
            beside = details or piece.has(Role.PLAIN) or piece.unknown > 0
            left = min(left, HEDGED if settled or beside else OPEN)
        return left


def _is_about_details(piece: Tagged) -> bool:
    """Maybe six of us, probably a little late: coming itself is not in doubt."""
    return piece.has(Role.HOW) or any(is_number(piece, item) for item in piece.items)


def _together(strengths: Iterable[float]) -> float:
    """Two that agree are surer than either alone: yes, we'll come."""
    first, second = sorted((*strengths, 0.0), reverse=True)[:2]
    return 1 - (1 - first) * (1 - second)
