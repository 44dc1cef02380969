"""Languages of which plain replies are read: yes, no, coming, not coming, maybe.

A language is read only with figures to show for it (tests/corpus/small). The words of the others
are known, so that they are not read as another language's, and say nothing.
"""

from collections import defaultdict
from itertools import chain

import pytest

from tests.support import replies, small
from tidings.features.replies.reading.languages import script_of
from tidings.features.replies.reading.lexicon import written_in
from tidings.features.replies.reading.reader import read
from tidings.features.replies.reading.tables import TABLES
from tidings.features.replies.reading.tables.small import SMALL

UNREAD = {table.language for table in SMALL if table.unread}
READ = [language for language in small.languages() if language not in UNREAD]

PLAIN = [
    line.split("\t")
    for line in (replies.CORPUS / "small.tsv").read_text(encoding="utf-8").splitlines()[1:]
]


@pytest.mark.parametrize(("text", "answer", "guests", "language"), PLAIN)
def test_a_plain_reply_is_read(text: str, answer: str, guests: str, language: str) -> None:
    reading = read(text)
    if language in UNREAD:
        assert reading.answer is None, (language, reading)
        return
    assert (reading.answer or "-") == answer, (language, reading)
    assert str(reading.guests or "-") == guests, (language, reading)


@pytest.mark.parametrize("language", READ)
def test_a_language_that_is_read_has_figures_to_show_for_it(language: str) -> None:
    figures = small.figures(language)
    assert figures.precision >= small.PRECISION_MIN
    assert figures.decided >= small.DECIDED_MIN
    assert small.flips(small.load(language)) == []


@pytest.mark.parametrize("language", sorted(UNREAD))
def test_a_language_that_is_not_read_costs_a_question_and_no_guest(language: str) -> None:
    decided = [one for one in small.load(language) if read(one.text).answer is not None]
    wrong = [one.text for one in decided if read(one.text).answer != one.answer]
    assert (wrong, len(decided) <= len(small.load(language)) / 20) == ([], True)


def test_every_small_table_has_replies_written_before_it_was_looked_at() -> None:
    assert {table.language for table in SMALL} == set(small.languages())
    assert min(len(small.load(language)) for language in small.languages()) >= 60


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
