"""What a plot is drawn of: grid, bars, lines, labels and what appears under the pointer. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from .chart_parts import Scale, Value, Words, percent, tag, ticks

LABEL_GAP = 0.11  # of the height, between the names of two lines
EDGE = 0.06  # of the width: labels within it would leave the chart


@dataclass(frozen=True, slots=True)
class Series:
    """A name and a value for each label."""

    name: str
    values: Sequence[Value]


def summary_of(one: Series, labels: Sequence[str], words: Words) -> str:
    """The least and the most, where they are, for the description."""
    pairs = [(v, label) for v, label in zip(one.values, labels, strict=True) if v is not None]
    if not pairs:
        return one.name
    least, most = min(pairs, key=lambda p: p[0]), max(pairs, key=lambda p: p[0])
    name = f"{one.name}: " if one.name else ""
    return f"{name}{words.number(least[0])} ({least[1]}) – {words.number(most[0])} ({most[1]})"


def draw_key(series: Sequence[Series]) -> Markup:
    items = []
    for number, one in enumerate(series):
        square = tag("rect", width="100%", height="100%", rx=2, class_=_class(number))
        items.append(
            tag("li", tag("svg", square, class_="chart-swatch", aria_hidden="true"), one.name)
        )
    return tag("ul", *items, class_="chart-key")


def draw_grid(axis: Scale, words: Words) -> list[Markup]:
    drawn = []
    for value in axis.ticks:
        y = percent(axis.above(value))
        kind = "chart-base" if value == 0 else "chart-rule"
        drawn.append(tag("line", x1=0, x2="100%", y1=y, y2=y, class_=kind))
        drawn.append(tag("text", words.short(value), x=-8, y=y, dy="0.32em", text_anchor="end"))
    return drawn


def draw_bar(axis: Scale, values: Sequence[Value], x: str, width: str) -> list[Markup]:
    drawn, foot = [], 0.0
    for number, value in enumerate(_parts(values)):
        if value:
            top, bottom = sorted([axis.above(foot), axis.above(foot + value)])
            sizes = {"x": x, "width": width, "y": percent(top), "height": percent(bottom - top)}
            drawn.append(tag("rect", **sizes, class_=_class(number)))
        foot += value
    return drawn


def draw_line(
    axis: Scale, places: Sequence[float], values: Sequence[Value], number: int
) -> list[Markup]:
    """The line, stretched to the chart's width, a dot at its end, and one for each value that
    stands alone between gaps."""
    stroke = {"class_": f"chart-line {_class(number)}", "vector_effect": "non-scaling-stroke"}
    box = {"viewbox": "0 0 100 100", "preserve": "none", "width": "100%", "height": "100%"}
    path = tag("path", d=path_of(axis, places, values), **stroke)
    drawn = [tag("svg", path, **box, class_="chart-stretch")]
    for place, value in _dots(places, values):
        y = percent(axis.above(value))
        drawn.append(tag("circle", cx=percent(place), cy=y, r=3, class_=_class(number)))
    return drawn


def _dots(places: Sequence[float], values: Sequence[Value]) -> list[tuple[float, float]]:
    known = [at for at, value in enumerate(values) if value is not None]
    around = [None, *values, None]
    lone = [at for at in known if around[at] is None and around[at + 2] is None]
    shown = sorted({*lone, *known[-1:]})
    return [(places[at], value) for at in shown if (value := values[at]) is not None]


def path_of(axis: Scale, places: Sequence[float], values: Sequence[Value]) -> str:
    """A gap where nothing is known."""
    steps, pen_down = [], False
    for place, value in zip(places, values, strict=True):
        if value is None:
            pen_down = False
            continue
        x, y = f"{place * 100:.2f}", f"{axis.above(value) * 100:.2f}"
        steps.append(f"L{x} {y}" if pen_down else f"M{x} {y}h0.01")
        pen_down = True
    return "".join(steps)


def draw_line_names(axis: Scale, series: Sequence[Series]) -> list[Markup]:
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


def draw_labels(labels: Sequence[str], places: Sequence[float]) -> list[Markup]:
    """The labels below; those at the edges stay within them."""
    drawn = []
    for at in ticks(len(labels), max(map(len, labels))):
        place = places[at]
        anchor = "start" if place < EDGE else "end" if place > 1 - EDGE else "middle"
        drawn.append(
            tag("text", labels[at], x=percent(place), y="100%", dy="1.5em", text_anchor=anchor)
        )
    return drawn


def draw_hover(labels: Sequence[str], series: Sequence[Series], words: Words) -> list[Markup]:
    """A column for each label that shows its figures while the pointer is there."""
    slot, drawn = 1 / len(labels), []
    for at, label in enumerate(labels):
        said = ", ".join(f"{words.number(one.values[at])} {one.name}".strip() for one in series)
        place = {"x": percent(at * slot), "width": percent(slot), "height": "100%"}
        drawn.append(tag("rect", tag("title", f"{label}: {said}"), **place, class_="chart-hover"))
    return drawn


def positions(count: int) -> list[float]:
    return [0.5] if count == 1 else [at / (count - 1) for at in range(count)]


def bar_height(values: Sequence[Value]) -> float:
    return sum(_parts(values))


def _parts(values: Sequence[Value]) -> list[float]:
    """The parts of a bar. One that stands alone may go below zero."""
    if len(values) == 1:
        return [values[0] or 0.0]
    return [max(value or 0.0, 0.0) for value in values]


def _class(number: int) -> str:
    return f"chart-{number % 6 + 1}"
