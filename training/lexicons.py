"""words.meanings from the word lists in training/meanings, one file for each language.

    [illness]
    flu; fever*; stomach bug

`fever*` is every word that begins so. LIST.txt beside them says what each meaning stands for; the
order of its lines numbers them.
"""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from tidings.features.replies.reading.learned.meanings import (
    FIRST,
    PHRASE_WORDS_MAX,
    Header,
    Index,
)
from tidings.features.replies.reading.learned.numbered import number_of
from tidings.features.replies.reading.normalise import normalise
from tidings.features.replies.reading.tokens import words_of

FOLDER = Path(__file__).parent / "meanings"
EACH_MAX = 4  # meanings of one word


@dataclass(slots=True)
class _Words:
    """By checksum the meanings of words, stems and phrases; `starts`: the first words of these."""

    words: dict[int, set[int]] = field(default_factory=dict)
    stems: dict[int, set[int]] = field(default_factory=dict)
    phrases: dict[int, set[int]] = field(default_factory=dict)
    starts: dict[int, set[int]] = field(default_factory=dict)


def compile_all() -> bytes:
    numbers = {name: FIRST + at for at, name in enumerate(names())}
    sets: dict[tuple[int, ...], int] = {(): 0}
    sums, of = array("I"), array("H")
    languages: dict[str, Index] = {}
    for path in sorted(FOLDER.glob("??.txt")):
        known = _read(path, numbers)
        bounds = []
        for each in (known.words, known.stems, known.phrases, known.starts):
            start = len(sums)
            for found in sorted(each):
                chosen = tuple(sorted(each[found])[:EACH_MAX])
                sums.append(found)
                of.append(sets.setdefault(chosen, len(sets)))
            bounds.append((start, len(sums)))
        languages[path.stem] = Index(*bounds)
    header = Header(len(sums), list(sets), languages)
    return msgspec.json.encode(header) + b"\n" + sums.tobytes() + of.tobytes()


def names() -> list[str]:
    lines = (FOLDER / "LIST.txt").read_text(encoding="utf-8").splitlines()
    return [line.partition(":")[0] for line in lines if line and not line.startswith("#")]


def _read(path: Path, numbers: dict[str, int]) -> _Words:
    found = _Words()
    for meaning, entry in entries(path):
        words = words_of(normalise(entry.removesuffix("*")))
        if not words or len(words) > PHRASE_WORDS_MAX:
            continue
        if len(words) > 1:
            found.starts.setdefault(number_of(words[0]), set())
            into = found.phrases
        else:
            into = found.stems if entry.endswith("*") else found.words
        into.setdefault(number_of(" ".join(words)), set()).add(numbers[meaning])
    return found


def entries(path: Path) -> Iterator[tuple[str, str]]:
    meaning = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            meaning = line.strip("[] ")
        else:
            yield from ((meaning, entry.strip()) for entry in line.split(";") if entry.strip())
