"""The words of one language, by their role in a reply. Pure.

A table is text that a speaker of the language can read and correct. Each field lists phrases, one
per line or separated by `;`. In a phrase `a|b` means either word and `a?` an optional word. Case,
accents, apostrophes and vowel points are ignored (normalise.py).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cache
from itertools import chain, product

from .normalise import normalise
from .tokens import words_of


class Role(StrEnum):
    """What a phrase says about coming."""

    YES = "yes"  # an affirmation in itself: yes, of course, count me in
    NO = "no"  # a refusal in itself: nope, have to decline
    CANNOT = "cannot"  # a refusal, unless something else follows: can't open the link
    GO = "go"  # we come: coming, we'll be there
    BE = "be"  # we will be: the same, unless another place follows
    TO_GO = "to_go"  # to come: counts only with a word for can, will or want
    THEY_GO = "they_go"  # somebody else comes
    CAN = "can"  # can, will
    WISH = "wish"  # would like to
    NOT = "not_"  # negates what follows
    MISS = "miss"  # a refusal, or a yes after a negation: miss it, say no
    SORRY = "sorry"  # regret: leans towards no
    AWAY = "away"  # a reason to stay away
    HOW = "how"  # late, alone, before: a negation of it denies the manner, not the coming
    SPIRIT = "spirit"  # in spirit: there, and yet not coming
    MAYBE = "maybe"  # undecided
    IF = "if_"  # makes it depend on something
    ASK = "ask"  # starts a question
    BUT = "but"
    WHO = "who"  # somebody else as the subject: my brother, they
    OTHER = "other"  # about something else: the link, the invitation, a call
    VOID = "void"  # sounds like an answer but is not one: no problem
    DAY = "day"  # of the week: a no and a yes may be about different days
    WARM = "warm"  # thanks, congratulations
    LIGHT = "light"  # allowed between the words of a phrase: really, all, so
    PLAIN = "plain"  # ordinary words, listed so that they are not corrected as misspelt


class Part(StrEnum):
    """What a phrase says about how many come."""

    PARTY = "party"  # a number in itself: both of us = 2
    WE_ARE = "we_are"  # the number of guests follows: we will be
    IN_ALL = "in_all"  # in total, next to a number
    ME = "me"
    ONE = "one"  # one more person: wife, friend; the words before it are in `own`
    TOGETHER = "together"  # a number of all who come, named beside it or not: in twos = 2
    GROUP = "group"  # a number of more people: my parents = 2, the twins = 2
    PEOPLE = "people"  # what is counted, of whatever kind: people, seats
    ADULTS = "adults"  # what is counted together with others: 2 adults and 3 children
    KIDS = "kids"  # counted in addition to the guest: children, friends
    PAIRS = "pairs"  # counts two for each: 2 couples
    VAGUE = "vague"  # people nobody can count: the family, some friends
    AND = "and_"
    WITH = "with_"
    BRING = "bring"  # of the words in `with_`, those that are verbs: who is brought comes
    LACK = "lack"  # the people after it do not come: without, except
    JOINING = "joining"  # the guest comes with the people before it: are coming with me
    ALSO = "also"  # makes the people before it come too: my wife too
    PLUS = "plus"
    OR = "or_"
    INSTEAD = "instead"  # the number after it replaces the one before: no wait
    OF_WHICH = "of_which"  # what follows is counted already: including
    OUT_OF = "out_of"  # between a number and those it is a part of: 3 out of 5
    ABOUT = "about"  # makes the number after it inexact: about, at least
    FOR = "for_"  # between an answer and its number: yes for 3
    AT = "at"  # a time or a date follows
    UNIT = "unit"  # the number before it counts something else: o'clock, minutes
    AGED = "aged"  # the number before it is an age, perhaps of one who comes: a 4 year old
    MORE = "more"  # the number beside it comes in addition; a phrase without a number: one more
    FEWER = "fewer"  # the number beside it does not come after all
    GONE = "gone"  # the people before it do not come after all: dropped out
    SKIP = "skip"  # looks like a number or a guest and is none: one day, you two
    CALLED = "called"  # the number after it names something: street, number, room


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """One language. `numbers`, `party`, `together` and `group` lines read `phrase = value`."""

    language: str
    script: str  # latin, hebrew, arabic, cyrillic and those of languages.py
    yes: str = ""
    no: str = ""
    cannot: str = ""
    go: str = ""
    be: str = ""
    to_go: str = ""
    they_go: str = ""
    can: str = ""
    wish: str = ""
    not_: str = ""
    miss: str = ""
    sorry: str = ""
    away: str = ""
    how: str = ""
    spirit: str = ""
    maybe: str = ""
    if_: str = ""
    ask: str = ""
    but: str = ""
    who: str = ""
    other: str = ""
    void: str = ""
    day: str = ""
    warm: str = ""
    light: str = ""
    plain: str = ""
    common: str = ""  # words of which nothing is known but that they are no names

    numbers: str = ""
    party: str = ""
    together: str = ""
    we_are: str = ""
    in_all: str = ""
    me: str = ""
    one: str = ""
    people: str = ""
    group: str = ""
    adults: str = ""
    kids: str = ""
    pairs: str = ""
    vague: str = ""
    own: str = ""  # allowed before a person in a list: my, the, little
    us: str = ""  # the guest speaks for several, so whom they bring is not all: we
    and_: str = ""
    with_: str = ""
    bring: str = ""
    lack: str = ""
    joining: str = ""
    also: str = ""
    plus: str = ""
    or_: str = ""
    instead: str = ""
    of_which: str = ""
    out_of: str = ""
    about: str = ""
    for_: str = ""
    at: str = ""
    unit: str = ""
    aged: str = ""
    more: str = ""
    fewer: str = ""
    gone: str = ""
    skip: str = ""
    called: str = ""

    alone_yes: str = ""  # only as the whole reply: short words with other meanings elsewhere
    alone_no: str = ""

    so: str = ""  # two words that start a conclusion: so we
    auxiliary: str = ""  # GO words that mean `will` before an infinitive: vou perguntar
    determiners: str = ""  # no before a thing: no parking
    infinitives_start: tuple[str, ...] = ()
    infinitives_end: tuple[str, ...] = ()
    not_twice: bool = False  # a second negation undoes the first
    not_follows: bool = False  # negation may follow its verb: ich komme nicht
    articles: tuple[str, ...] = ()  # written together with the word: a name has none
    prefixes: tuple[str, ...] = field(default=())  # written together with the word: ו, ال
    small: bool = False  # plain replies only: used if no large table knows more of the words
    unread: bool = False  # known, so that it is not read as another language; never an answer


def phrases(text: str) -> Iterator[tuple[str, ...]]:
    """Every phrase of a field, alternatives expanded, as normalised words."""
    for line in text.replace("\n", ";").split(";"):
        for chosen in product(*(_choices(word) for word in line.split())):
            words = tuple(chain.from_iterable(chosen))
            if words:
                yield words


def valued(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """The phrases of a field whose lines read `phrase = value`."""
    for line in text.replace("\n", ";").split(";"):
        if line.strip():
            phrase, _, value = line.rpartition("=")
            for words in phrases(phrase):
                yield words, int(value)


@cache
def _choices(word: str) -> tuple[tuple[str, ...], ...]:
    """The alternatives of one word of a phrase; an apostrophe may split it into two words."""
    choices = [words_of(normalise(each)) for each in word.removesuffix("?").split("|")]
    return (*choices, ()) if word.endswith("?") else tuple(choices)


FIELDS = frozenset(each.name for each in fields(Table))
assert {role.value for role in (*Role, *Part)} <= FIELDS, "every role is a field of a table"
