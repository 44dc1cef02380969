"""One service for all tests that need no clock of their own; each test has its own account."""

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.support import logs, skips
from tests.support.clock import STANDING, ManualClock
from tests.support.database import fresh_database
from tests.support.platform import FakePlatform, served_by
from tests.support.receiver import Receiver
from tests.support.service import TestAccount, TestService
from tests.support.simulator import RunningSimulator, service_with_simulator

# How long an example takes says how busy the machine is, and nothing about the code.
settings.register_profile("house", deadline=None)
settings.load_profile("house")
logs.be_plain()
TEST_SECONDS_MAX = 300
pytest_terminal_summary = skips.pytest_terminal_summary


def bounded(test: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    @functools.wraps(test)
    async def within(**fixtures: Any) -> None:
        async with asyncio.timeout(TEST_SECONDS_MAX):
            await test(**fixtures)

    return within


@pytest.hookimpl(tryfirst=True)  # before -m selects
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "rules" in item.path.parts or item.path.name == "test_architecture.py":
            item.add_marker(pytest.mark.quick)
    # Crash tests take longest, up to a minute for one file: run last, a worker would run alone.
    items.sort(key=lambda item: "faults" not in item.path.parts)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> None:
    """An async test that hangs fails, and says where it waited."""
    test = pyfuncitem.obj
    if inspect.iscoroutinefunction(test):
        pyfuncitem.obj = bounded(test)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """What `async def` tests and fixtures run on."""
    return "asyncio"


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestService]:
    """Its clock stands still during a test; accounts' clocks are moved by `account.advance`."""
    folder = tmp_path_factory.mktemp("data")
    with TestService(fresh_database(), folder, clock=STANDING) as running:
        yield running


@pytest.fixture(scope="module")
def moved_clock() -> ManualClock:
    """Of `moved_service`."""
    return ManualClock(datetime.now(UTC))


@pytest.fixture(scope="module")
def moved_service(
    moved_clock: ManualClock, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[TestService]:
    """Tests advance its clock by hours and days. A file takes it for its `service`. The few files
    that do have one each: a service that waits till the end costs more than its start."""
    folder = tmp_path_factory.mktemp("data")
    with TestService(fresh_database(), folder, clock=moved_clock) as running:
        yield running


@pytest.fixture(autouse=True)
def _time_of_day() -> None:
    STANDING.catch_up()


@pytest.fixture(scope="module")
def running_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestService]:
    """By the real clock, for what must happen by itself. A file takes it for its `service`."""
    with TestService(fresh_database(), tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture
def account(service: TestService) -> TestAccount:
    """Of the service that all files share, one that was made together with others: making each by
    itself took a tenth of all tests' time."""
    return service.spare_account() if service.clock is STANDING else service.account()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def still_service(clock: ManualClock, tmp_path: Path) -> Iterator[TestService]:
    """Nothing happens by itself: the test moves the clock, and runs the jobs."""
    with TestService(fresh_database(), tmp_path, clock=clock, working=False) as running:
        yield running


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A customer's server."""
    with Receiver() as listening:
        yield listening


@pytest.fixture
def failing_account(service: TestService, receiver: Receiver) -> TestAccount:
    """An account whose receiver fails, until the test makes it answer otherwise."""
    receiver.answer(500)
    return service.account(webhookUrl=receiver.url)


@pytest.fixture(scope="module")
def platform() -> FakePlatform:
    """Of `scripted_service`."""
    return FakePlatform()


@pytest.fixture(scope="module")
def scripted_service(
    platform: FakePlatform, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[TestService]:
    """Its platform does to each recipient what the test scripted."""
    with served_by(platform, tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(scope="module")
def live_platform() -> Iterator[RunningSimulator]:
    """Of `live_service`."""
    with RunningSimulator() as running:
        yield running


@pytest.fixture(scope="module")
def live_service(
    live_platform: RunningSimulator, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[TestService]:
    """Its live accounts send to a simulated platform that calls it back."""
    with service_with_simulator(live_platform, tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture
def simulator() -> Iterator[RunningSimulator]:
    """A platform that posts no callbacks, until `simulator.call_back(url)`."""
    with RunningSimulator() as running:
        yield running
