"""The charts of docs/benchmarks.md, drawn by the portal's own charts from a run's figures.

make bench ARGS="--json --only curves" > curves.json
python -m bench.charts curves.json             writes docs/loops-over-*.svg
"""

import json
import sys
from pathlib import Path
from typing import Any

from tidings.portal import charts

DOCS = Path(__file__).parent.parent / "docs"
WIDTH, HEIGHT = 640, 280
LEFT, TOP, RIGHT, BOTTOM = 64, 48, 24, 40
STYLE = """
    text { font: 11px sans-serif; fill: #4b5563; }
    .title { font-size: 14px; font-weight: 600; fill: #111827; }
    .chart-rule { stroke: #e5e7eb; } .chart-base { stroke: #9ca3af; }
    .chart-hover { fill: none; } .chart-1 { fill: #2563eb; color: #2563eb; }
    .chart-2 { fill: #b45309; color: #b45309; } .chart-3 { fill: #047857; color: #047857; }
    .chart-line { fill: none; stroke: currentColor; stroke-width: 2; }
"""
TITLES = {
    "waiting": "Loops a second over waiting messages, one process",
    "processes": "Loops a second over processes, 64 connections",
}
Point = tuple[int, float]


def draw(title: str, points: list[Point]) -> str:
    """Loops a second over what was counted."""
    labels = [f"{count:,}" for count, _ in points]
    return draw_lines(title, labels, [charts.Series("loops a second", [y for _, y in points])])


def draw_lines(title: str, labels: list[str], series: list[charts.Series]) -> str:
    """Lines over the same labels as a file of its own. Pure."""
    words = charts.words(lambda text: text, "en")
    drawn = str(charts.line(title, labels, series, words))
    plot = drawn[drawn.index("<svg") : drawn.rindex("</svg>") + len("</svg>")]
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    frame = f'<svg x="{LEFT}" y="{TOP}" width="{width}" height="{height}" overflow="visible"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}">'
        f'<style>{STYLE}</style><rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>'
        f'<text class="title" x="16" y="26">{title}</text>'
        f"{plot.replace('<svg', frame, 1)}</svg>\n"
    )


def write(figures: dict[str, Any], folder: Path = DOCS) -> list[Path]:
    """A file for each curve that was measured."""
    written = []
    for name, points in figures["curves"].items():
        file = folder / f"loops-over-{name}.svg"
        file.write_text(draw(TITLES[name], [(count, value) for count, value in points]))
        written.append(file)
    return written


if __name__ == "__main__":
    for file in write(json.loads(Path(sys.argv[1]).read_text())):
        print(f"{file.name} written")
