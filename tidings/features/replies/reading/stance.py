"""What one piece of a reply says about coming: for, against, or how it leaves it open. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from .table import Role
from .tagged import Item, Tagged

VERBS = frozenset({Role.GO, Role.BE, Role.TO_GO, Role.CAN, Role.WISH})
_SILENT = frozenset({Role.LIGHT, Role.WARM, Role.VOID, Role.PLAIN, Role.BUT, Role.WHO, Role.DAY})
REACH = 2  # unknown words between a negation and its verb

# How far each kind of evidence can be trusted, when it stands alone.
PLAIN_WORD, PLAIN_WORD_WITHIN, VERB, BEING, ABLE, WISHED = 0.99, 0.75, 0.97, 0.95, 0.96, 0.88
BEING_SOMEWHERE = 0.5  # we will be, and words nobody knows
ABLE_ALONE, WISHED_ALONE, TO_GO_ALONE, SIGN = 0.8, 0.74, 0.5, 0.95
AWAY_THERE, CANNOT_SOMETHING = 0.88, 0.5


@dataclass(slots=True)
class Stance:
    """Strengths from 0 to 1. `bare` evidence is a word such as yes, not a verb of coming."""

    yes: float = 0.0
    no: float = 0.0
    bare: bool = True
    wished: bool = False  # the yes is only a wish
    sign: bool = False  # an emoji said it
    open: bool = False  # maybe
    condition: bool = False
    elsewhere: bool = False  # it is about something else
    murky: bool = False  # a negation of something unknown
    guessed: bool = False
    others: bool = False  # somebody else comes or does not
    they: bool = False  # somebody else comes or does not, and that is all

    def says(self, strength: float, *, against: bool, item: Item, bare: bool = False) -> None:
        if against:
            self.no = max(self.no, strength)
        else:
            self.yes = max(self.yes, strength)
        self.bare = self.bare and bare
        self.guessed = self.guessed or item.guessed
        self.sign = item.is_sign


def weigh(piece: Tagged) -> Stance:
    """The stance of one piece that is not a question."""
    stance = Stance(
        open=piece.has(Role.MAYBE),
        condition=piece.has(Role.IF),
        elsewhere=piece.has(Role.OTHER),
    )
    _Walk(piece, stance).run()
    return stance


class _Walk:
    """One pass over a piece, with what is still waiting for its verb."""

    def __init__(self, piece: Tagged, stance: Stance) -> None:
        self.piece = piece
        self.stance = stance
        self.negation: Item | None = None
        self.can: Item | None = None
        self.wish: Item | None = None
        self.refused = False  # the verbs that follow belong to a refusal already told
        self.gap = 0
        self.index = 0
        self.be = False
        self.cannot = False  # and something nobody knows

    def run(self) -> None:
        for index, item in enumerate(self.piece.items):
            self.index = index
            if item.role is None:
                self.gap += 1
            elif item.role not in _SILENT:
                self._take(index, item)
        self._end()

    def _take(self, index: int, item: Item) -> None:
        if item.role is Role.YES:
            self._affirm(item)
        elif item.role is Role.NO and not item.may_negate and self._is_no_something(index):
            self.stance.murky = True
        elif item.role is Role.NO and not (item.may_negate and self._has_object(index)):
            self.stance.says(_strength(item), against=True, item=item, bare=True)
            self.refused = item.may_negate
        elif item.role in (Role.NOT, Role.NO):
            self._negate(item)
        elif item.role is Role.THEY_GO:
            self.stance.they = True
            self.negation = None
        elif item.role in VERBS:
            self._verb(item)

    def _affirm(self, item: Item) -> None:
        if self.negation is not None and self.gap == 0:
            self.stance.murky = True
        else:
            strength = _strength(item) if self._is_at_edge(item) else PLAIN_WORD_WITHIN
            self.stance.says(strength, against=False, item=item, bare=True)

    def _is_at_edge(self, item: Item) -> bool:
        """It begins or ends the piece, as an answer does."""
        before = self.piece.items[: self.index]
        after = self.piece.items[self.index + 1 :]
        return not (any(map(_is_content, before)) and any(map(_is_content, after)))

    def _has_object(self, index: int) -> bool:
        """Whether a word such as `no` goes with what follows, rather than standing for itself."""
        if self._may_follow(self.piece.items[index]) and self._has_verb():
            return True
        for item in self.piece.items[index + 1 :]:
            if item.role in VERBS or item.role is None:
                return True
            if item.role is Role.PLAIN:
                return True
            if item.role not in (Role.LIGHT, Role.NOT, Role.DAY):
                return False
        return False

    def _is_no_something(self, index: int) -> bool:
        """No parking, no news: a word of one, and a thing right after it."""
        item, after = self.piece.items[index], self.piece.items[index + 1 : index + 2]
        return item.end - item.start == 1 and bool(after) and after[0].role in (None, Role.PLAIN)

    def _negate(self, item: Item) -> None:
        follows = self._may_follow(item)
        if follows and self._has_verb():
            self.stance.no, self.stance.yes = self.stance.yes, 0.0
            self.refused = True
        elif follows and (self.can or self.wish):
            self._refuse(item)
        else:
            self.negation, self.gap = item, 0

    def _may_follow(self, item: Item) -> bool:
        return self.piece.spoken[item.start].table.not_follows

    def _has_verb(self) -> bool:
        return self.stance.yes > 0 and not self.stance.bare

    def _verb(self, item: Item) -> None:
        if self.negation is not None and self.gap <= REACH:
            self._refuse(item)
        elif self.refused:
            return
        elif item.role is Role.CAN or self._is_auxiliary(item):
            self.can = item
        elif item.role is Role.WISH:
            self.wish = item
        elif self.wish is not None:
            self.stance.wished = self.stance.yes == 0
            self.stance.says(WISHED, against=False, item=item)
        elif item.role is Role.GO:
            self.stance.says(VERB, against=False, item=item)
        elif item.role is Role.BE:
            foreign = any(each.role is None for each in self.piece.items[self.index + 1 :])
            strength = BEING_SOMEWHERE if foreign else BEING
            self.stance.says(strength, against=False, item=item)
            self.can, self.be = item, True
        else:
            strength = ABLE if self.can else TO_GO_ALONE
            self.stance.says(strength, against=False, item=item)

    def _is_auxiliary(self, item: Item) -> bool:
        """A word such as `vou` before another verb, which then says what will happen."""
        lexicon = self.piece.spoken[item.start]
        after = self.piece.items[self.index + 1 : self.index + 2]
        if self.piece.tokens[item.start].text not in lexicon.auxiliary or not after:
            return False
        verb = self.piece.tokens[after[0].start].text
        return after[0].role not in VERBS and verb.endswith(lexicon.table.infinitives)

    def _refuse(self, item: Item) -> None:
        if self.stance.bare:
            self.stance.yes = 0.0  # definitely not coming
        self.stance.says(VERB, against=True, item=item)
        self.cannot = item.role in (Role.CAN, Role.NOT) and self._is_something_else()
        self.negation, self.refused = None, True

    def _is_something_else(self) -> bool:
        """What one cannot do is a word nobody knows, and there is no word for coming."""
        rest = [each for each in self.piece.items[self.index + 1 :] if each.role is not Role.LIGHT]
        if not rest or rest[0].role is not None:
            return False
        return not any(each.role in (Role.GO, Role.BE, Role.TO_GO) for each in self.piece.items)

    def _end(self) -> None:
        if self.negation is not None:
            self.stance.murky = True
        if self.be and self.piece.has(Role.AWAY) and self.stance.yes:
            self.stance.yes, self.stance.no = 0.0, AWAY_THERE  # we will be abroad
        if self.cannot and self.stance.no:
            self.stance.no = min(self.stance.no, CANNOT_SOMETHING)
        if self.stance.yes or self.stance.no:
            self.stance.others = _is_about_others(self.piece)
            return
        last = next(reversed(list(self._telling())), None)
        if self.wish is not None and last is self.wish:
            self.stance.wished = True
            self.stance.says(WISHED_ALONE, against=False, item=self.wish)
        elif self.can is not None and last is self.can:
            self.stance.says(ABLE_ALONE, against=False, item=self.can)

    def _telling(self) -> Iterator[Item]:
        return (item for item in self.piece.items if item.role not in _SILENT)


def _is_content(item: Item) -> bool:
    return item.role not in (Role.LIGHT, Role.WARM, Role.SORRY, Role.BUT, Role.VOID, Role.DAY)


def _strength(item: Item) -> float:
    return SIGN if item.is_sign else PLAIN_WORD


def _is_about_others(piece: Tagged) -> bool:
    """Somebody else is the subject: named before the verb, and not together with the guest."""
    for item in piece.items:
        if item.role in VERBS or item.role is Role.NOT or item.may_negate:
            return False
        if item.role is Role.WHO:
            before = piece.tokens[item.start - 1].text if item.start else ""
            after = piece.tokens[item.end].text if item.end < len(piece.tokens) else ""
            joins = piece.spoken[item.start].joins
            return before not in joins and after not in joins
    return False
