"""What one piece of a reply says about coming: yes, no or undecided. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from .lexicon import Lexicon
from .manner import how_before, how_next, is_how
from .subject import VERBS, is_about_others, is_about_some
from .table import Role
from .tagged import Item, Tagged

COMING = frozenset({Role.GO, Role.BE, Role.TO_GO})
_SILENT = frozenset(
    {Role.LIGHT, Role.WARM, Role.VOID, Role.PLAIN, Role.BUT, Role.WHO, Role.DAY, Role.HOW}
)
_COURTESY = frozenset({Role.LIGHT, Role.WARM, Role.SORRY, Role.BUT, Role.VOID, Role.DAY, Role.HOW})
REACH = 2  # unknown words between a negation and its verb

# The strength of each kind of evidence if nothing contradicts it.
PLAIN_WORD, PLAIN_WORD_WITHIN, SIGN = 0.99, 0.75, 0.95
NOT_MISSING, EXCLAIMED = 0.95, 0.5  # no way! is as often said of good news
VERB, BEING, ABLE, WISHED, AWAY_THERE = 0.98, 0.96, 0.97, 0.88, 0.88
ABLE_ALONE, WISHED_ALONE, TO_GO_ALONE = 0.8, 0.74, 0.2
NOT_LATE, IN_SPIRIT = 0.85, 0.95
BEING_SOMEWHERE, CANNOT_SOMETHING = 0.15, 0.15  # with unknown words


@dataclass(slots=True)
class Stance:
    """Strengths from 0 to 1. `bare` evidence is a word such as yes, not a verb of coming."""

    yes: float = 0.0
    no: float = 0.0
    bare: bool = True
    coming: bool = False  # a verb of coming said it
    wished: bool = False  # the yes is only a wish
    sign: bool = False  # an emoji said it
    open: bool = False  # maybe
    condition: bool = False
    elsewhere: bool = False  # it is about something else
    murky: bool = False  # a negation of something unknown
    guessed: bool = False  # a misspelt word said it
    others: bool = False  # it is about somebody else
    they: bool = False  # somebody else comes or does not
    manner: bool = False  # only the manner of coming is denied: not alone
    some: bool = False  # some of the party do not come

    @property
    def strength(self) -> float:
        return max(self.yes, self.no)

    def says(self, strength: float, *, against: bool, item: Item, bare: bool = False) -> None:
        if against:
            self.no = max(self.no, strength)
        else:
            self.yes = max(self.yes, strength)
        self.bare = self.bare and bare
        self.coming = self.coming or item.role in COMING
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
    """One pass over a piece, with the words that still need their verb."""

    def __init__(self, piece: Tagged, stance: Stance) -> None:
        self.piece = piece
        self.stance = stance
        self.rest: Sequence[Item] = ()  # what follows
        self.before: Sequence[Item] = ()
        self.negation: Item | None = None
        self.can: Item | None = None
        self.wish: Item | None = None
        self.be = False
        self.refused = False  # the verbs that follow belong to a refusal already counted
        self.gap = 0
        self.resumes = 0  # verbs before this token belong to what was denied of the manner

    def run(self) -> None:
        items = self.piece.items
        for index, item in enumerate(items):
            self.before, self.rest = items[:index], items[index + 1 :]
            if item.role is None:
                self.gap += 1
            elif item.role not in _SILENT:
                self._take(item)
        self._end()

    def _take(self, item: Item) -> None:
        if item.role is Role.YES:
            self._affirm(item)
        elif item.role is Role.NO:
            self._deny(item)
        elif item.role is Role.NOT:
            self._negate(item)
        elif item.role is Role.MISS:
            self._miss(item)
        elif item.role is Role.THEY_GO:
            self.stance.they, self.negation = True, None
        elif item.role in VERBS:
            self._verb(item)

    # Words that say yes or no by themselves

    def _affirm(self, item: Item) -> None:
        if self.refused and self.stance.no:
            return  # next time for sure
        if self.negation is not None and self.gap == 0:
            self.stance.murky = True
            return
        within = any(map(_is_content, self.before)) and any(map(_is_content, self.rest))
        strength = SIGN if item.is_sign else PLAIN_WORD_WITHIN if within else PLAIN_WORD
        self.stance.says(strength, against=False, item=item, bare=True)

    def _deny(self, item: Item) -> None:
        if item.may_negate and self._has_object(item):
            self._negate(item)
        elif item.is_phrase and how_before(self.before, item):
            self.stance.manner = True
        elif self._is_no_thing(item):
            self.stance.murky = True
        else:
            strength = SIGN if item.is_sign else PLAIN_WORD
            if item.is_never and "!" in self.piece.ends:
                strength = EXCLAIMED
            if item.is_phrase and (self.stance.bare or self.be):
                self.stance.yes = 0.0  # definitely not this time
            self.stance.says(strength, against=True, item=item, bare=True)
            self.refused = item.may_negate or item.is_phrase

    def _miss(self, item: Item) -> None:
        """To miss it is a no; not to miss it is a yes."""
        if self.negation is None or self.gap > REACH:
            self._deny(item)
            return
        self.stance.says(NOT_MISSING, against=False, item=item)
        self.negation, self.refused = None, True

    def _has_object(self, item: Item) -> bool:
        """Whether a word such as `no` negates what follows instead of being an answer."""
        if self._lexicon(item).table.not_follows and self._has_verb():
            return True
        for after in self.rest:
            if after.role in VERBS or after.role in (Role.MISS, Role.HOW):
                return True
            if after.role is None or after.role is Role.PLAIN:
                if item.is_never:
                    continue
                if not item.is_cannot or self._is_verb(after):
                    return True
            elif after.role not in (Role.LIGHT, Role.NOT, Role.DAY):
                return False
        return False

    def _is_no_thing(self, item: Item) -> bool:
        """No parking, no news."""
        word = self.piece.tokens[item.start].text
        after = self.rest[0].role if self.rest else Role.LIGHT
        return word in self._lexicon(item).determiners and after in (None, Role.PLAIN)

    # Negation and verbs

    def _negate(self, item: Item) -> None:
        table = self._lexicon(item).table
        if self.refused:
            return  # ne ... pas
        if table.not_follows and (self._has_verb() or self.can) and how_next(self.rest, item):
            return  # wir kommen nicht zu spät
        if table.not_follows and self._has_verb():
            self.stance.no, self.stance.yes = self.stance.yes, 0.0
            self.refused = True
        elif table.not_follows and (self.can or self.wish):
            self._refuse(item)
        elif self.negation is not None and table.not_twice:
            self.stance.murky, self.negation = True, None
        else:
            self.negation, self.gap = item, 0

    def _verb(self, item: Item) -> None:
        if item.start < self.resumes:
            return
        if self.negation is not None and self._denies_manner(item):
            return
        if self.negation is not None and self.gap <= REACH:
            if not self._misses_next():
                self._refuse(item)
        elif self.refused:
            return
        elif item.role is Role.CAN or self._is_auxiliary(item):
            self.can = item
        elif item.role is Role.WISH:
            self.wish = item
        else:
            self._come(item)

    def _denies_manner(self, item: Item) -> bool:
        """We won't come late, I can't come alone, we can't leave before 8: no refusal."""
        assert self.negation is not None
        end = self.negation.end
        since = [one for one in self.before if one.start >= end and one.role is not Role.LIGHT]
        how = next(
            filter(is_how, since),
            how_next(self.rest, item) or how_before(self.before, self.negation),
        )
        if how is None:
            return False
        will = item.role in COMING and not self.negation.is_cannot
        self.negation, self.gap, self.resumes = None, 0, how.end
        self.stance.manner = True
        if how in since[1:]:
            self._verb(item)  # can't leave before 8, will come at 9
        elif will:
            self.stance.says(NOT_LATE, against=False, item=item)
        return True

    def _misses_next(self) -> bool:
        """In `not want to miss it` the negation applies to `miss`."""
        after = next((item for item in self.rest if item.role is not Role.LIGHT), None)
        return after is not None and after.role is Role.MISS

    def _come(self, item: Item) -> None:
        if self.wish is not None:
            self.stance.wished = self.stance.yes == 0
            strength = WISHED
        elif item.role is Role.GO:
            strength = VERB
        elif item.role is Role.BE:
            foreign = any(after.role is None for after in self.rest)
            strength = BEING_SOMEWHERE if foreign else BEING
            self.can, self.be = item, True
        else:
            strength = ABLE if self.can else TO_GO_ALONE
        self.stance.says(strength, against=False, item=item)

    def _refuse(self, item: Item) -> None:
        if self.stance.bare:
            self.stance.yes = 0.0  # definitely not coming
        something = item.role not in COMING and self._is_something_else()
        strength = CANNOT_SOMETHING if something else VERB
        self.stance.says(strength, against=True, item=item)
        self.negation, self.refused = None, True

    def _is_something_else(self) -> bool:
        """Whether `cannot` is followed by an unknown verb and no word for coming."""
        after = next((item for item in self.rest if item.role is not Role.LIGHT), None)
        if after is None or after.role is not None or not self._is_verb(after):
            return False
        return not any(item.role in COMING for item in self.piece.items)

    def _is_verb(self, item: Item) -> bool:
        """Whether an unknown word may be an infinitive; True if the language does not show it."""
        table = self._lexicon(item).table
        word = self.piece.tokens[item.start].text
        if table.infinitives_start:
            return word.startswith(table.infinitives_start)
        return not table.infinitives_end or word.endswith(table.infinitives_end)

    def _is_auxiliary(self, item: Item) -> bool:
        """A word such as `vou` before another verb, where it only means `will`."""
        if self.piece.tokens[item.start].text not in self._lexicon(item).auxiliary:
            return False
        after = self.rest[0] if self.rest else None
        return after is not None and after.role not in VERBS and self._is_verb(after)

    def _end(self) -> None:
        stance = self.stance
        if self.negation is not None:
            self._end_negation(self.negation)
        if self.piece.has(Role.SPIRIT):
            stance.yes, stance.no, stance.bare = 0.0, IN_SPIRIT, False
        if self.be and stance.yes and self.piece.has(Role.AWAY):
            stance.yes, stance.no = 0.0, AWAY_THERE  # we will be abroad
        if not stance.strength:
            self._end_without_verb()
        elif self.be and self.wish and stance.yes < WISHED:
            stance.says(WISHED, against=False, item=self.wish)  # we will be happy to
        stance.some = is_about_some(self.piece)
        stance.others = stance.some or is_about_others(self.piece)

    def _end_negation(self, negation: Item) -> None:
        """A negation without a verb of coming: of the manner, or of something unknown."""
        items = [one for one in self.piece.items if one.start >= negation.end]
        said = [one for one in items if one.role is not Role.LIGHT]
        manner = bool(said) and all(map(is_how, said)) and not self.piece.unknown
        if manner and not self.stance.no:
            self.stance.says(NOT_LATE, against=False, item=said[0])
        else:
            self.stance.murky = True

    def _end_without_verb(self) -> None:
        spoken_words = [item for item in self.piece.items if _is_content(item)]
        last = spoken_words[-1] if spoken_words else None
        if last is not None and last is self.wish:
            self.stance.wished = True
            self.stance.says(WISHED_ALONE, against=False, item=last)
        elif last is not None and last is self.can and not last.guessed:
            self.stance.says(ABLE_ALONE, against=False, item=last)

    def _lexicon(self, item: Item) -> Lexicon:
        return self.piece.spoken[item.start]

    def _has_verb(self) -> bool:
        return self.stance.yes > 0 and not self.stance.bare


def _is_content(item: Item) -> bool:
    return item.role not in _COURTESY
