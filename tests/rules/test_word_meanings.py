"""Words by meaning: found by themselves, by their beginning and in phrases, in their language."""

from pathlib import Path

import pytest

from tests.support.authors import LANGUAGES
from tidings.features.replies.reading.learned import meanings
from tidings.features.replies.reading.learned.meanings import FIRST, load
from tidings.features.replies.reading.normalise import normalise
from tidings.features.replies.reading.tagged import tag
from tidings.features.replies.reading.tokens import clauses
from training import lexicons

NAMES = lexicons.names()


def meant(text: str) -> set[str]:
    found = load().of_pieces(tag(clauses(normalise(text))))
    return {NAMES[number - FIRST] for each in found for number in each if number >= FIRST}


def test_the_file_is_made_of_these_lists() -> None:
    written = (Path(meanings.__file__).parent / meanings.FILE).read_bytes()
    assert written == lexicons.compile_all(), "the lists in training/meanings changed: make train"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_words_for_every_meaning(language: str) -> None:
    path = lexicons.FOLDER / f"{language}.txt"
    found = {meaning for meaning, _ in lexicons.entries(path)}
    assert found == set(NAMES)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("my son has the flu", "illness"),
        ("у сына грипп", "illness"),
        ("לבן שלי יש שפעת", "illness"),
        ("mein Sohn hat Grippe", "illness"),
        ("mon fils a la grippe", "illness"),
        ("mi hijo tiene gripe", "illness"),
        ("meu filho está com gripe", "illness"),
        ("ابني عنده انفلونزا", "illness"),
        ("stuck at the airport", "flight"),
        ("we will raise a glass from here", "toast"),
    ],
)
def test_what_a_word_means_is_the_same_in_every_language(text: str, meaning: str) -> None:
    assert meaning in meant(text), meant(text)


def test_what_nobody_listed_means_nothing() -> None:
    assert meant("xqzt vbnm") == set()
