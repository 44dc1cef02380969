"""Languages of which plain replies are read: yes, no, coming, not coming, maybe."""

from collections import defaultdict
from itertools import chain

import pytest

from tests.support import replies
from tidings.features.replies.reading.languages import script_of
from tidings.features.replies.reading.lexicon import written_in
from tidings.features.replies.reading.reader import read
from tidings.features.replies.reading.tables import TABLES
from tidings.features.replies.reading.tables.small import SMALL

PLAIN = [
    line.split("\t")
    for line in (replies.CORPUS / "small.tsv").read_text(encoding="utf-8").splitlines()[1:]
]


@pytest.mark.parametrize(("text", "answer", "guests", "language"), PLAIN)
def test_a_plain_reply_is_read(text: str, answer: str, guests: str, language: str) -> None:
    reading = read(text)
    assert (reading.answer or "-") == answer, (language, reading)
    assert str(reading.guests or "-") == guests, (language, reading)


@pytest.mark.parametrize(
    "text",
    [
        "Tak for invitationen", "tak skal du have", "nu kommer bussen", "Ei linda", "co?", "evet?",
        "来自北京", "我的名字是王伟", "네이버", "가위바위보",
        "네비게이션이 고장났어요", "ja det er min bil", "vin", "nai", "خير", "البتة", "ga",
        "это не так", "так себе", "no idea, forse",
    ],
)  # fmt: skip
def test_a_word_like_an_answer_is_none(text: str) -> None:
    assert read(text).answer is None, read(text)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Ja, wir kommen", "yes"),
        ("nein", "no"),
        ("voy", "yes"),
        ("no", "no"),
        ("да", "yes"),
        ("не приду", "no"),
        ("نعم", "yes"),
        ("لا", "no"),
        ("Vou sim", "yes"),
    ],
)
def test_a_large_language_is_read_as_surely_as_before(text: str, answer: str) -> None:
    reading = read(text)
    assert reading.answer == answer
    assert reading.confidence >= 0.97


def test_every_small_table_has_replies_of_its_alphabet() -> None:
    written = {script_of(word) for text, *_ in PLAIN for word in text.lower().split()}
    assert {table.script for table in SMALL} <= written


def test_a_word_alone_says_the_same_in_every_language() -> None:
    """What is yes in one and no in another would be read as whichever comes first."""
    said: dict[str, set[str]] = defaultdict(set)
    for lexicon in chain.from_iterable(map(written_in, {table.script for table in TABLES})):
        for word in lexicon.alone_yes:
            said[word].add("yes")
        for word in lexicon.alone_no:
            said[word].add("no")
    assert [word for word, answers in said.items() if len(answers) > 1] == []
