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

from .chart_drawing import (
    Series,
    bar_height,
    draw_bar,
    draw_grid,
    draw_hover,
    draw_key,
    draw_labels,
    draw_line,
    draw_line_names,
    path_of,
    positions,
    summary_of,
)
from .chart_parts import (
    Value,
    Words,
    data_table,
    figure,
    known,
    nothing,
    percent,
    scale,
    tag,
    words,
)

__all__ = [
    "Series", "Words", "bars", "distribution", "line", "meter", "spark", "stacked", "words",
]  # fmt: skip

BAR_SHARE = 0.72  # of its slot; the rest is air
BAR_WIDTH_MAX = 0.06
NEARLY_FULL = 0.8


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
        summary = "; ".join(summary_of(one, self.labels, self.words) for one in self.series)
        described = (tag("title", self.title), tag("desc", summary))
        drawn = tag("svg", *described, *parts, role="img", class_="chart-plot")
        area = tag("div", drawn, class_="chart-area")
        rows = [
            [label, *(self.words.number(one.values[at]) for one in self.series)]
            for at, label in enumerate(self.labels)
        ]
        heads = [self.words.when, *(one.name or self.title for one in self.series)]
        table = data_table(self.words, self.title, heads, rows)
        named = [draw_key(self.series)] if key and len(self.series) > 1 else []
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
    axis = scale([bar_height(values) for values in piles])
    slot = 1 / len(labels)
    width = min(slot * BAR_SHARE, BAR_WIDTH_MAX)
    parts = draw_grid(axis, words)
    for at, values in enumerate(piles):
        parts += draw_bar(axis, values, percent(at * slot + (slot - width) / 2), percent(width))
    parts += [
        *draw_hover(labels, chart.series, words),
        *draw_labels(labels, [(at + 0.5) * slot for at in range(len(labels))]),
    ]
    return chart.figure(parts, key=True)


def line(
    title: str, labels: Sequence[str], series: Sequence[Series], words: Words, *, unit: str = ""
) -> Markup:
    """Lines over the same labels, each named at its end."""
    chart = _Chart(title, labels, _cleaned(series, len(labels)), words, unit)
    if chart.is_empty:
        return nothing(title, words)
    axis = scale([value for one in chart.series for value in one.values])
    places = positions(len(labels))
    parts = draw_grid(axis, words)
    for number, one in enumerate(chart.series):
        parts += draw_line(axis, places, one.values, number)
    if len(chart.series) > 1:
        parts += draw_line_names(axis, chart.series)
    return chart.figure(
        [*parts, *draw_hover(labels, chart.series, words), *draw_labels(labels, places)], key=False
    )


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
    path = path_of(scale(cleaned), positions(len(cleaned)), cleaned)
    return tag(
        "svg",
        tag("title", f"{title}: {figures}"),
        tag("path", d=path, class_="chart-line chart-1", vector_effect="non-scaling-stroke"),
        class_="chart-spark",
        viewbox="-1 -4 102 108",
        preserve="none",
        role="img",
    )


def _cleaned(series: Sequence[Series], count: int) -> list[Series]:
    """As many values as there are labels."""
    cleaned = []
    for one in series:
        values = [known(value) for value in one.values][:count]
        cleaned.append(Series(one.name, [*values, *([None] * (count - len(values)))]))
    return cleaned
