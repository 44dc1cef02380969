"""How long a reply takes to be read, and how large what it is read with is."""

import statistics
import time
from pathlib import Path

from tests.support import authors
from tidings.features.replies.reading.learned import meanings, weights
from tidings.features.replies.reading.reader import read

HEADING = "\n## Speed and size\n"
ROUNDS = 3
ADDITIONS = 100_000  # timed in the same run, to compare figures of different machines
FOLDER = Path(weights.__file__).parent


def section() -> str:
    """Of this machine: the one section that a test does not compare."""
    texts = [
        one.text for each in authors.LANGUAGES for one in authors.replies(each, authors.HELD_OUT)
    ]
    for text in texts[:200]:
        read(text)  # the tables and weights are loaded by the first replies
    took = sorted(min(_time(text) for _ in range(ROUNDS)) for text in texts)
    usual, slow = statistics.median(took), took[int(len(took) * 0.99)]
    addition = min(_add() for _ in range(ROUNDS)) / ADDITIONS
    return (
        f"{HEADING}\nA reply of these authors takes {usual:.2f} ms to be read, in the middle; "
        f"99 of 100 take at most {slow:.2f} ms (one core of the machine that wrote this page). "
        f"In the same run a loop of Python took {addition * 1e6:.0f} ns for each addition, so that "
        f"a reply in the middle costs as much as {usual / addition:,.0f} of these. "
        f"The weights are {_megabytes(weights.FILE)} MB and the meanings of words "
        f"{_megabytes(meanings.FILE)} MB, read from the package once.\n"
    )


def _megabytes(name: str) -> str:
    return f"{(FOLDER / name).stat().st_size / 1e6:.1f}"


def _add() -> float:
    started, total = time.perf_counter(), 0
    for number in range(ADDITIONS):
        total += number
    return (time.perf_counter() - started) * 1000


def _time(text: str) -> float:
    started = time.perf_counter()
    read(text)
    return (time.perf_counter() - started) * 1000
