"""A guest who has said yes changes the number of people (contract2.md, section B)."""

import pytest

from tidings.features.replies.reading.reader import Answer, Previous, read

SAID_YES = Previous("yes", 9)

CHANGES = {
    "en": [
        ("make it 3", 3), ("make that two", 2), ("only 2", 2), ("3 not 4", 3), ("3, not 4", 3),
        ("no, only 2 of us", 2), ("no sorry, 3", 3), ("actually 5", 5), ("we'll be 3 now", 3),
        ("Sorry, make it 3 please 🙏", 3), ("not 4, 3", 3), ("3 instead of 4", 3),
        ("no, just me", 1), ("No, just the two of us", 2), ("change it to 3 please", 3),
        ("No. Only 2 people.", 2), ("only one", 1), ("4", 4),
    ],
    "he": [
        ("תעשו 3", 3), ("תעשו את זה 3", 3), ("רק 2", 2), ("לא, רק 2 מאיתנו", 2), ("בעצם 5", 5),
        ("לא סליחה, 3", 3), ("3 ולא 4", 3), ("נהיה 3 עכשיו", 3), ("רק שנינו", 2),
    ],
    "es": [
        ("que sean 3", 3), ("solo 2", 2), ("no, solo 2 de nosotros", 2), ("perdón, 3", 3),
        ("3 no 4", 3), ("en realidad 5", 5), ("ahora somos 3", 3), ("mejor tres", 3),
    ],
    "fr": [
        ("mettez 3", 3), ("seulement 2", 2), ("non, seulement 2 d'entre nous", 2),
        ("non, désolé, 3", 3), ("3 pas 4", 3), ("en fait 5", 5), ("on sera 3 maintenant", 3),
    ],
    "de": [
        ("macht 3 draus", 3), ("nur 2", 2), ("nein, nur 2 von uns", 2), ("nein, sorry, 3", 3),
        ("3 nicht 4", 3), ("eigentlich 5", 5), ("wir sind jetzt 3", 3), ("doch nur zwei", 2),
    ],
    "pt": [
        ("que sejam 3", 3), ("só 2", 2), ("não, só 2 de nós", 2), ("não, desculpe, 3", 3),
        ("3 não 4", 3), ("na verdade 5", 5), ("agora somos 3", 3),
    ],
    "ru": [
        ("пусть будет 3", 3), ("только 2", 2), ("нет, только 2 из нас", 2), ("нет, только двое", 2),
        ("нет, извините, 3", 3), ("3, а не 4", 3), ("на самом деле 5", 5), ("нас теперь 3", 3),
    ],
    "ar": [
        ("اجعلها 3", 3), ("خليها ٣", 3), ("فقط 2", 2), ("لا، فقط 2 منا", 2), ("لا آسف، 3", 3),
        ("3 مش 4", 3), ("في الواقع 5", 5), ("سنكون 3 الآن", 3),
    ],
}  # fmt: skip

PAIRS = [pair for pairs in CHANGES.values() for pair in pairs]


@pytest.mark.parametrize(("text", "guests"), PAIRS)
def test_after_a_yes_it_is_the_number_of_people(text: str, guests: int) -> None:
    found = read(text, SAID_YES)
    assert (found.answer, found.guests, found.change) == ("yes", guests, guests - 9)
    assert 0.7 <= found.confidence <= 1
    assert read(text, Previous("yes", None)).guests == guests


@pytest.mark.parametrize(("text", "guests"), PAIRS)
@pytest.mark.parametrize("answer", [None, "no"])
def test_without_a_yes_before_it_changes_no_number(
    text: str, guests: int, answer: Answer | None
) -> None:
    assert read(text, Previous(answer)).change is None


REFUSALS = [
    "no", "No!", "no sorry", "no, we can't come", "nope, none of us",
    "לא", "לא נגיע", "no podemos", "non", "nein", "não", "нет", "لا",
]  # fmt: skip


@pytest.mark.parametrize("text", REFUSALS)
def test_a_no_after_a_yes_is_a_changed_mind(text: str) -> None:
    assert read(text, SAID_YES).answer == "no"


@pytest.mark.parametrize(
    "text",
    [
        "no one", "not 3", "no, not 3", "make it 3?", "only once", "at 8",
        "3 or 4", "no 3-4", "table 3", "make it 0", "only 200", "until 3", "",
    ],
)  # fmt: skip
def test_what_says_something_else_is_no_party(text: str) -> None:
    assert read(text, SAID_YES).change is None
