"""The section of the report on the older files: written, like the tables, by one hand."""

from collections.abc import Iterable

from tests.support import replies
from tests.support.replies import Figures, Labelled

from .pages import NAMES

SECTION = """
## The older replies

{total:,} replies by the author of the rules (`tests/corpus/*.tsv`), split in two by a hash of their
text: one half to mend and to train by, one held out. They are plainer than those above, and show
that what is plain is read well. For each of the eight languages a test holds precision
{precision}, coverage {coverage} and guests {counts} (of those rightly read as yes, the ones with
the right number, also where the right number is none).

The German row was read again on {untouched} replies written afterwards and never mended by, as a
bad entry of its table had once been found by looking at the words of two errors held out.

| language | replies | read as yes or no | wrong | precision | coverage | guests |
|---|---|---|---|---|---|---|
"""
MIXED = "mixed, emoji, odd ones"


def section() -> str:
    held_out = {name: replies.load_held_out(name) for name in replies.FILES}
    untouched = replies.load_untouched()
    heading = SECTION.format(
        total=sum(len(replies.load(name)) for name in replies.FILES),
        precision=replies.PRECISION_MIN,
        coverage=replies.COVERAGE_MIN,
        counts=replies.COUNTS_MIN,
        untouched=len(untouched),
    )
    everything = [one for part in held_out.values() for one in part]
    return heading + "".join(
        [
            *(_row(NAMES.get(name, MIXED), part) for name, part in held_out.items()),
            _row("**all**", everything),
            _row("German, untouched", untouched),
        ]
    )


def _row(name: str, labelled: Iterable[Labelled]) -> str:
    figures: Figures = replies.measure(labelled)
    cells = [
        name, str(figures.replies), str(figures.decided), str(figures.wrong),
        f"{figures.precision:.3f}", f"{figures.coverage:.3f}", f"{figures.counts:.3f}",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |\n"
