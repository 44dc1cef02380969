"""What every chart is made of: elements, a scale, numbers as words, and the table behind it. Pure.

Positions are percentages and text keeps its size, so a chart is as wide as its place. Nothing has
an inline style; `static/charts.css` gives the classes their colours.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from babel.numbers import format_compact_decimal, format_decimal, format_scientific
from markupsafe import Markup, escape

Value = float | None  # None: not known, a gap
EXACT_MAX = 1e15
KNOWN_MAX = 1e100  # sums of these stay finite


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a chart's frame, in the reader's language."""

    table: str = "Show as a table"
    empty: str = "There is nothing to show yet."
    when: str = "When"
    share: str = "Share"
    language: str = "en"

    def number(self, value: Value) -> str:
        return "–" if value is None else _number(value, self.language)

    def short(self, value: float) -> str:
        """For an axis: 1.5K."""
        if abs(value) < 1000 or abs(value) >= EXACT_MAX:
            return self.number(value)
        return format_compact_decimal(value, fraction_digits=1, locale=self.language)


@lru_cache(maxsize=10_000)
def _number(value: float, language: str) -> str:
    """A page of charts shows some thousand numbers, most of them many times."""
    if abs(value) >= EXACT_MAX:
        return format_scientific(value, format="0.##E0", locale=language)
    return format_decimal(value, format="#,##0.##", locale=language)


def words(gettext: Callable[[str], str], language: str) -> Words:
    return Words(
        table=gettext("Show as a table"),
        empty=gettext("There is nothing to show yet."),
        when=gettext("When"),
        share=gettext("Share"),
        language=language,
    )


def tag(name: str, *children: str, **attributes: str | int | float | None) -> Markup:
    """An element; text and attributes are escaped. `class_` and `stroke_width` as one would."""
    given = "".join(
        f' {_attribute(key)}="{escape(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inner = "".join(map(escape, children))
    return Markup(f"<{name}{given}>{inner}</{name}>")  # noqa: S704 - all of it is escaped


@cache
def _attribute(key: str) -> str:
    spelled = {"viewbox": "viewBox", "preserve": "preserveAspectRatio"}.get(key, key)
    return spelled.removesuffix("_").replace("_", "-")


def percent(part: float) -> str:
    """A share of one as a coordinate."""
    return f"{min(max(part, 0.0), 1.0) * 100:.2f}%"


def known(value: Value) -> Value:
    """The value, or None where no chart could show it."""
    return value if value is not None and abs(value) <= KNOWN_MAX else None


@dataclass(frozen=True, slots=True)
class Scale:
    """Zero is always on it, and its ends are round."""

    low: float
    high: float
    whole: bool = False  # of whole values only: half a message is not on it

    def above(self, value: float) -> float:
        """How far below the top, as a share of the height."""
        span = self.high - self.low
        return min(max((self.high - value) / span, 0.0), 1.0)

    @property
    def ticks(self) -> tuple[float, ...]:
        if self.low < 0 < self.high:
            return self.low, 0.0, self.high
        middle = (self.low + self.high) / 2
        if self.whole and not _is_whole(middle):
            return self.low, self.high
        return self.low, middle, self.high


def scale(values: Sequence[Value]) -> Scale:
    shown = [value for value in values if value is not None]
    low, high = min([0.0, *shown]), max([0.0, *shown])
    if low == high:
        high = 1.0
    return Scale(0.0 - _rounded_up(-low), _rounded_up(high), all(map(_is_whole, shown)))


def _is_whole(value: float) -> bool:
    return value == int(value)


def _rounded_up(value: float) -> float:
    """The next of 1, 2, 4, 5, 10 times a power of ten."""
    if value <= 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(value))
    step = next((s for s in (1, 2, 4, 5, 10) if s * power >= value * (1 - 1e-12)), 10)
    return max(step * power, value)


def ticks(count: int, longest: int) -> list[int]:
    """Which of `count` labels there is room for: the first, the last and some between."""
    room = 3 if longest > 8 else 5
    if count <= room:
        return list(range(count))
    return sorted({round(at * (count - 1) / (room - 1)) for at in range(room)})


def data_table(
    words: Words, title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]
) -> Markup:
    """The figures of the chart, for those who cannot see it or want them exactly."""
    first, *rest = heads
    head = tag("tr", tag("th", first, scope="col"), *(_number_head(one) for one in rest))
    body = [
        tag(
            "tr", tag("th", row[0], scope="row"), *(tag("td", one, class_="num") for one in row[1:])
        )
        for row in rows
    ]
    table = tag("table", tag("caption", title), tag("thead", head), tag("tbody", *body))
    return tag("details", tag("summary", words.table), table, class_="chart-data")


def _number_head(text: str) -> Markup:
    return tag("th", text, scope="col", class_="num")


def figure(title: str, *parts: str, unit: str = "", kind: str = "chart") -> Markup:
    """The title above, what belongs to it below."""
    named = [tag("span", title, class_="chart-title")]
    if unit:
        named.append(tag("span", unit, class_="chart-unit"))
    return tag("figure", tag("figcaption", *named), *parts, class_=kind)


def nothing(title: str, words: Words) -> Markup:
    """The state of a chart without data, in words."""
    return figure(title, tag("p", words.empty, class_="chart-empty"))
