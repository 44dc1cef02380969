"""Why a reply was read as it was: the words of the guest that were the evidence."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import authors
from tidings.features.replies.reading.normalise import normalise
from tidings.features.replies.reading.reader import read
from tidings.features.replies.reading.reasons import REASONS_MAX, reasons
from tidings.features.replies.reading.typed import PHRASE_CHARS_MAX, Typed

TUNING = tuple("abefghijklmnopq")
SAMPLED = 60  # replies of each language


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("sorry, can't make it", ("can't make it",)),
        ("yes! we'll be 4", ("yes", "we'll be 4")),
        ("I'd love to but I can't", ("can't",)),
        ("We are all sick", ("are all sick",)),
        ("me and my wife and 3 kids", ("me and my wife and 3 kids",)),
        ("Wouldn’t miss it, 2 adults, 3 kids", ("Wouldn’t miss", "2 adults, 3 kids")),
        ("Definitly coming", ("Definitly coming",)),
        ("👍🏽", ("👍",)),
        ("+1", ("+1",)),
        ("Sí, vamos los 5", ("Sí", "vamos los 5")),
        ("כן, נהיה 4", ("כן", "נהיה 4")),
        ("לצערי לא אוכל להגיע", ("לא אוכל להגיע",)),
        ("Ich komme leider nicht", ("komme leider nicht",)),
        ("J'peux pas venir, désolée", ("peux pas venir",)),
        ("с удовольствием придем", ("с удовольствием придем",)),
        ("我们不去", ("不去",)),
        ("is there parking?", ()),
        ("maybe", ()),
        ("", ()),
    ],
)
def test_the_words_that_decided_are_shown_as_typed(text: str, found: tuple[str, ...]) -> None:
    assert reasons(text) == found


def test_a_long_phrase_is_cut_between_words() -> None:
    typed = Typed("we " + "really " * 20 + "come")
    found = typed.find(normalise(typed.text).split())
    assert found == "we really really really really really"


def test_words_that_normalising_joins_are_shown_as_normalised() -> None:
    assert reasons("y e s") == ("yes",)


def _require_kept(text: str) -> None:
    """What holds of every text."""
    found = reasons(text)
    assert found == reasons(text)
    assert len(found) <= REASONS_MAX
    assert bool(found) <= (read(text).leaning is not None)
    whole = normalise(text)
    for phrase in found:
        assert 0 < len(phrase) <= PHRASE_CHARS_MAX
        assert phrase in whole or normalise(phrase) in whole, (phrase, text)


WORDS = (
    "yes", "no", "not", "can't", "make it", "we'll be", "4", "+", "2", "kids", "my wife", "sorry",
    "abroad", "but", "?", "!", ",", "\n", "y e s", "sí", "l'invitation", "כן", "לא", "ונגיע",
    "👍🏽", "我们不去", "nicht", "komme", "4-5", "20:00", "+972 50 123 4567", "\ufdfa", "…",
    "présent(e)",
)  # fmt: skip


@settings(max_examples=150, derandomize=True, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join) | st.text(max_size=60))
def test_any_text_has_reasons_that_are_its_own_words(text: str) -> None:
    _require_kept(text)


def test_a_text_longer_than_is_read_has_reasons_too() -> None:
    _require_kept("we're coming, " * 2_000)


@pytest.mark.parametrize("language", ["en", "he", "ar", "ru", "es", "fr", "de", "pt"])
def test_a_reply_that_leans_says_why(language: str) -> None:
    for reply in authors.replies(language, TUNING)[::20][:SAMPLED]:
        _require_kept(reply.text)
        if read(reply.text).leaning is not None:
            assert reasons(reply.text), reply.text
