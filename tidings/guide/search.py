"""Search over the sections of all pages: words and beginnings of words, ranked by BM25.

The index is built with the first search, from the Markdown; a search takes about a millisecond.
"""

import math
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from tidings.guide import contents, library, links
from tidings.guide.library import Page
from tidings.guide.markdown import headings_of

RESULTS_MAX = 20
QUERY_CHARS_MAX = 100
_WORDS_MAX = 8
_OF_PAGE_MAX = 2
_EXCERPT_CHARS = 160
_FILLERS = frozenset(
    (
        "a", "an", "and", "are", "can", "do", "does", "for", "from", "get", "happens", "how", "i",
        "if", "in", "is", "it", "me", "my", "of", "on", "or", "should", "that", "the", "this", "to",
        "what", "when", "where", "which", "why", "will", "with", "you",
    )
)  # fmt: skip
_WORD = re.compile(r"\w+")
_MARKUP = re.compile(
    r"```\w*|^\|[-|: ]+\|$|^(?:#+|>|[|]|-) +|[`*]|\[([^\]]*)\]\([^)]*\)", re.MULTILINE
)
_SATURATION, _LENGTH = 1.2, 0.5  # BM25's k1 and b
_HEADING_WEIGHT, _TITLE_WEIGHT = 8, 12  # a word in a heading counts as so many in the text
_BACKGROUND = 0.3  # of the score: decisions and measurements come after what they are about
_PREFIX = 0.6  # of the score: the beginning of a word, not all of it


@dataclass(frozen=True, slots=True)
class Section:
    url: str
    page: str  # title
    heading: str  # "" for what a page begins with
    text: str
    is_background: bool


@dataclass(frozen=True, slots=True)
class Result:
    section: Section
    excerpt: str


@dataclass(slots=True)
class _Index:
    sections: list[Section]
    lengths: list[int]
    words: dict[str, dict[int, int]]  # word: how often in which section
    sorted_words: list[str]
    average: float


def search(query: str) -> list[Result]:
    """The best sections first, at most two of one page. At least half of the words must occur;
    sections that have more of them come first."""
    given = _WORD.findall(query[:QUERY_CHARS_MAX].lower())
    words = ([word for word in given if word not in _FILLERS] or given)[:_WORDS_MAX]
    index = _index()
    found: dict[int, float] = defaultdict(float)
    matched: Counter[int] = Counter()
    for word in words:
        for at, score in _scores(index, word).items():
            found[at] += score
            matched[at] += 1
    enough = [at for at, count in matched.items() if 2 * count >= len(words)]
    typed = query.strip().lower()

    def rank(at: int) -> tuple[bool, float, int]:
        return not _is_named(index.sections[at], typed), -matched[at] * found[at], at

    ranked = sorted(enough, key=rank)
    return [Result(one, _excerpt(one.text, words)) for one in _spread(index, ranked)]


def _is_named(section: Section, typed: str) -> bool:
    """Whether this is the beginning of a page whose title begins as the reader typed: an error
    code, an event. However long the page, it comes first."""
    return not section.heading and section.page.lower().startswith(typed)


def _spread(index: _Index, ranked: list[int]) -> list[Section]:
    found: list[Section] = []
    of_page: Counter[str] = Counter()
    for at in ranked:
        section = index.sections[at]
        of_page[section.page] += 1
        if of_page[section.page] <= _OF_PAGE_MAX:
            found.append(section)
        if len(found) == RESULTS_MAX:
            break
    return found


def _scores(index: _Index, wanted: str) -> dict[int, float]:
    """Of the sections that hold a word that begins so; a single letter is a whole word."""
    found: dict[int, float] = defaultdict(float)
    first = bisect_left(index.sorted_words, wanted)
    last = bisect_left(index.sorted_words, wanted + ("\uffff" if len(wanted) > 1 else "\0"))
    for word in index.sorted_words[first:last]:
        places = index.words[word]
        rarity = math.log(1 + len(index.sections) / len(places))
        share = 1.0 if word == wanted else _PREFIX
        for at, count in places.items():
            length = 1 - _LENGTH + _LENGTH * index.lengths[at] / index.average
            weight = share * rarity * count * (_SATURATION + 1) / (count + _SATURATION * length)
            if index.sections[at].is_background:
                weight *= _BACKGROUND
            found[at] = max(found[at], weight)
    return found


@cache
def _index() -> _Index:
    sections = [section for page in library.every_page() for section in _sections(page)]
    words: dict[str, dict[int, int]] = defaultdict(dict)
    lengths = []
    for at, section in enumerate(sections):
        counted = Counter(_WORD.findall(section.text.lower()))
        lengths.append(counted.total() + 1)
        for word in _WORD.findall(section.heading.lower()):
            counted[word] += _HEADING_WEIGHT
        for word in _WORD.findall(section.page.lower()):
            counted[word] += 2 if section.heading else _TITLE_WEIGHT
        for word, count in counted.items():
            words[word][at] = count
    return _Index(sections, lengths, words, sorted(words), sum(lengths) / len(lengths))


def _sections(page: Page) -> Iterator[Section]:
    lines = page.markdown.splitlines()
    headings = headings_of(page.markdown)[: None if page.source else 1]  # made pages are short
    ends = [line for _, line in headings[1:]] + [len(lines)]
    part = contents.part_of(page.address)
    for (heading, line), end in zip(headings, ends, strict=True):
        is_first = heading.level == 1
        yield Section(
            url=links.page_address(page.address) + ("" if is_first else f"#{heading.id}"),
            page=page.title.replace("`", ""),
            heading="" if is_first else heading.text,
            text=_plain("\n".join(lines[line + 1 : end])),
            is_background=part is not None and part.is_background,
        )


def _plain(markdown: str) -> str:
    text = _MARKUP.sub(lambda found: found[1] or "", markdown)
    return " ".join(text.replace(" |", ",").split())


def _excerpt(text: str, words: list[str]) -> str:
    """The text around the first word that is found."""
    lowered = text.lower()
    places = [at for at in (lowered.find(word) for word in words) if at >= 0]
    start = max(0, min(places, default=0) - _EXCERPT_CHARS // 3)
    start = text.rfind(" ", 0, start) + 1 if start else 0
    cut = text[start : start + _EXCERPT_CHARS]
    if start + _EXCERPT_CHARS < len(text):
        cut = cut.rpartition(" ")[0] + " …"
    return ("… " if start else "") + cut
