"""The labelled replies: their bars, and that the report matches what the code does."""

import pytest

from bench.reading import report, speed
from tests.support import replies
from tidings.features.replies.reading.tables import TABLES


@pytest.mark.parametrize("language", replies.LANGUAGES)
def test_a_language_keeps_its_bars_on_the_replies_held_out(language: str) -> None:
    figures = replies.measure(replies.load_held_out(language))
    assert figures.precision >= replies.PRECISION_MIN, figures
    assert figures.coverage >= replies.COVERAGE_MIN, figures
    assert figures.counts >= replies.COUNTS_MIN, figures


def test_replies_of_mixed_languages_and_emoji_keep_the_bars_too() -> None:
    figures = replies.measure(replies.load_held_out("mixed"))
    assert figures.precision >= replies.PRECISION_MIN, figures
    assert figures.coverage >= replies.COVERAGE_MIN, figures


def test_german_keeps_them_on_replies_that_nothing_was_mended_by() -> None:
    figures = replies.measure(replies.load_untouched())
    assert figures.precision >= replies.PRECISION_MIN, figures
    assert figures.coverage >= replies.COVERAGE_MIN, figures


def test_what_was_learnt_is_not_forgotten() -> None:
    tuning = [one for name in replies.FILES for one in replies.load_tuning(name)]
    figures = replies.measure([*tuning, *replies.load_later()])
    assert figures.precision >= 0.998, figures
    assert figures.coverage >= 0.95, figures


def test_the_corpus_is_large_and_both_parts_hold_every_answer() -> None:
    for language in replies.LANGUAGES:
        assert len(replies.load(language)) >= 150
        for part in (replies.load_held_out(language), replies.load_tuning(language)):
            assert {reply.answer for reply in part} == {"yes", "no", None}
    assert sum(len(replies.load(name)) for name in replies.FILES) >= 1500


def test_nothing_stands_twice_in_a_file_or_with_two_labels() -> None:
    labels: dict[str, replies.Labelled] = {}
    for name in replies.FILES:
        texts = [reply.text for reply in replies.load(name)]
        assert len(texts) == len(set(texts)), name
    everything = [one for name in replies.FILES for one in replies.load(name)]
    for reply in [*everything, *replies.load_later(), *replies.load_untouched()]:
        assert labels.setdefault(reply.text, reply) == reply


def test_what_is_not_to_be_learnt_from_is_nowhere_else() -> None:
    learnt = {one.text for name in replies.FILES for one in replies.load_tuning(name)}
    learnt |= {one.text for one in replies.load_later()}
    assert not learnt & {one.text for one in replies.load_untouched()}
    for name in replies.FILES:
        assert not learnt & {one.text for one in replies.load_held_out(name)}


def test_every_language_with_replies_has_a_table() -> None:
    large = {table.language for table in TABLES if not table.small}
    assert large == {*replies.LANGUAGES, "spelled"}


def test_the_report_is_what_the_code_does() -> None:
    again = "run make reading-report"
    read = report.read_held_out()
    written = report.PAGE.read_text(encoding="utf-8").partition(speed.HEADING)[0]
    assert written == report.write(read), again
    assert report.FIGURE.read_text(encoding="utf-8") == report.diagram(read), again
