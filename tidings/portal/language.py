"""The languages of the portal: English in the templates, others in `words/<language>/*.po`."""

from functools import cache
from gettext import NullTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

WORDS = Path(__file__).parent / "words"
LANGUAGES = {"en": "English", "he": "עברית"}
DIRECTIONS = {"en": "ltr", "he": "rtl"}
ENGLISH = "en"


@cache
def translations(language: str) -> NullTranslations:
    """The texts of a language, of all files together. English texts are their own keys."""
    if language == ENGLISH:
        return NullTranslations()
    merged = Translations()
    for path in sorted((WORDS / language).glob("*.po")):
        with path.open("rb") as source:
            catalog = read_po(source, locale=language)
        compiled = BytesIO()
        write_mo(compiled, catalog)
        compiled.seek(0)
        merged.merge(Translations(compiled))
    return merged


def choose(cookie: str, accepted: str) -> str:
    """The language that was chosen, or the first one that the browser asks for and we speak."""
    if cookie in LANGUAGES:
        return cookie
    for part in accepted[:200].split(","):
        code = part.split(";")[0].strip().lower().split("-")[0]
        if code in LANGUAGES:
            return code
    return ENGLISH
