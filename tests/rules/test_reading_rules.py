"""How replies are read: what counts as an answer, negation, doubt, and the number of guests."""

import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.rules_alone import by_rules
from tidings.features.replies.reading.normalise import normalise
from tidings.features.replies.reading.reader import read
from tidings.features.replies.reading.verdict import SURE_ENOUGH

GUIDE = Path(__file__).parent.parent.parent / "docs" / "replies.md"
NOISE_SECONDS = 0.005  # of measuring what takes less than a millisecond
EXAMPLE = re.compile(r"^\| `(.+)` \| (yes|no|null) \| (\d*) ?\|$", re.MULTILINE)


def examples() -> list[tuple[str, str | None, int | None]]:
    return [
        (text, None if answer == "null" else answer, int(guests) if guests else None)
        for text, answer, guests in EXAMPLE.findall(GUIDE.read_text(encoding="utf-8"))
    ]


def test_the_guide_has_examples() -> None:
    assert len(examples()) > 30


@pytest.mark.parametrize(("text", "answer", "guests"), examples())
def test_an_example_of_the_guide_reads_as_it_says(
    text: str, answer: str | None, guests: int | None
) -> None:
    reading = read(text)
    assert (reading.answer, reading.guests) == (answer, guests), reading


BUTTONS = {
    "yes": [
        "Yes", "כן", "Да", "Sí", "Oui", "Ja", "Sim", "نعم", "כן, אגיע", "Sí, asistiré",
        "Sim, eu vou", "Oui, je viens", "Да, приду", "Ja, ich komme", "Confirm", "Accept", "Going",
        "I'll be there", "אני מגיע/ה", "Je serai présent(e)", "Confirmar", "Zusagen", "✅ Yes",
        "سأحضر",
    ],
    "no": [
        "No", "לא", "Нет", "Non", "Nein", "Não", "لا", "Não vou", "לא אגיע", "Не приду", "Decline",
        "Je ne viens pas", "Je ne participe pas", "Ich komme nicht", "No podré ir", "Can't make it",
        "Not going", "Absagen", "Recusar", "❌ No", "لن أحضر",
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("label", "answer"), [(label, answer) for answer, labels in BUTTONS.items() for label in labels]
)
def test_the_label_of_a_button_is_read_with_near_certainty(label: str, answer: str) -> None:
    reading = read(label)
    assert reading.answer == answer
    assert reading.confidence >= 0.95


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("YES", "yes"), ("ＹＥＳ", "yes"), ("yesss", "yes"), ("y e s", "yes"), ("*Yes*", "yes"),
        ("שָׁלוֹם", "שלום"), ("سَأَحْضُر", "ساحضر"), ("Não", "nao"), ("придём", "придем"), ("мой", "мой"),
        ("مرحبــــا", "مرحبا"), ("٤", "4"), ("۵", "5"), ("5️⃣", "5"), ("can’t", "cant"),
        ("בעז״ה", "בעזה"), ("d'accord", "d accord"), ("👍🏽", "👍"), ("sí", "sip"), ("si", "si"),
    ],
)  # fmt: skip
def test_ways_of_writing_the_same_become_one(text: str, same: str) -> None:
    assert normalise(text).strip("*") == same


@pytest.mark.parametrize("char", ["\ufdfa", "\u0390", "ß", "\ufdfa ", "½"], ids=ascii)
def test_a_text_does_not_grow_when_it_is_normalised(char: str) -> None:
    assert len(normalise(char * 4096)) <= 4096


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("definitely not coming", "no"), ("Точно не придем", "no"), ("Com certeza não vou", "no"),
        ("I wouldn't dare not come", None), ("we can come", "yes"), ("we can talk", None),
        ("we can't talk now", None), ("no parking", None), ("no", "no"), ("no thanks", "no"),
        ("I will be there", "yes"), ("I will be in Paris", None), ("we will be abroad", "no"),
        ("vou perguntar", None), ("vou", "yes"), ("next time for sure", "no"),
        ("my wife can't come", None), ("my wife and I can't come", "no"),
        ("coming, though my husband can't", "yes"), ("Friday no, Sunday yes", None),
        ("yes and no", None), ("yes?", None), ("Yes! where is it?", "yes"),
        ("we're coming, maybe", None), ("we're coming, maybe a bit late", "yes"),
        ("sorry for the late reply, yes", "yes"), ("make sure to eat", None),
    ],
)  # fmt: skip
def test_what_a_word_says_depends_on_its_company(text: str, answer: str | None) -> None:
    assert by_rules(text).answer == answer


@pytest.mark.parametrize(
    ("text", "guests"),
    [
        ("yes, 3", 3), ("yes x2", 2), ("yes for 6", 6), ("yes, table 6", None),
        ("yes, room 12", None),
        ("yes, 8pm", None), ("yes, at 8", None), ("yes 20:00", None), ("yes 12/12", None),
        ("yes 0541234567", None), ("yes, 10 minutes late", None), ("yes, 2 vegetarian meals", None),
        ("yes, 4-5 people", None), ("yes, four or five", None), ("yes, 150 people", 150),
        ("yes, me, my wife and 3 kids", 5), ("yes, with a friend", 2), ("yes, 2+2", 4),
        ("yes, both of us", 2), ("we'll be 5 including 2 kids", 5), ("yes, a total of 7", 7),
    ],
)  # fmt: skip
def test_only_numbers_of_people_are_counted(text: str, guests: int | None) -> None:
    assert (read(text).answer, read(text).guests) == ("yes", guests)


def test_nobody_coming_is_no_yes() -> None:
    assert by_rules("we'll be 0").answer is None


TYPED = st.one_of(
    st.text(max_size=300),
    st.lists(
        st.sampled_from(
            [
                "yes", "no", "not", "לא", "כן", "נגיע", "да", "не", "приду", "voy", "puedo", "ja",
                "nicht", "komme", "نعم", "لا", "👍", "❌", "?", "!", ".", ",", "+", "4", "we'll be",
                "if", "maybe", "but", "and", "me", "my wife", "12.12", "at 8", "sorry", "0",
                "no wait", "no way", "miss it", "of us", "so we", "はい", "不", "来", "네",
                "evet", "kom",
            ]
        ),
        max_size=60,
    ).map(" ".join),
)  # fmt: skip


@given(TYPED)
@settings(max_examples=300, deadline=None)
def test_whatever_is_typed_is_read_and_always_alike(text: str) -> None:
    reading = read(text)
    assert reading == read(text)
    assert 0.0 <= reading.confidence <= 1.0
    assert reading.answer in ("yes", "no", None)
    assert reading.guests is None or 1 <= reading.guests <= 999
    assert (reading.answer is None) or reading.confidence >= SURE_ENOUGH
    assert reading.answer != "no" or reading.guests is None


@pytest.mark.parametrize(
    "unit",
    [
        "a", "a@", "1", "1 ", "1-", "+", "'", "(", "a(", "/", ".", "?", "👍", "no ", "yes ", "but ",
        "me and ", "we will ", "נגיע בשמחה ", "not ", "2 adults and ", "y ", "é", "ا", "\u200d",
        "http://", "不", "来不了，", "はい", "네 ", "नहीं ", "4, no, ", "stop sending ",
        "2 of us can't ", "no way I miss it ",
    ],
)  # fmt: skip
def test_reading_takes_no_longer_than_in_proportion_to_the_text(unit: str) -> None:
    """A pattern that backtracks would take sixteen times as long for four times the text."""
    longest = (unit * 4096)[:4096]
    read(longest)  # the tables of its alphabet are made ready once
    quarter = min(_seconds(longest[:1024]) for _ in range(5))
    spent = min(_seconds(longest) for _ in range(5))
    assert spent < 8 * quarter + NOISE_SECONDS, (spent, quarter)


def _seconds(text: str) -> float:
    start = time.process_time()
    read(text)
    return time.process_time() - start
