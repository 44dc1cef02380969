"""Every text of the portal has its translation, with the same values in it."""

import re

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from tidings.portal.language import LANGUAGES, WORDS, translations

PORTAL = WORDS.parent
METHODS = [("**.py", "python"), ("**.html", "jinja2.ext:babel_extract")]
OPTIONS = {"**.html": {"trimmed": "false", "silent": "false"}}
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2)}
VALUE = re.compile(r"%\(\w+\)[sd]")


def texts() -> dict[str, str]:
    """Every text in the code and the templates, with a place where it stands."""
    found = extract_from_dir(PORTAL, METHODS, OPTIONS, KEYWORDS)
    return {
        text: f"{file}:{line}"
        for file, line, message, *_ in found
        for text in ([message] if isinstance(message, str) else message[:1])
    }


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_every_text_is_translated(language: str) -> None:
    known = translations(language)
    missing = [
        f"{place} {text}"
        for text, place in texts().items()
        if text
        and known.gettext(text) == text
        and not re.fullmatch(r"[\W\dA-Z]*|Webhooks?", text)
        and known.ngettext(text, text, 1) == text
    ]
    assert missing == []


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_a_translation_has_the_values_of_its_text(language: str) -> None:
    for path in (WORDS / language).glob("*.po"):
        with path.open("rb") as source:
            for message in read_po(source, locale=language):
                if not message.id or isinstance(message.id, tuple):
                    continue
                assert sorted(VALUE.findall(message.id)) == sorted(VALUE.findall(message.string)), (
                    f"{path.name}: {message.id}"
                )
