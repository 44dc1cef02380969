"""Charts as SVG made on the server, each with the table behind it. Pure.

    words = charts.words(visit.gettext, visit.language)
    charts.bars(_("Messages by day"), [("16 Nov", 42), ...], words, unit=_("messages"))
    charts.stacked(_("Attempts"), days, [Series(_("Delivered"), [...]), ...], words)
    charts.line(_("Answers"), hours, [Series(_("Yes"), [...]), ...], words)
    charts.distribution(_("Ratings"), [("5", 12), ("4", 3)], words)
    charts.meter(_("Unique messages"), used, quota, words)
    charts.spark(_("Opens"), [1, 4, 2], words)

Titles, labels and units come translated. Values may be anything: zero, huge, negative, unknown
(None); without one the chart says so in words. Time runs from left to right in every language, as
on a ruler; shares and meters begin where the language begins.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from .chart_parts import (
    Scale,
    Value,
    Words,
    data_table,
    figure,
    known,
    nothing,
    percent,
    scale,
    tag,
    ticks,
    words,
)

__all__ = [
    "Series", "Words", "bars", "distribution", "line", "meter", "spark", "stacked", "words",
]  # fmt: skip

BAR_SHARE = 0.72  # of its slot; the rest is air
BAR_WIDTH_MAX = 0.06
LABEL_GAP = 0.11  # of the height, between the names of two lines
EDGE = 0.06  # of the width: labels within it would leave the chart
NEARLY_FULL = 0.8


@dataclass(frozen=True, slots=True)
class Series:
    """A name and a value for each label."""

    name: str
    values: Sequence[Value]


@dataclass(frozen=True, slots=True)
class _Chart:
    """Values over labels, and the words around them."""

    title: str
    labels: Sequence[str]
    series: Sequence[Series]
    words: Words
    unit: str

    @property
    def is_empty(self) -> bool:
        return all(value is None for one in self.series for value in one.values)

    def figure(self, parts: Sequence[Markup], *, key: bool) -> Markup:
        """The drawing with its title and description, and its table."""
        summary = "; ".join(_summary(one, self.labels, self.words) for one in self.series)
        described = (tag("title", self.title), tag("desc", summary))
        drawn = tag("svg", *described, *parts, role="img", class_="chart-plot")
        area = tag("div", drawn, class_="chart-area")
        rows = [
            [label, *(self.words.number(one.values[at]) for one in self.series)]
            for at, label in enumerate(self.labels)
        ]
        heads = [self.words.when, *(one.name or self.title for one in self.series)]
        table = data_table(self.words, self.title, heads, rows)
        named = [_key(self.series)] if key and len(self.series) > 1 else []
        return figure(self.title, *named, area, table, unit=self.unit)


def bars(
    title: str, points: Sequence[tuple[str, Value]], words: Words, *, unit: str = ""
) -> Markup:
    """One bar a point."""
    labels, values = [label for label, _ in points], [value for _, value in points]
    return stacked(title, labels, [Series(unit, values)], words, unit=unit)


def stacked(
    title: str, labels: Sequence[str], series: Sequence[Series], words: Words, *, unit: str = ""
) -> Markup:
    """One bar a label, a part of it for each series; values below zero count as none in a part."""
    chart = _Chart(title, labels, _cleaned(series, len(labels)), words, unit)
    if chart.is_empty:
        return nothing(title, words)
    piles = [[one.values[at] for one in chart.series] for at in range(len(labels))]
    axis = scale([_height(values) for values in piles])
    slot = 1 / len(labels)
    width = min(slot * BAR_SHARE, BAR_WIDTH_MAX)
    parts = _grid(axis, words)
    for at, values in enumerate(piles):
        parts += _pile(axis, values, percent(at * slot + (slot - width) / 2), percent(width))
    parts += [*_hover(chart), *_names(labels, [(at + 0.5) * slot for at in range(len(labels))])]
    return chart.figure(parts, key=True)


def line(
    title: str, labels: Sequence[str], series: Sequence[Series], words: Words, *, unit: str = ""
) -> Markup:
    """Lines over the same labels, each named at its end."""
    chart = _Chart(title, labels, _cleaned(series, len(labels)), words, unit)
    if chart.is_empty:
        return nothing(title, words)
    axis = scale([value for one in chart.series for value in one.values])
    places = _places(len(labels))
    parts = _grid(axis, words)
    for number, one in enumerate(chart.series):
        parts += _curve(axis, places, one.values, number)
    if len(chart.series) > 1:
        parts += _ends(axis, chart.series)
    return chart.figure([*parts, *_hover(chart), *_names(labels, places)], key=False)


def distribution(title: str, counts: Sequence[tuple[str, int]], words: Words) -> Markup:
    """A bar across for each answer, with its number and share: the table itself is the chart."""
    total = sum(max(count, 0) for _, count in counts)
    if not total:
        return nothing(title, words)
    most = max(count for _, count in counts)
    rows = []
    for label, count in counts:
        bar = tag("rect", class_="chart-1", width=percent(count / most), height="100%", rx=2)
        drawn = tag("svg", bar, class_="chart-share", aria_hidden="true")
        share = f"{words.number(round(100 * max(count, 0) / total))}%"
        cells = (
            tag("td", drawn, class_="chart-across"),
            tag("td", words.number(count), class_="num"),
            tag("td", share, class_="num chart-faint"),
        )
        rows.append(tag("tr", tag("th", label, scope="row"), *cells))
    table = tag("table", tag("tbody", *rows), aria_label=title)
    return figure(title, table, kind="chart chart-distribution")


def meter(title: str, value: int, limit: int, words: Words, *, note: str = "") -> Markup:
    """How much of a limit is used, in figures and as a bar; `note` says what follows from it."""
    share = min(max(value / limit, 0.0), 1.0) if limit > 0 else float(value > 0)
    shown = f"{words.number(value)} / {words.number(limit)}"
    state = "chart-full" if share >= 1 else "chart-near" if share >= NEARLY_FULL else "chart-calm"
    drawn = tag(
        "svg",
        tag("title", f"{title}: {shown}"),
        tag("rect", class_="chart-track", width="100%", height="100%", rx=4),
        tag("rect", class_=state, width=percent(share), height="100%", rx=4),
        class_="chart-gauge",
        role="img",
    )
    parts = [drawn, *([tag("p", note, class_="chart-note")] if note else [])]
    figures = tag("bdi", shown, class_="chart-figures")
    named = tag("figcaption", tag("span", title, class_="chart-title"), figures)
    return tag("figure", named, *parts, class_="chart chart-meter")


def spark(title: str, values: Sequence[Value], words: Words) -> Markup:
    """A line the size of a word. Its title has the figures: it stands in tables, beside them."""
    cleaned = [known(value) for value in values]
    figures = ", ".join(map(words.number, cleaned)) or words.empty
    path = _path(scale(cleaned), _places(len(cleaned)), cleaned)
    return tag(
        "svg",
        tag("title", f"{title}: {figures}"),
        tag("path", d=path, class_="chart-line chart-1", vector_effect="non-scaling-stroke"),
        class_="chart-spark",
        viewbox="-1 -4 102 108",
        preserve="none",
        role="img",
    )


# What is drawn


def _summary(one: Series, labels: Sequence[str], words: Words) -> str:
    """The least and the most, where they are, for the description."""
    pairs = [(v, label) for v, label in zip(one.values, labels, strict=True) if v is not None]
    if not pairs:
        return one.name
    least, most = min(pairs, key=lambda p: p[0]), max(pairs, key=lambda p: p[0])
    name = f"{one.name}: " if one.name else ""
    return f"{name}{words.number(least[0])} ({least[1]}) – {words.number(most[0])} ({most[1]})"


def _key(series: Sequence[Series]) -> Markup:
    items = []
    for number, one in enumerate(series):
        square = tag("rect", width="100%", height="100%", rx=2, class_=_class(number))
        items.append(
            tag("li", tag("svg", square, class_="chart-swatch", aria_hidden="true"), one.name)
        )
    return tag("ul", *items, class_="chart-key")


def _grid(axis: Scale, words: Words) -> list[Markup]:
    drawn = []
    for value in axis.ticks:
        y = percent(axis.above(value))
        kind = "chart-base" if value == 0 else "chart-rule"
        drawn.append(tag("line", x1=0, x2="100%", y1=y, y2=y, class_=kind))
        drawn.append(tag("text", words.short(value), x=-8, y=y, dy="0.32em", text_anchor="end"))
    return drawn


def _pile(axis: Scale, values: Sequence[Value], x: str, width: str) -> list[Markup]:
    drawn, foot = [], 0.0
    for number, value in enumerate(_parts(values)):
        if value:
            top, bottom = sorted([axis.above(foot), axis.above(foot + value)])
            sizes = {"x": x, "width": width, "y": percent(top), "height": percent(bottom - top)}
            drawn.append(tag("rect", **sizes, class_=_class(number)))
        foot += value
    return drawn


def _curve(
    axis: Scale, places: Sequence[float], values: Sequence[Value], number: int
) -> list[Markup]:
    """The line, stretched to the chart's width, and a dot at its end."""
    stroke = {"class_": f"chart-line {_class(number)}", "vector_effect": "non-scaling-stroke"}
    box = {"viewbox": "0 0 100 100", "preserve": "none", "width": "100%", "height": "100%"}
    path = tag("path", d=_path(axis, places, values), **stroke)
    drawn = [tag("svg", path, **box, class_="chart-stretch")]
    ends = [
        (place, value) for place, value in zip(places, values, strict=True) if value is not None
    ]
    for place, value in ends[-1:]:
        y = percent(axis.above(value))
        drawn.append(tag("circle", cx=percent(place), cy=y, r=3, class_=_class(number)))
    return drawn


def _path(axis: Scale, places: Sequence[float], values: Sequence[Value]) -> str:
    """A gap where nothing is known; a lone value is a dash."""
    steps, pen_down = [], False
    for place, value in zip(places, values, strict=True):
        if value is None:
            pen_down = False
            continue
        x, y = f"{place * 100:.2f}", f"{axis.above(value) * 100:.2f}"
        steps.append(f"L{x} {y}" if pen_down else f"M{x} {y}h0.01")
        pen_down = True
    return "".join(steps)


def _ends(axis: Scale, series: Sequence[Series]) -> list[Markup]:
    """The name of each line above its end, moved apart where they would meet."""
    ends = []
    for number, one in enumerate(series):
        last = next((v for v in reversed(one.values) if v is not None), None)
        if last is not None:
            ends.append((axis.above(last), number, one.name))
    drawn, floor = [], 0.0
    for height, number, name in sorted(ends):
        floor = min(max(height, floor), 1.0)
        drawn.append(
            tag("text", name, x="100%", y=percent(floor), dy="-0.6em", text_anchor="end",
                class_=f"chart-name {_class(number)}")
        )  # fmt: skip
        floor += LABEL_GAP
    return drawn


def _hover(chart: _Chart) -> list[Markup]:
    """A column for each label that shows its figures while the pointer is there."""
    slot, drawn = 1 / len(chart.labels), []
    for at, label in enumerate(chart.labels):
        said = ", ".join(
            f"{chart.words.number(one.values[at])} {one.name}".strip() for one in chart.series
        )
        place = {"x": percent(at * slot), "width": percent(slot), "height": "100%"}
        drawn.append(tag("rect", tag("title", f"{label}: {said}"), **place, class_="chart-hover"))
    return drawn


def _names(labels: Sequence[str], places: Sequence[float]) -> list[Markup]:
    """The labels below; those at the edges stay within them."""
    drawn = []
    for at in ticks(len(labels), max(map(len, labels))):
        place = places[at]
        anchor = "start" if place < EDGE else "end" if place > 1 - EDGE else "middle"
        drawn.append(
            tag("text", labels[at], x=percent(place), y="100%", dy="1.5em", text_anchor=anchor)
        )
    return drawn


def _places(count: int) -> list[float]:
    return [0.5] if count == 1 else [at / (count - 1) for at in range(count)]


def _class(number: int) -> str:
    return f"chart-{number % 6 + 1}"


def _cleaned(series: Sequence[Series], count: int) -> list[Series]:
    """As many values as there are labels."""
    cleaned = []
    for one in series:
        values = [known(value) for value in one.values][:count]
        cleaned.append(Series(one.name, [*values, *([None] * (count - len(values)))]))
    return cleaned


def _parts(values: Sequence[Value]) -> list[float]:
    """The parts of a bar. One that stands alone may go below zero."""
    if len(values) == 1:
        return [values[0] or 0.0]
    return [max(value or 0.0, 0.0) for value in values]


def _height(values: Sequence[Value]) -> float:
    return sum(_parts(values))
