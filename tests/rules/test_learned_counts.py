"""How many come, by what was learned: what is proposed, what is chosen, where the rules hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.features.replies.reading.headcount import (
    change_by_rules,
    count_again,
    count_guests,
    propose_again,
    propose_first,
)
from tidings.features.replies.reading.heard import hear
from tidings.features.replies.reading.learned.parties import BUCKETS
from tidings.features.replies.reading.learned.seen import MOST
from tidings.features.replies.reading.reader import Previous, read


@pytest.mark.parametrize(
    ("text", "guests"),
    [
        ("me, my wife and 3 kids", 5),
        ("there are 4 of us", 4),
        ("+2", 3),
        ("2 adults and 3 children", 5),
        ("Dana, Yossi and I", 3),
    ],
)
def test_every_number_that_may_be_meant_is_proposed(text: str, guests: int) -> None:
    proposed = propose_first(hear(text))
    assert guests in proposed
    assert None in proposed  # that nobody said how many
    assert all(each is None or 0 < each <= MOST for each in proposed)
    assert all(0 <= number < BUCKETS for each in proposed.values() for number in each)


def test_after_a_yes_the_number_before_is_proposed_with_what_is_added_and_taken() -> None:
    heard = hear("two more are joining")
    proposed = propose_again(heard, 4, change_by_rules(heard, 4))
    assert {2, 3, 4, 5, 6} <= {*proposed}


@pytest.mark.parametrize(
    ("text", "guests"),
    [
        ("Yes! me, my wife and the twins", 4),
        ("we'll be there, 5 of us, 2 of them kids", 5),
        ("כן, אני ואשתי", 2),
        ("придём вчетвером", 4),
        ("vamos mi mujer y yo", 2),
        ("on sera six", 6),
        ("Wir kommen zu dritt", 3),
        ("vamos eu, o Rafa e a Tita", 3),
        ("جايين أنا ومراتي", 2),
        ("Yes, see you at 8", None),
        ("we will be there on the 12th", None),
        ("coming with the kids", None),
    ],
)
def test_how_many_come(text: str, guests: int | None) -> None:
    assert count_guests(hear(text)) == guests


@pytest.mark.parametrize(
    ("text", "before", "guests"),
    [
        ("make it 3", 4, 3),
        ("one more is joining", 2, 3),
        ("my husband can't make it after all, just me", 2, 1),
        ("where can I park?", 4, 4),
        ("see you at 7!", 4, 4),
        ("my son is ill, I hope we can come", 4, 4),
    ],
)
def test_who_said_yes_changes_the_number_or_leaves_it(text: str, before: int, guests: int) -> None:
    reading = read(text, Previous("yes", before))
    assert (reading.guests or before) == guests, reading


def test_where_the_rules_doubt_a_correction_nothing_is_chosen() -> None:
    heard = hear("4 adults and 2 kids, no wait, 3 kids")
    assert heard.count.is_doubtful
    assert count_guests(heard) is None


def test_a_number_beyond_those_learned_is_the_rules() -> None:
    assert count_guests(hear("we will be 120 people")) == 120
    heard = hear("we will be 120 people")
    assert count_again(heard, 4, change_by_rules(heard, 4)) in (4, 120)


@given(st.text(max_size=300), st.integers(1, 99) | st.none())
def test_any_text_has_one_choice_and_always_the_same(text: str, before: int | None) -> None:
    heard = hear(text)
    by_rules = change_by_rules(heard, before) if heard.parts else None
    assert count_guests(heard) == count_guests(hear(text))
    again = count_again(heard, before, by_rules)
    assert again is None or 0 < again <= 999
