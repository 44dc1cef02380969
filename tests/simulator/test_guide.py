"""docs/simulator.md, followed to the letter."""

import re
import shlex
from pathlib import Path
from typing import Any

from typer.main import get_command

from tests.support.simulator import RunningSimulator
from tidings.cli.main import app
from tidings_simulator.plan import read_plan

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


def test_the_guide_names_every_option() -> None:
    commands: Any = vars(get_command(app))["commands"]
    options = {name for param in commands["simulator"].params for name in param.opts}
    for option in options - {"-q", "--help"}:
        assert f"`{option}`" in GUIDE
