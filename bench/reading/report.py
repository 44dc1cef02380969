"""The whole page: everything but the speed is the same wherever it is written."""

from pathlib import Path

from tests.support import authors

from . import older, pages, small
from .drawing import draw
from .measuring import (
    Bucket,
    Read,
    calibration,
    follow,
    measure,
    measure_rules,
    read_again,
    read_all,
)

DOCS = Path(__file__).parents[2] / "docs"
PAGE, FIGURE = DOCS / "reading-report.md", DOCS / "reading-calibration.svg"
PRECISIONS = (0.9, 0.95, 0.97, 0.98, 0.99, 0.995, 0.999)
EVERYBODY = (*authors.HELD_OUT, *authors.TUNING)


def read_held_out() -> dict[str, list[Read]]:
    return {
        language: read_all(authors.replies(language, authors.HELD_OUT))
        for language in authors.LANGUAGES
    }


def write(read: dict[str, list[Read]]) -> str:
    """All but the last section."""
    everything = [one for part in read.values() for one in part]
    talks = follow(
        one
        for language in authors.LANGUAGES
        for one in authors.conversations(language, authors.HELD_OUT)
    )
    compared = {
        pages.NAMES[name]: (measure_rules(part), measure(part)) for name, part in read.items()
    }
    compared["**all**"] = (measure_rules(everything), measure(everything))
    asked = {precision: measure(read_again(everything, precision)) for precision in PRECISIONS}
    return "".join(
        [
            _introduction(),
            *pages.by_language(read),
            pages.GOAL,
            *pages.beside_rules(compared),
            pages.CATEGORIES,
            *pages.by_category(everything),
            pages.TALKS,
            *pages.by_talk(talks),
            pages.CALIBRATION,
            *pages.by_confidence(calibration(everything)),
            pages.DIAGRAM,
            *pages.by_precision(asked),
            pages.LIMITS,
            older.section(),
            "\n" + small.section(),
        ]
    )


def diagram(read: dict[str, list[Read]]) -> str:
    groups: dict[str, list[Bucket]] = {
        pages.NAMES[language]: calibration(part) for language, part in read.items()
    }
    return draw(groups)


def _introduction() -> str:
    return pages.INTRODUCTION.format(
        authors=len(EVERYBODY),
        replies=sum(len(authors.replies(each, EVERYBODY)) for each in authors.LANGUAGES),
        conversations=sum(
            len(authors.conversations(each, EVERYBODY)) for each in authors.LANGUAGES
        ),
    )
