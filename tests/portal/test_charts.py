"""Charts: any numbers make a figure that says them, and nothing in it is more than a figure."""

import re
from collections.abc import Callable, Sequence

import pytest
from bs4 import BeautifulSoup, Tag
from hypothesis import given, settings
from hypothesis import strategies as st
from markupsafe import Markup

from tidings.portal import charts
from tidings.portal.chart_parts import Value, scale
from tidings.portal.charts import Series, Words

WORDS = Words()
VALUES = st.one_of(
    st.none(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=True, allow_infinity=True),
    st.sampled_from([0, 1, -1, 0.5, 5e-324, 1e300]),
)
LABELS = st.text(min_size=1, max_size=12)
POINTS = st.lists(st.tuples(LABELS, VALUES), max_size=10)
COUNTS = st.lists(st.tuples(LABELS, st.integers(0, 10**12)), max_size=12)

Drawing = Callable[[Sequence[tuple[str, Value]]], Markup]


def two(points: Sequence[tuple[str, Value]]) -> list[Series]:
    values = [value for _, value in points]
    return [Series("There", values), Series("Back", values[::-1])]


DRAWINGS: dict[str, Drawing] = {
    "bars": lambda points: charts.bars("Title", points, WORDS, unit="messages"),
    "stacked": lambda points: charts.stacked("Title", [p[0] for p in points], two(points), WORDS),
    "line": lambda points: charts.line("Title", [p[0] for p in points], two(points), WORDS),
    "spark": lambda points: charts.spark("Title", [p[1] for p in points], WORDS),
}


def parsed(markup: Markup) -> Tag:
    page = BeautifulSoup(markup, "html.parser")
    assert not page.find_all(["script", "style"])
    for element in page.find_all(True):
        assert "style" not in element.attrs
        assert not any(name.startswith("on") for name in element.attrs)
        for name, value in element.attrs.items():
            text = str(value)
            assert "nan" not in text and "inf" not in text, (name, text)
            if text.endswith("%") and name != "aria-label":
                assert 0 <= float(text[:-1]) <= 100, (name, text)
    return page


@pytest.mark.parametrize("name", DRAWINGS)
@given(points=POINTS)
@settings(max_examples=15, deadline=None)
def test_any_values_make_a_figure(name: str, points: list[tuple[str, Value]]) -> None:
    page = parsed(DRAWINGS[name](points))
    if name == "spark":
        assert len(page.select("svg[role=img] > title")) == 1
        return
    [figure] = page.find_all("figure")
    drawn = figure.select("svg[role=img]")
    if not drawn:
        assert figure.select_one(".chart-empty"), "without a drawing it says so in words"
        return
    assert drawn[0].find("title") and drawn[0].find("desc")
    assert len(figure.select("details > table > tbody > tr")) == len(points)


@given(counts=COUNTS)
@settings(max_examples=15, deadline=None)
def test_shares_of_answers_are_told_beside_their_bars(counts: list[tuple[str, int]]) -> None:
    page = parsed(charts.distribution("Ratings", counts, WORDS))
    rows = page.find_all("tr")
    if not sum(count for _, count in counts):
        assert page.select_one(".chart-empty")
    else:
        told = [row.find_all("td")[1].get_text().replace(",", "") for row in rows]
        assert told == [str(count) for _, count in counts]


@given(value=st.integers(0, 10**9), limit=st.integers(0, 10**9))
@settings(max_examples=15, deadline=None)
def test_a_meter_is_full_exactly_at_its_limit(value: int, limit: int) -> None:
    page = parsed(charts.meter("Capacity", value, limit, WORDS))
    assert bool(page.select_one(".chart-full")) == (value >= limit and value > 0)
    assert page.select_one(".chart-figures")


@given(values=st.lists(st.floats(-1e50, 1e50), min_size=1, max_size=20))
@settings(max_examples=50, deadline=None)
def test_a_scale_holds_zero_and_every_value(values: list[float]) -> None:
    axis = scale(values)
    assert axis.low <= 0 <= axis.high and axis.low < axis.high
    assert axis.low <= min(values) and max(values) <= axis.high
    assert axis.above(axis.high) == 0 and axis.above(axis.low) == 1


def test_bars_are_as_high_as_their_values() -> None:
    page = parsed(charts.bars("Title", [("Mon", 50), ("Tue", 100), ("Wed", 0)], WORDS))
    heights = [rect["height"] for rect in page.select("svg > rect.chart-1")]
    assert heights == ["50.00%", "100.00%"]


def test_the_parts_of_a_bar_stand_on_each_other() -> None:
    series = [Series("Unique", [60]), Series("Follow-up", [40])]
    page = parsed(charts.stacked("Title", ["Mon"], series, WORDS))
    below, above = page.select("svg.chart-plot > rect.chart-1, svg.chart-plot > rect.chart-2")
    assert (below["y"], below["height"]) == ("40.00%", "60.00%")
    assert (above["y"], above["height"]) == ("0.00%", "40.00%")


def test_a_line_has_a_gap_where_nothing_is_known() -> None:
    page = parsed(charts.line("Title", list("abcd"), [Series("x", [1, None, 1, 1])], WORDS))
    path = page.select_one("path")
    assert path is not None
    assert len(re.findall("M", str(path["d"]))) == 2
    assert len(page.select("circle")) == 2, "the value that stands alone, and the end"


def test_hovering_tells_the_exact_figures() -> None:
    page = parsed(charts.bars("Title", [("16 Nov", 12_345)], WORDS, unit="messages"))
    told = page.select_one(".chart-hover > title")
    assert told is not None and told.get_text() == "16 Nov: 12,345 messages"


@pytest.mark.parametrize("draw", DRAWINGS.values(), ids=DRAWINGS)
def test_names_cannot_become_elements(draw: Drawing) -> None:
    evil = '</title><script>alert(1)</script><a onclick="x" b=\''
    markup = draw([(evil, 3), (evil, 4)])
    parsed(markup)
    assert "<script" not in markup


def test_numbers_are_written_as_the_reader_writes_them() -> None:
    german = Words(language="de")
    assert german.number(1234.5) == "1.234,5"
    assert Words(language="he").number(1_000_000) == "1,000,000"
    assert WORDS.short(1500) == "1.5K"
