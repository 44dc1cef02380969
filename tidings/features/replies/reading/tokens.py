"""A normalised reply as clauses of tokens. Pure.

A time, a date, a telephone number or a link is one token, which no rule reads as a number of
guests.
"""

import re
from dataclasses import dataclass, field
from enum import Enum, auto

import msgspec

# Only the beginning and the end of a long reply are read.
HEAD_TOKENS, TAIL_TOKENS = 80, 40


class Kind(Enum):
    WORD = auto()
    JOIN = auto()  # + and & and =
    NUMBER = auto()  # up to three digits
    MOMENT = auto()  # 20:00, 12.12, 5/6/26
    RANGE = auto()  # 4-5
    OPAQUE = auto()  # telephone numbers, links, years, 100%
    EMOJI = auto()


class Token(msgspec.Struct, frozen=True, gc=False):
    text: str
    kind: Kind = Kind.WORD
    value: int | None = None  # of a NUMBER
    guessed: bool = False  # a misspelt word, corrected

    @property
    def is_word(self) -> bool:
        return self.kind is Kind.WORD


@dataclass(slots=True)
class Clause:
    """Words up to the next punctuation mark. `ends` is that mark: one of , . ? ! or empty."""

    tokens: list[Token] = field(default_factory=list)
    ends: str = ""

    @property
    def is_asked(self) -> bool:
        return "?" in self.ends


# Chinese and Japanese have no spaces: each character is a token, and words are phrases.
_SIGN = r"\u3005\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff"
# Vowel and tone marks above or below a letter: Devanagari, Bengali, Tamil, Telugu, Thai.
_VOWELS = r"\u0900-\u0903\u093a-\u094f\u0981-\u0983\u09bc-\u09cd\u0b82-\u0bcd\u0c00-\u0c4d"
_TONES = r"\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
# Arabic in Latin letters writes some of its own as digits (wa7ed); "moi2enfants" lacks spaces.
_SPELLED = (
    "(?! (?:x|and|with|we|me|avec|et|nous|moi|con|com|mit|und|wir) [2-9] ) "
    "[a-z]+ (?: [235-9] [a-z]+ )+"
)
_WORD = rf"{_SPELLED} | [{_SIGN}] | [^\W\d_{_SIGN}] (?: [^\W\d_{_SIGN}] | [{_VOWELS}{_TONES}] )*"
_UNSPACED = re.compile(f"[{_SIGN}]")
_PATTERN = re.compile(
    rf"""
      (?P<opaque> https?://\S+ | www\.\S+ | [\w.+-]{{1,64}}@[\w.-]{{1,64}} | \#\w+
                | \+?\d[\d\-\ ()./]{{6,}}\d | \d+(?:[.,]\d+)?\ ?% | \d+[.,]\d{{3,}}
                | \d{{4,}} | 0\d+(?![.:/]) )
    | (?P<moment> \d{{1,2}}[.:/]\d{{1,2}}(?:[./]\d{{2,4}})?(?!\d) | \d{{1,2}}h\d{{2}} )
    | (?P<range> \d{{1,2}}\ ?[-–/]\ ?\d{{1,2}}(?!\d) )
    | (?P<number> \d{{1,3}} )
    | (?P<word> {_WORD} )
    | (?P<join> [+&=] )
    | (?P<mark> [?!.,;:()\n]+ | \ [-–—]+\ )
    | (?P<emoji> [\u2190-\u2bff\U0001f000-\U0001faff] )
    """,
    re.VERBOSE,
)


def words_of(text: str) -> tuple[str, ...]:
    """A phrase of a table, tokenised like a reply."""
    return tuple(_UNSPACED.sub(r" \g<0> ", text).split())


def clauses(text: str) -> list[Clause]:
    """The clauses of a normalised text. Every one has a token."""
    found = [Clause()]
    matches = list(_PATTERN.finditer(text))
    if len(matches) > HEAD_TOKENS + TAIL_TOKENS:
        matches = matches[:HEAD_TOKENS] + matches[-TAIL_TOKENS:]
    for match in matches:
        if match.lastgroup == "mark":
            found[-1].ends += match[0].strip() or ","
            continue
        if found[-1].ends and found[-1].tokens:
            found.append(Clause())
        found[-1].ends = ""
        found[-1].tokens.append(_token(match))
    return [clause for clause in found if clause.tokens]


def _token(match: re.Match[str]) -> Token:
    text = match[0]
    match match.lastgroup:
        case "word":
            return Token(text)
        case "number":
            return Token(text, Kind.NUMBER, int(text))
        case "moment":
            return Token(text, Kind.MOMENT)
        case "range":
            return Token(text, Kind.RANGE)
        case "join":
            return Token(text, Kind.JOIN)
        case "emoji":
            return Token(text, Kind.EMOJI)
        case _:
            return Token(text, Kind.OPAQUE)
