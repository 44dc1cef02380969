"""The language of a reply, as far as its words tell."""

import pytest

from tidings.features.replies.reading.guess_language import guess_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("we'll be there", "en"),
        ("כן, נהיה 4", "he"),
        ("نحن ستة أشخاص", "ar"),
        ("Конечно придем", "ru"),
        ("Voy con mi esposa y dos hijos", "es"),
        ("Nous serons 5 dont 2 enfants", "fr"),
        ("Wir kommen zu viert", "de"),
        ("Não vou poder ir, desculpa", "pt"),
        ("4", None),
        ("👍", None),
        ("", None),
    ],
)
def test_the_language_of_most_words_is_guessed(text: str, language: str | None) -> None:
    assert guess_language(text) == language
