"""Collects the tests once, with pytest, and hands them to whoever tries mutants on them."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import Phase, settings

from .trial import Outcomes

Work = Callable[[dict[str, pytest.Item], Outcomes], None]
OPTIONS = (
    "-qq",
    "-s",
    "--no-header",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:xdist",
    "-p",
    "no:randomly",
)


class Session:
    """A plugin: in place of running the collected tests it does the `work` with them."""

    def __init__(self, work: Work, outcomes: Outcomes) -> None:
        self._work = work
        self._outcomes = outcomes

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Before the tests are imported: a failing example need not be made small, nor kept."""
        settings.register_profile(
            "mutants",
            deadline=None,
            database=None,
            derandomize=True,
            phases=(Phase.explicit, Phase.generate),
        )
        settings.load_profile("mutants")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise pytest.UsageError("the tests cannot be collected")
        self._work({item.nodeid: item for item in session.items}, self._outcomes)
        return True


def with_tests(root: Path, paths: Iterable[str], temporary: Path, work: Work) -> None:
    """Collect the tests of these files and do the work with them."""
    os.chdir(root)
    outcomes = Outcomes()
    options = [*OPTIONS, "--hypothesis-seed=1", f"--basetemp={temporary}", *paths]
    with contextlib.redirect_stdout(sys.stderr):
        code = pytest.main(options, plugins=[Session(work, outcomes), outcomes])
    if code not in (0, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise SystemExit(f"the tests cannot be collected: {code}")
