"""Some histories of `make simulate`, and that they are what they claim to be."""

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from proof.simulation.arena import furnish
from proof.simulation.crew import Worker, tell_all
from proof.simulation.history import Told
from proof.simulation.shrink import shrink
from proof.simulation.states import STATES
from proof.simulation.worker import Asked
from tests.support.database import Dsn, fresh_database, needs_direct

SEEDS = range(1, 17)
pytestmark = needs_direct  # the simulated network is PostgreSQL's own


@pytest.fixture(scope="module")
def base() -> Dsn:
    made = fresh_database()
    furnish(made)
    return made


@pytest.fixture(scope="module")
def worker(base: Dsn) -> Iterator[Worker]:
    with Worker(base) as running:
        yield running


def test_every_history_keeps_every_promise(base: Dsn) -> None:
    told = list(tell_all(base, SEEDS, jobs=1))
    assert {one.seed: one.problems for one in told if one.problems} == {}
    reached = {state for one in told for state, count in one.sometimes.items() if count}
    assert len(reached & set(STATES)) > len(STATES) / 2, "they went too smoothly"


def test_a_seed_is_one_history(worker: Worker, base: Dsn) -> None:
    once = worker.tell(Asked(SEEDS[1], log=True))
    with Worker(base) as another:
        other = another.tell(Asked(SEEDS[0]))
        again = another.tell(Asked(SEEDS[1], log=True))  # whatever came before
    assert again.faults == once.faults != other.faults
    # Of a seed with few waits: the server alone decides who is first of two that wait for a third.
    half = len(once.log) // 2
    assert again.log[:half] == once.log[:half] and half > 300


def test_a_history_with_fewer_faults_has_no_others(worker: Worker) -> None:
    faults = worker.tell(Asked(SEEDS[0])).faults
    kept = faults[: len(faults) // 2]
    assert set(worker.tell(Asked(SEEDS[0], kept)).faults) <= set(kept) < set(faults)


def test_what_is_broken_on_purpose_is_seen(base: Dsn) -> None:
    command = [sys.executable, "-m", "proof.simulation.sabotage", json.dumps(dict(base))]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert shown.returncode == 0 and shown.stdout.count("seen: ") == 11, shown.stdout + shown.stderr


def test_a_failing_history_shrinks_to_the_faults_that_matter() -> None:
    def tell(asked: Asked) -> Told:
        faults = asked.only or []
        problems = ["lost"] if {"crash#3", "cut#5"} <= set(faults) else []
        return Told(asked.seed, problems, faults, {}, "", 0, 0, [])

    faults = [f"{name}#{nth}" for name in ("crash", "cut", "slow") for nth in range(20)]
    assert set(shrink(tell, tell(Asked(1, faults))).faults) == {"crash#3", "cut#5"}
