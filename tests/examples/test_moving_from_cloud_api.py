"""The guide for those who come from the Cloud API: its requests, sent to the Graph simulator.

Our own requests on the page are run by tests/test_docs.py.
"""

import json
import re
from collections.abc import Iterator

import pytest

from tests.examples.programs import ROOT, needs, run
from tests.support.simulator import RunningSimulator
from tidings_simulator.plan import ACCESS_TOKEN
from tidings_simulator.simulator import VERSION

PAGE = (ROOT / "docs" / "migrating-from-cloud-api.md").read_text()
BLOCKS = re.findall(r"```bash\n(.*?)```", PAGE, re.DOTALL)
REQUESTS = [block for block in BLOCKS if "curl" in block]


@pytest.fixture(scope="module")
def simulator() -> Iterator[RunningSimulator]:
    with RunningSimulator() as running:
        yield running


def test_the_page_names_the_version_that_we_use() -> None:
    [values] = [block for block in BLOCKS if "GRAPH=" in block]
    assert f"/{VERSION}\n" in values


@pytest.mark.parametrize("request_", REQUESTS, ids=range(1, len(REQUESTS) + 1))
def test_a_request_is_one_that_the_platform_takes(
    simulator: RunningSimulator, request_: str
) -> None:
    needs("bash", "curl")
    values = {
        "GRAPH": f"{simulator.url}/{VERSION}",
        "PHONE_NUMBER_ID": simulator.number.id,
        "TOKEN": ACCESS_TOKEN,
    }
    answer = json.loads(run("bash", "-euo", "pipefail", "-c", request_, folder=ROOT, env=values))
    assert "error" not in answer, answer
    assert answer["messages"][0]["id"].startswith("wamid.")


def test_every_way_of_sending_on_the_page_has_a_request() -> None:
    types = set(re.findall(r'"type": "(template|text|interactive)",? *\n? *"', "".join(REQUESTS)))
    assert types == {"template", "text", "interactive"}
