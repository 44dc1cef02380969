"""Head counts in Hebrew and Arabic, where small words are written together with the next one."""

import pytest

from tests.support.rules_alone import head_count
from tidings.features.replies.reading.changes import Change, find_change
from tidings.features.replies.reading.normalise import normalise
from tidings.features.replies.reading.reader import read
from tidings.features.replies.reading.tokens import clauses

COUNTED = {
    "a number after the children it counts": [
        ("انا وعيالي الاثنين", 3), ("آني وزوجتي وأطفالي الأربعة نحضر", 6),
        ("أنا وأولادي الثلاثة", 4),
    ],
    "a name with a conjunction written before it": [
        ("אני ואייל ורוני", 3), ("أنا ومروان وهبة", 3),
    ],
    "names without a conjunction": [("دانا، يوسف وأنا جايين", 3), ("דנה, יוסי ואני מגיעים", 3)],
    "numerals of a group": [("ארבעתנו מגיעים", 4), ("ثلاثتنا جايين", 3), ("غادي نجيو بجوج", 2)],
    "numbers of the dialects": [
        ("جايين حداش نفر", 11), ("בעזה נגיע שלושה עשר איש", 13), ("نحن خمسة وعشرين شخص", 25),
    ],
    "two of a kind": [("אבוא עם ההורים שלי", 3), ("انا وزوجتي وطفلين", 4), ("שלושה זוגות", 6)],
    "nobody else": [("אגיע לבד", 1), ("بجي لحالي", 1), ("באה לבד ושותה כפול", 1)],
}  # fmt: skip

NOT_COUNTED = [
    "אני מביאה את הסלט",  # a thing
    "אני והילדים",
    "אחי אני בא",  # an address
    "ابو محمد احنا جايين",
    "انا والعيال",
]

PAIRS = [pair for pairs in COUNTED.values() for pair in pairs]


def _count(text: str) -> int | None:
    return head_count(text)


@pytest.mark.parametrize(("text", "guests"), PAIRS)
def test_it_is_the_number_of_guests(text: str, guests: int) -> None:
    assert _count(text) == guests


@pytest.mark.parametrize("text", NOT_COUNTED)
def test_it_names_no_number(text: str) -> None:
    assert _count(text) is None


CHANGES = [
    ("בסוף פחות אחד", 4, 3), ("אשתי לא תוכל להגיע בסוף", 3, 2), ("סליחה 3 ולא 4", 4, 3),
    ("שוב 7", 6, 7),
    ("زيدوا واحد", 4, 5), ("ناقص واحد", 5, 4), ("زوجتي ما بتقدر تجي", 2, 1), ("صرنا أربعة", 3, 4),
    ("خمسة ماشي ستة", 6, 5),
]  # fmt: skip


@pytest.mark.parametrize(("text", "before", "after"), CHANGES)
def test_after_a_yes_it_changes_the_number(text: str, before: int, after: int) -> None:
    assert find_change(clauses(normalise(text)), before) == Change(after)


@pytest.mark.parametrize("text", ["אשתי חולה, מקווה שתבוא", "امي مريضة شوية، ان شاء الله تطيب"])
def test_a_worry_changes_nothing(text: str) -> None:
    assert find_change(clauses(normalise(text)), 3) is None


NOT_REFUSED = [
    "לא רוצה לבוא לבד אז אביא את אחותי", "שום דבר לא יעצור אותנו", "לא צריך הסעה אני מגיע",
    "ما بقدر اجي لحالي بجيب اختي معي", "ما يصير ما نجيكم", "لا تخافوا جايين",
]  # fmt: skip
NOT_PROMISED = [
    "נהיה איתכם ברוחנו", "הייתי בא בריצה", "אין מצב שאני מצליח להגיע", "נחגוג אתכם מרחוק",
    "ماغاديش نجي", "هكون معاكم بقلبي", "كان نفسي أحضر", "انا مش جاي",
]  # fmt: skip


@pytest.mark.parametrize("text", NOT_REFUSED)
def test_a_negation_of_something_else_is_no_refusal(text: str) -> None:
    assert read(text).answer != "no"


@pytest.mark.parametrize("text", NOT_PROMISED)
def test_a_refusal_in_warm_words_is_no_yes(text: str) -> None:
    assert read(text).answer != "yes"
