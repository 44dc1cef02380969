"""Fake platforms, and the contract suite's worlds: every test that asks for one runs in the
sandbox and against the live platform, and both must have seen the same."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.adapter import FakeFiles
from tests.support.graph import FakeGraph
from tests.support.normalised import differences
from tests.support.worlds import Stage, World, open_stage

_seen: dict[str, dict[str, Any]] = {}


@pytest.fixture
def graph() -> Iterator[FakeGraph]:
    with FakeGraph() as running:
        yield running


@pytest.fixture
def files() -> FakeFiles:
    return FakeFiles()


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with open_stage(tmp_path_factory.mktemp("stage")) as opened:
        yield opened


@pytest.fixture(params=["sandbox", "live"])
def world(request: pytest.FixtureRequest, stage: Stage) -> Iterator[World]:
    """Of an account that receives every reply verbatim."""
    yield from _open(request, stage, replies="raw")


@pytest.fixture(params=["sandbox", "live"])
def guest_world(request: pytest.FixtureRequest, stage: Stage) -> Iterator[World]:
    """Of an account whose replies are answers to invitations."""
    yield from _open(request, stage, replies="guest")


def _open(request: pytest.FixtureRequest, stage: Stage, **fields: str) -> Iterator[World]:
    """The sandbox comes first; at the end of the live test the two are compared."""
    test = _name(request)
    opened = stage.world(request.param, test, **fields)
    yield opened
    seen = opened.seen()
    if request.param == "sandbox":
        _seen[test] = seen
    elif test in _seen:  # not where one world alone was asked for
        found = differences(_seen[test], seen)
        assert not found, "\n".join(["sandbox != live", *found])


def _name(request: pytest.FixtureRequest) -> str:
    """Of the test, whichever the world."""
    given = request.node.callspec.params.items()
    others = [str(value) for name, value in given if name != request.fixturename]
    return f"{request.node.location[0]} {request.node.originalname} {others}"
