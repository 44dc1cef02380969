"""The replies by independent authors have the form and the labels that their protocol describes."""

import pytest

from tests.support import authors
from tests.support.authors import CATEGORIES, HELD_OUT, LANGUAGES, TUNING

BROAD = (*"abjklmopqrstuvwxyz", "aa", "ab", "ac", "ad", "ae", *HELD_OUT)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_label_is_one_of_the_protocol(language: str) -> None:
    for reply in authors.replies(language, (*TUNING, *HELD_OUT)):
        assert reply.text.strip(), reply
        assert reply.category in CATEGORIES, reply
        assert reply.answer in ("yes", "no", None), reply
        assert reply.guests is None or (reply.answer == "yes" and reply.guests > 0), reply


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_conversation_begins_with_the_invitation(language: str) -> None:
    for one in authors.conversations(language, (*TUNING, *HELD_OUT)):
        first, *others = [turn.asked for turn in one.turns]
        assert first == "invitation", one
        assert others, one
        assert set(others) <= {"confirm", "nothing"}, one
        for turn in one.turns:
            assert turn.answer in ("yes", "no", None), one
            assert turn.guests is None or (turn.answer == "yes" and turn.guests > 0), one


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("author", BROAD)
def test_every_broad_author_wrote_of_everything(language: str, author: str) -> None:
    found = authors.replies(language, [author])
    assert {reply.answer for reply in found} == {"yes", "no", None}
    assert {reply.category for reply in found} == CATEGORIES
    assert authors.conversations(language, [author])


@pytest.mark.parametrize("language", LANGUAGES)
def test_long_texts_of_held_out_authors_stand_nowhere_else(language: str) -> None:
    """Short ones do: everybody writes yes."""
    learnt = {reply.text.casefold() for reply in authors.replies(language, TUNING)}
    held_out = {reply.text.casefold() for reply in authors.replies(language, HELD_OUT)}
    assert not {text for text in learnt & held_out if len(text.split()) > 5}


def test_a_name_is_not_taken_for_a_list_of_letters() -> None:
    with pytest.raises(AssertionError):
        authors.replies("en", "aa")
