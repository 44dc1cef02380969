"""Replies and conversations by authors who wrote apart from each other (tests/corpus/authors).

PROTOCOL.md beside them says what the labels mean. The authors in HELD_OUT are measured as sums
only: nothing may be trained on their texts or fixed by looking at them.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "corpus" / "authors"
LANGUAGES = ("en", "he", "ar", "ru", "es", "fr", "de", "pt")
HELD_OUT = ("c", "d")
TUNING = (*"abefghijklmnopqrstuvwxyz", "aa", "ab", "ac", "ad", "ae", "af", "ag", "ah")
HEADER = "text\tanswer\tguests\tcategory"
CATEGORIES = frozenset(
    [
        "yes",
        "yes-count",
        "yes-negation",
        "no",
        "no-excuse",
        "no-soft",
        "undecided",
        "near-miss",
        "voice",
        "long",
    ]
)


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    answer: str | None  # None: neither yes nor no
    guests: int | None
    category: str


@dataclass(frozen=True, slots=True)
class Turn:
    asked: str  # before this text: invitation, confirm (yes or no?), nothing
    text: str
    answer: str | None  # what is known of the guest after it
    guests: int | None


@dataclass(frozen=True, slots=True)
class Conversation:
    category: str
    turns: tuple[Turn, ...]


def replies(language: str, authors: Sequence[str]) -> list[Reply]:
    return [reply for author in _names(authors) for reply in _replies(f"{language}.{author}")]


def conversations(language: str, authors: Sequence[str]) -> list[Conversation]:
    return [one for author in _names(authors) for one in _conversations(f"{language}.{author}")]


def _names(authors: Sequence[str]) -> Sequence[str]:
    """A text is a sequence too: of "ac" one would get a's, and c's, who is held out."""
    assert not isinstance(authors, str), authors
    return authors


def _replies(name: str) -> list[Reply]:
    path = FOLDER / f"{name}.tsv"
    if not path.exists():
        return []
    header, *lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    assert header == HEADER, path
    return [_reply(*line.split("\t")) for line in lines]


def _reply(text: str, answer: str, guests: str, category: str) -> Reply:
    return Reply(
        text,
        None if answer == "-" else answer,
        None if guests == "-" else int(guests),
        category,
    )


def _conversations(name: str) -> list[Conversation]:
    path = FOLDER / f"{name}.jsonl"
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    return [_conversation(json.loads(line)) for line in lines]


def _conversation(found: dict[str, object]) -> Conversation:
    turns = found["turns"]
    assert isinstance(turns, list)
    return Conversation(str(found["category"]), tuple(Turn(**turn) for turn in turns))
