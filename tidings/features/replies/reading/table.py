"""The words of one language, by what they do in a reply. Pure.

A table is text that a speaker of the language can read and mend. Each field lists phrases, one on
a line or apart by `;`. In a phrase `a|b` stands for either word and `a?` for a word that may be
missing. Upper case, accents, apostrophes and vowel points make no difference (normalise.py).
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
    CANNOT = "cannot"  # a refusal, unless it goes on with something else: can't open the link
    GO = "go"  # we come: coming, we'll be there
    BE = "be"  # we will be: comes to the same, unless it goes on with another place
    TO_GO = "to_go"  # to come: says something only with a word for can, will or want
    THEY_GO = "they_go"  # somebody else comes
    CAN = "can"  # can, will
    WISH = "wish"  # would like to
    NOT = "not_"  # turns what follows into its opposite
    MISS = "miss"  # a refusal that a negation before it makes a yes: miss it, say no
    SORRY = "sorry"  # regret: leans towards no
    AWAY = "away"  # a reason to stay away
    MAYBE = "maybe"  # leaves it open
    IF = "if_"  # makes it depend on something
    ASK = "ask"  # begins a question
    BUT = "but"
    WHO = "who"  # somebody else as the subject: my brother, they
    OTHER = "other"  # speaks of something else: the link, the invitation, a call
    VOID = "void"  # sounds like an answer and is none: no problem
    DAY = "day"  # of the week: one no and one yes may be about two of them
    WARM = "warm"  # thanks, congratulations
    LIGHT = "light"  # may stand between the words of a phrase: really, all, so
    PLAIN = "plain"  # ordinary words, so that they are not taken for misspelt ones


class Part(StrEnum):
    """What a phrase says about how many come."""

    PARTY = "party"  # a number in itself: both of us = 2
    WE_ARE = "we_are"  # the number of guests follows: we will be
    IN_ALL = "in_all"  # in total, beside a number
    ME = "me"
    ONE = "one"  # one more person: my wife, a friend
    PEOPLE = "people"  # what is counted: adults, seats
    KIDS = "kids"  # counted beside the guest: children, friends
    AND = "and_"
    WITH = "with_"
    PLUS = "plus"
    OR = "or_"
    INSTEAD = "instead"  # the number after it takes the place of the one before: no wait
    OF_WHICH = "of_which"  # what follows is counted already: including
    FOR = "for_"  # between an answer and its number: yes for 3
    AT = "at"  # a time or a date follows
    UNIT = "unit"  # the number before it counts something else: o'clock, minutes
    CALLED = "called"  # the number after it names something: street, number, room


@dataclass(frozen=True, slots=True)
class Table:
    """One language. `numbers` and `party` lines read `phrase = value`."""

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

    numbers: str = ""
    party: str = ""
    we_are: str = ""
    in_all: str = ""
    me: str = ""
    one: str = ""
    people: str = ""
    kids: str = ""
    and_: str = ""
    with_: str = ""
    plus: str = ""
    or_: str = ""
    instead: str = ""
    of_which: str = ""
    for_: str = ""
    at: str = ""
    unit: str = ""
    called: str = ""

    alone_yes: str = ""  # only as the whole reply: short words that mean other things elsewhere
    alone_no: str = ""

    so: str = ""  # two words that begin a conclusion: so we
    auxiliary: str = ""  # go words that before an infinitive only mean will: vou perguntar
    determiners: str = ""  # no before a thing: no parking
    infinitives_start: tuple[str, ...] = ()
    infinitives_end: tuple[str, ...] = ()
    not_twice: bool = False  # a second negation undoes the first
    not_follows: bool = False  # negation may stand after its verb: ich komme nicht
    prefixes: tuple[str, ...] = field(default=())  # written together with the word: ו, ال
    small: bool = False  # plain replies only: asked where no large table knows more of the words


def phrases(text: str) -> Iterator[tuple[str, ...]]:
    """Every phrase of a field, its alternatives written out, as normalised words."""
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
    """What may stand for one word of a phrase; an apostrophe may make two words of it."""
    choices = [words_of(normalise(each)) for each in word.removesuffix("?").split("|")]
    return (*choices, ()) if word.endswith("?") else tuple(choices)


FIELDS = frozenset(each.name for each in fields(Table))
assert {role.value for role in (*Role, *Part)} <= FIELDS, "every role is a field of a table"
