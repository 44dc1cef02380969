"""docs/simulator.md, followed to the letter."""

import re
import shlex
from pathlib import Path

import pytest

from tests.support.simulator import RunningSimulator
from tidings.platforms.simulator.graph.plan import read_plan
from tidings.platforms.simulator.graph.simulator import GraphSimulator

GUIDE = (Path(__file__).parents[2] / "docs" / "simulator.md").read_text()
CURLS = [line for line in GUIDE.splitlines() if line.startswith("curl ")]


def test_every_command_of_the_guide_works(simulator: RunningSimulator) -> None:
    assert len(CURLS) > 15
    for line in CURLS:
        words = shlex.split(line)
        path = next(word for word in words if word.startswith("$SIM")).removeprefix("$SIM")
        body = words[words.index("-d") + 1] if "-d" in words else None
        method = words[words.index("-X") + 1] if "-X" in words else "POST" if body else "GET"
        answer = simulator.http.request(method, f"/simulator{path}", content=body)
        assert answer.status_code == 200, f"{line}\n{answer.text}"


def test_the_file_of_the_guide_is_a_plan() -> None:
    (toml,) = re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL)
    plan = read_plan(toml)
    with RunningSimulator(plan=plan) as simulator:
        assert simulator.number.waba.limit == "TIER_2K"
        assert simulator.graph("GET", "1077", token="a-token").status_code == 200


@pytest.mark.parametrize("word", ["--host", "--file", "--windows-open", "--verify-token"])
def test_the_guide_names_the_options(word: str) -> None:
    assert f"`{word}`" in GUIDE or f"{word}`" in GUIDE
    assert GraphSimulator.__doc__
