"""A simulator that posts its callbacks to the receiver."""

from collections.abc import Iterator

import pytest

from tests.support.receiver import Receiver
from tests.support.simulator import RunningSimulator


@pytest.fixture
def platform(receiver: Receiver) -> Iterator[RunningSimulator]:
    with RunningSimulator(callback_url=receiver.url) as running:
        yield running
