"""The words and tables of docs/reading-report.md."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from .measuring import Bucket, Figures, Read, Talk, measure

NAMES = {
    "en": "English", "he": "Hebrew", "ar": "Arabic", "ru": "Russian", "es": "Spanish",
    "fr": "French", "de": "German", "pt": "Portuguese",
}  # fmt: skip

INTRODUCTION = """\
# How well replies are read

Written by `make reading-report`. Tests fail where a figure falls below its bar, and where this page
is not what the code does. How a reply is read: [replies.md](replies.md).

{replies:,} replies and {conversations:,} conversations by {authors} authors in each of eight
languages are labelled by hand (`tests/corpus/authors`; its
[protocol](../tests/corpus/authors/PROTOCOL.md) says what the labels mean and who wrote). Two of the
authors are **held out**: nothing is trained on their texts, no word list was mended by them, and
their errors are looked at as sums only. All figures of this page are of these two, unless it says
otherwise.

The authors are language models told to write as named kinds of people. They wrote apart from each
other and from the reader, but guests are not language models: the replies of your own guests are
the better test ([how to keep and export them](replies.md#learning-from-people)).

*Precision*: of the replies read as yes or no, those that are. *Coverage*: of the replies that are a
yes or a no, those read as such. *Flips*: a yes read as no, or the reverse. *Head counts*: of the
replies that say how many come and are read as yes, those with the right number; *invented*: a
number where none was said.

## By language

| language | replies | decided | precision | coverage | flips | head counts | counts invented |
|---|---|---|---|---|---|---|---|
"""

GOAL = """
The goal is precision 0.99, coverage 0.90 and head counts 0.90, without a flip. What is not reached
yet is told by the table. An account can ask for more precision than 0.99 and be asked back more
often, or for less.

## The rules alone, and with what is learned

What is learned is kept because precision, coverage and head counts all rise by it.
Of each pair of columns the first is of the rules alone, the second of both together. Head counts
are of the replies that each reads as a yes: those of the rules are fewer and plainer.

| language | precision | both | coverage | both | flips | both | head counts | both |
|---|---|---|---|---|---|---|---|---|
"""

CATEGORIES = """
## By kind of reply

What the labels say, and what was read. The kinds are the protocol's.

| kind | replies | read as yes | as no | as neither | right or asked again |
|---|---|---|---|---|---|
"""

TALKS = """
## Conversations

Two to five texts by one guest, read one after the other as the service would. *Right*: the answer
and the number of guests at the end are the labelled ones.

| kind | conversations | right at the end | answer right | yes for no, or the reverse |
|---|---|---|---|---|
"""

CALIBRATION = """
## Confidence

`matchConfidence` is the probability that the likelier answer is right. What was said and what was
true, over all languages, also where the answer was withheld:

| confidence | replies | said, on average | right |
|---|---|---|---|
"""

DIAGRAM = """
![what was said and what was right, for each language](reading-calibration.svg)

## What a higher precision costs

An account chooses by `readerPrecision`:

| `readerPrecision` | read as yes or no | precision | coverage | flips |
|---|---|---|---|---|
"""

LIMITS = """
## What it cannot do

- Where a reply hints and a person would know from acquaintance ("you know we never miss a party of
  yours"), it asks again.
- It knows nothing of the event: "I'm at my sister's wedding that day" is a refusal unless it is the
  sister's wedding that one is invited to.
- Wit, irony and dialect are read where somebody wrote like that before. Each new author finds
  expressions that none of the others used, and the figures above are of such authors.
- Of a party only the number is understood, not who it is: "without Dana" changes the number only
  if the reply says how many are left.
"""


def by_language(read: Mapping[str, Sequence[Read]]) -> Iterable[str]:
    everything = [one for part in read.values() for one in part]
    for name, part in [
        *((NAMES[each], part) for each, part in read.items()),
        ("**all**", everything),
    ]:
        figures = measure(part)
        yield _row(
            name, figures.replies, figures.decided, f"{figures.precision:.3f}",
            f"{figures.coverage:.3f}", figures.flips, f"{figures.counts:.3f}", figures.invented,
        )  # fmt: skip


def beside_rules(pairs: Mapping[str, tuple[Figures, Figures]]) -> Iterable[str]:
    for name, (rules, whole) in pairs.items():
        yield _row(
            name, f"{rules.precision:.3f}", f"{whole.precision:.3f}", f"{rules.coverage:.3f}",
            f"{whole.coverage:.3f}", rules.flips, whole.flips, f"{rules.counts:.3f}",
            f"{whole.counts:.3f}",
        )  # fmt: skip


def by_category(read: Sequence[Read]) -> Iterable[str]:
    for category in sorted({one.label.category for one in read}):
        part = [one for one in read if one.label.category == category]
        answers = Counter(one.reading.answer for one in part)
        fine = sum(one.reading.answer in (None, one.label.answer) for one in part)
        yield _row(
            category, len(part), answers["yes"], answers["no"], answers[None],
            f"{fine / len(part):.3f}",
        )  # fmt: skip


def by_talk(talks: Sequence[Talk]) -> Iterable[str]:
    kinds = sorted({one.label.category for one in talks})
    for kind, part in [
        *((kind, [one for one in talks if one.label.category == kind]) for kind in kinds),
        ("**all**", talks),
    ]:
        ends = sum(one.ends_right for one in part)
        answers = sum(one.label.turns[-1].answer == one.states[-1].answer for one in part)
        flips = sum(one.is_flipped for one in part)
        yield _row(kind, len(part), ends, answers, flips)


def by_confidence(buckets: Iterable[Bucket]) -> Iterable[str]:
    for one in buckets:
        yield _row(
            f"{one.low:.3g} to {one.high:.3g}", one.replies, f"{one.said:.3f}", f"{one.right:.3f}"
        )


def by_precision(figures: Mapping[float, Figures]) -> Iterable[str]:
    for precision, one in figures.items():
        yield _row(
            f"{precision:g}", one.decided, f"{one.precision:.3f}", f"{one.coverage:.3f}", one.flips
        )


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |\n"
