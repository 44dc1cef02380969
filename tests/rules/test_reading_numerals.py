"""Numerals of dialects and of Arabic in Latin letters, which writes some letters as digits."""

import pytest

from tidings.features.replies.reading.heard import hear


def numbers(text: str) -> list[int]:
    return [each.value for each in hear(text).seen.numbers]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("jayin rb3a", 4),
        ("7na rb3a", 4),  # we, and not seven
        ("7na khamsa", 5),
        ("jayin 5amsa", 5),
        ("jayin 3ashra", 10),
        ("nji ana w jouj", 2),
        ("gayeen talata", 3),
        ("mir chömed alli drüü", 3),
        ("mia kumman zwaa", 2),
        ("mir sin fümf", 5),
        ("there's twa o us", 2),
        ("we'll be a baker's dozen", 13),
        ("nous serons vingt deux", 22),
        ("нас двадцать два", 22),
        ("נבוא חמישייה", 5),
        ("جايين حداعش", 11),
        ("غنجيو تسعود", 9),
    ],
)
def test_a_numeral_is_a_number(text: str, number: int) -> None:
    assert numbers(text) == [number]


@pytest.mark.parametrize(
    ("text", "number"),
    [("x2", 2), ("moi+2enfants", 2), ("avec2enfants", 2), ("we are 3kids", 3), ("4ppl", 4)],
)
def test_a_digit_without_a_space_is_a_number_still(text: str, number: int) -> None:
    assert number in numbers(text)


@pytest.mark.parametrize("text", ["ma3andich", "sa7bety", "wallah ma a2dar", "cu l8r"])
def test_a_digit_within_a_word_is_a_letter(text: str) -> None:
    assert numbers(text) == []
