"""A guest who has said yes changes the number of people, in whatever words."""

import pytest

from tidings.features.replies.reading.changes import Change, find_change
from tidings.features.replies.reading.normalise import normalise
from tidings.features.replies.reading.tokens import clauses

CHANGES = [
    # the new number
    ("make it 3", 4, 3), ("only 2", 4, 2), ("no, only 2 of us", 4, 2), ("no sorry, 3", 4, 3),
    ("3 not 4", 4, 3), ("sorry, 4! forgot to count my nan", 3, 4), ("actually make that 4", 3, 4),
    ("8 now, my brother flew in", 6, 8), ("tasha dropped out so 2", 3, 2), ("back to 3", 4, 3),
    ("that's 4 of us all in", None, 4), ("Should have said, it's me and Trev", None, 2),
    ("my husband can't make it after all, just me", 2, 1), ("just the two of us now", 5, 2),
    ("he's on call now so only me I'm afraid", 2, 1), ("make it 5, my brother is up", 2, 5),
    # more and fewer
    ("one more is joining", 2, 3), ("add two more please", 2, 4), ("one less", 5, 4),
    ("Mia's got chickenpox so minus one", 4, 3), ("2 have bailed already", 12, 10),
    ("three of them dropped out", 11, 8), ("my wife can't come after all", 3, 2),
    ("my wife won't come", 2, 1), ("Mum is coming too", 2, 3), ("and his mum", 2, 3),
    ("bringing my gf", None, 2), ("my in-laws are joining us", 3, 5), ("+1", None, 2),
    ("my mother in law also coming, so add one", 3, 4),
    # nobody can say
    ("without the kids", 4, None), ("we're leaving the little ones with nan", 5, None),
    # German
    ("mach drei draus", 4, 3), ("doch nur zu zweit", 4, 2), ("eine mehr bitte", 2, 3),
    ("einer weniger", 4, 3), ("Zwei fallen aus", 8, 6), ("Mein Sohn kann doch nicht", 3, 2),
    ("Meine Frau kommt auch mit", 1, 2), ("6 statt 5", 5, 6), ("Lisa ist krank, also sechs", 7, 6),
    ("doch ohne die Kinder", 4, None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "before", "after"), CHANGES)
def test_the_party_changes(text: str, before: int | None, after: int | None) -> None:
    assert find_change(clauses(normalise(text)), before) == Change(after)


@pytest.mark.parametrize(
    "text",
    [
        "no", "No!", "can't come after all", "something came up, sorry", "we can't come after all",
        "the two of us can't make it after all", "count us out", "sorry, we have to cancel",
        "thanks!", "where can I park?", "see you at 8", "we'll be there by 7", "2 questions",
        "table 4", "Two of the kids are vegetarian", "2 of us are vegan", "my daughter is 6",
        "my son is running a fever, hope we can all still come", "not sure Gran is up to it",
        "Uncle Bob might come as well", "still coming", "do you need our names?", "tisch 4 bitte",
        "can we bring the pram in?", "her name's Grace", "nein", "wir müssen leider absagen",
        "Wir sind um 4 da", "Kommt der Günter auch?", "Davon 1 vegetarisch",
        "Die Kleine hat Fieber, hoffe das geht bis Samstag weg",
    ],
)  # fmt: skip
def test_what_says_something_else_changes_nothing(text: str) -> None:
    assert find_change(clauses(normalise(text)), 4) is None


@pytest.mark.parametrize("text", ["one less", "my wife can't come after all", "minus one"])
def test_fewer_than_an_unknown_number_or_than_one_is_no_change(text: str) -> None:
    assert find_change(clauses(normalise(text)), None) is None
    assert find_change(clauses(normalise(text)), 1) is None
