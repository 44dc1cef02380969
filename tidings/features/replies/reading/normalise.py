"""Normalise the text of a reply. Pure.

Folds width, case, accents, vowel points, letter variants, repeated letters and digits of every
alphabet; keeps words, digits, emoji and punctuation between clauses.
"""

import re
import unicodedata
from functools import lru_cache

# Three or more of the same letter (two are common spelling): yesss, כןןן, nooo.
_STRETCHED = re.compile(r"([^\W\d_])\1{2,}")
_JOINERS = re.compile(
    "[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufe00-\ufe0f\u20e3\U0001f3fb-\U0001f3ff]|[♀♂]"
)
_POINTS = re.compile(
    "[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640]"
)
_QUOTES = str.maketrans(dict.fromkeys("’‘`´ʼ׳ʹ＇", "'") | dict.fromkeys("“”„«»״", '"'))
_LETTERS = str.maketrans(
    {
        "ё": "е", "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ئ": "ي", "ؤ": "و", "ة": "ه",
        "گ": "ك", "ک": "ك", "ی": "ي", "ß": "ss", "œ": "oe", "æ": "ae", "ø": "o", "ı": "i", "ł": "l",
        "đ": "d", "\u0307": "",
    }
)  # fmt: skip
_MARKS = str.maketrans(
    {"؟": "?", "¿": " ", "¡": " ", "،": ",", "؛": ";", "…": ".", "־": "-"}
    | {"。": ".", "、": ",", "।": "."}
)
_ELISION = re.compile(r"\b(qu|[cdjlmnst])'(?=\w)")  # French: l'invitation
_ENDING = re.compile(r"(?<=\w)[/(](?:a|as|e|es|o|os|ה|ת|ים|ות)\b\)?")  # מגיע/ה, présent(e)
_INSIDE = re.compile(r"(?<=[^\W\d_])[\"'](?=[^\W\d_])")  # בעז"ה, can't
_AFTER = re.compile(r"(?<=[א-ת])'")  # ה'
_SPELT = re.compile(r"^\W*((?:[^\W\d_] )+[^\W\d_])\W*$")  # y e s
# Words of Arabic in Latin letters whose first letter is a digit: we, five, eleven, ten.
_SPELLED = {
    "7na": "e7na", "5amsa": "khamsa", "5amse": "khamsa", "5amseh": "khamsa", "5amsi": "khamsa",
    "5msa": "khamsa", "7dach": "hdach", "7daash": "hdach", "3ashra": "ashra", "3ashara": "ashra",
    "3shra": "ashra", "3achra": "ashra", "3chra": "ashra",
}  # fmt: skip
_DIGIT_FIRST = re.compile(rf"\b(?:{'|'.join(_SPELLED)})\b")
_KEPT = {"sí": "sip"}  # an accent that changes the meaning: sí is yes, si is if

_DONE = re.compile("[a-z]{1,64}|[א-ת]{1,64}|[а-я]{1,64}")

CHARS_MAX = 2048  # an answer is in the first lines


def normalise(text: str) -> str:
    """The same text for all spellings of the same words."""
    if _DONE.fullmatch(text) and not _STRETCHED.search(text):
        return text
    # Cut again after each step that can lengthen it: NFKC makes 18 characters of U+FDFA.
    text = unicodedata.normalize("NFKC", text[:CHARS_MAX])[:CHARS_MAX]
    text = text.translate(_QUOTES).translate(_MARKS)
    text = _POINTS.sub("", _JOINERS.sub("", text)).casefold()[:CHARS_MAX]
    text = _STRETCHED.sub(r"\1", text)
    text = re.sub(r"\bs[íì]\b", _KEPT["sí"], text)
    text = _plain_letters(text).translate(_LETTERS)
    text = _DIGIT_FIRST.sub(lambda found: _SPELLED[found[0]], text)
    text = _ENDING.sub("", text)
    text = _ELISION.sub(r"\1 ", text)
    text = _AFTER.sub("", _INSIDE.sub("", text))
    spelt = _SPELT.match(text)
    return spelt[1].replace(" ", "") if spelt else text


def _plain_letters(text: str) -> str:
    """Latin letters without accents, digits of any alphabet as 0 to 9; й stays й."""
    if text.isascii():
        return text
    return text.translate({ord(char): _plain(char) for char in set(text)})


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    base = unicodedata.normalize("NFD", char)[0]
    return base if "a" <= base <= "z" else char
