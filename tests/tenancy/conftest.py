"""One world for a file of these tests. Its clock stands, so that equal answers are equal."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from tests.support.clock import ManualClock
from tests.tenancy import world as worlds
from tests.tenancy.world import World


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    clock = ManualClock(datetime.now(UTC))
    with worlds.start(tmp_path_factory.mktemp("data"), clock) as service:
        yield worlds.build(service)
