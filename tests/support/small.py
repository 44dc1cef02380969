"""Labelled replies in languages with a small table (tests/corpus/small), and how they are read.

They were written before anybody looked at the tables. Each file is split in two by a hash of the
text: the tables were mended by the tuning half only, and a language is kept by the half held out.
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from tidings.features.replies.reading.reader import read

from . import replies
from .replies import CORPUS, Figures, Labelled

FOLDER = CORPUS / "small"
# What a language needs on the half held out to be read.
PRECISION_MIN, DECIDED_MIN = 0.97, 10


def languages() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.tsv"))


@cache
def load(language: str) -> tuple[Labelled, ...]:
    return tuple(_read(FOLDER / f"{language}.tsv"))


def held_out(language: str) -> list[Labelled]:
    return [one for one in load(language) if one.is_held_out]


def tuning(language: str) -> list[Labelled]:
    return [one for one in load(language) if not one.is_held_out]


def figures(language: str) -> Figures:
    """Of the half held out."""
    return replies.measure(held_out(language))


def flips(replies_: Iterable[Labelled]) -> list[str]:
    """Yes read as no, and no as yes."""
    return [one.text for one in replies_ if {one.answer, read(one.text).answer} == {"yes", "no"}]


def _read(path: Path) -> list[Labelled]:
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    return [_labelled(*line.split("\t")) for line in lines]


def _labelled(text: str, answer: str, guests: str) -> Labelled:
    return Labelled(text, None if answer == "-" else answer, None if guests == "-" else int(guests))
