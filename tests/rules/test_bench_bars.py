"""What `make bench` says of a run's figures: bars met and missed, and what was not measured."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bench import charts
from bench.bars import BARS, NO_PEER, NOT_MEASURED, Bar, grows, judge, missed
from bench.loops.compare import summarise
from bench.loops.database import Counters, per_message

MORE = Bar("loops", "loops.text.ofKannel", 0.4, 0.6, " x Kannel", needs="loops.kannel")
LESS = Bar("start", "startup.seconds", 2, 1, " s", lower_is_better=True)


def loops(ratio: float) -> dict[str, object]:
    return {"loops": {"kannel": {"loops": 2000}, "text": {"ofKannel": ratio}}}


@pytest.mark.parametrize(
    ("ratio", "met"), [(0.399, "missed"), (0.4, "yes"), (0.599, "yes"), (0.6, "goal"), (2, "goal")]
)
def test_more_is_better(ratio: float, met: str) -> None:
    rows = judge(loops(ratio), [MORE])
    assert [row.met for row in rows] == [met]
    assert missed(rows) == (["loops"] if met == "missed" else [])


@pytest.mark.parametrize(
    ("seconds", "met"), [(2.01, "missed"), (2, "yes"), (1.01, "yes"), (1, "goal")]
)
def test_less_is_better(seconds: float, met: str) -> None:
    assert [row.met for row in judge({"startup": {"seconds": seconds}}, [LESS])] == [met]


def test_a_row_says_figure_and_bars_with_their_unit() -> None:
    (row,) = judge(loops(0.43), [MORE])
    assert (row.today, row.at_least, row.goal) == ("0.43 x Kannel", "0.4 x Kannel", "0.6 x Kannel")


def test_a_peer_that_is_not_installed_misses_nothing() -> None:
    rows = judge({"loops": {"text": {"loops": 400}}}, [MORE])
    assert [row.today for row in rows] == [NO_PEER]
    assert not missed(rows)


def test_a_figure_that_could_not_be_taken_misses_nothing() -> None:
    assert [row.today for row in judge({"startup": {}}, [LESS])] == [NOT_MEASURED]


def test_sections_that_did_not_run_have_no_row() -> None:
    assert [row.measure for row in judge(loops(0.5), [MORE, LESS])] == ["loops"]


def test_at_least_is_never_stricter_than_the_goal() -> None:
    assert [bar.measure for bar in BARS if not bar.reaches(bar.goal, bar.at_least)] == []


def test_ratios_are_of_the_medians() -> None:
    series = {
        "kannel": [{"loops": n} for n in (1000, 4000, 2000)],
        "text": [{"loops": n, "lost": 1} for n in (900, 100, 800)],
        "split 1": [{"loops": 700, "lost": 0}],
        "split 2": [{"loops": 1500, "lost": 2}],
    }
    found = summarise(series)
    assert found["text"]["ofKannel"] == 0.4
    assert found["bestSplit"] == {"name": "2", "loops": 1500, "ofKannel": 0.75}
    assert found["lost"] == 5


def test_without_kannel_there_is_no_ratio() -> None:
    assert "ofKannel" not in summarise({"text": [{"loops": 900, "lost": 0}]})["text"]


def test_what_an_idle_service_writes_is_taken_off() -> None:
    idle = Counters(at=2, rows=20, wal_records=40, wal_bytes=200, commits=10)
    loaded = Counters(at=10, rows=1100, wal_records=2200, wal_bytes=11_000, commits=75)
    found = per_message(idle, loaded, 100)
    assert found == {"rows": 10, "walRecords": 20, "walBytes": 100, "commits": 0.25}


@pytest.mark.parametrize(
    ("samples", "growth"),
    [
        ([90, 100, 120, 120, 120], 1.0),  # warming up is not growth
        ([100, 110, 120, 130, 150], 1.25),
        ([100], 1.0),
    ],
)
def test_memory_that_grows(samples: list[float], growth: float) -> None:
    assert grows(samples) == growth


def test_a_chart_is_a_file_of_its_own(tmp_path: Path) -> None:
    figures = {"curves": {"waiting": [[0, 500], [10_000, 480]], "processes": [[1, 500], [2, 900]]}}
    files = charts.write(figures, tmp_path)
    assert [file.name for file in files] == ["loops-over-waiting.svg", "loops-over-processes.svg"]
    drawn = ElementTree.fromstring(files[0].read_text())
    texts = [one.text for one in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert "10,000" in texts
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}path"))) == 1


def test_an_unknown_section_is_refused() -> None:
    made = subprocess.run(
        [sys.executable, "-m", "bench", "--only", "loops,lops"], capture_output=True, text=True
    )
    assert made.returncode == 2
    assert "no section lops" in made.stderr
