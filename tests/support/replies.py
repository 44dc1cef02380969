"""The labelled replies of tests/corpus, and how well the reader does on them.

`replies.<language>.tsv` is split in two by a hash of the text: the tuning part, by which the tables
were mended, and the part held out, whose errors are to be looked at only as sums (the report tells
where that was broken). `later.tsv` was written afterwards and belongs to the tuning part;
`untouched.de.tsv` was too, and nothing may be mended by it.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tidings.features.replies.reading.reader import read

CORPUS = Path(__file__).parent.parent / "corpus"
LANGUAGES = ("en", "he", "ar", "ru", "es", "fr", "de", "pt")
FILES = (*LANGUAGES, "mixed")

PRECISION_MIN, COVERAGE_MIN, COUNTS_MIN = 0.99, 0.85, 0.97


@dataclass(frozen=True, slots=True)
class Labelled:
    text: str
    answer: str | None  # yes, no, None: neither
    guests: int | None

    @property
    def is_held_out(self) -> bool:
        return hashlib.sha256(self.text.encode()).digest()[0] % 2 == 1


def load(name: str) -> list[Labelled]:
    """All replies of a language; `mixed` are emoji, several languages at once and odd ones."""
    return list(_read(CORPUS / f"replies.{name}.tsv"))


def load_held_out(name: str) -> list[Labelled]:
    return [reply for reply in load(name) if reply.is_held_out]


def load_tuning(name: str) -> list[Labelled]:
    return [reply for reply in load(name) if not reply.is_held_out]


def load_later() -> list[Labelled]:
    return list(_read(CORPUS / "later.tsv"))


def load_untouched() -> list[Labelled]:
    return list(_read(CORPUS / "untouched.de.tsv"))


def _read(path: Path) -> Iterable[Labelled]:
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        text, answer, guests, *_ = line.split("\t")
        yield Labelled(
            text,
            None if answer == "-" else answer,
            None if guests == "-" else int(guests),
        )


@dataclass(frozen=True, slots=True)
class Figures:
    replies: int
    answers: int  # replies that are a yes or a no
    understood: int  # of these, read as what they are
    decided: int  # replies that were read as a yes or a no
    wrong: int  # of these, read as what they are not
    counted: int  # replies rightly read as yes
    counted_wrong: int  # of these, with another number of guests

    @property
    def precision(self) -> float:
        return 1 - self.wrong / max(1, self.decided)

    @property
    def coverage(self) -> float:
        return self.understood / max(1, self.answers)

    @property
    def counts(self) -> float:
        return 1 - self.counted_wrong / max(1, self.counted)


def measure(replies: Iterable[Labelled]) -> Figures:
    pairs = [(reply, read(reply.text)) for reply in replies]
    yes = [(one, got) for one, got in pairs if one.answer == got.answer == "yes"]
    return Figures(
        replies=len(pairs),
        answers=sum(one.answer is not None for one, _ in pairs),
        understood=sum(one.answer is not None and one.answer == got.answer for one, got in pairs),
        decided=sum(got.answer is not None for _, got in pairs),
        wrong=sum(got.answer not in (None, one.answer) for one, got in pairs),
        counted=len(yes),
        counted_wrong=sum(one.guests != got.guests for one, got in yes),
    )
