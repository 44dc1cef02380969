"""A service whose live accounts send to a simulated platform that calls it back."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.database import fresh_database
from tests.support.service import TestService
from tests.support.simulator import RunningSimulator
from tidings.doctor import check


@contextmanager
def rehearsed(folder: Path) -> Iterator[tuple[TestService, RunningSimulator]]:
    """Both, joined; at the end every invariant must hold."""
    with (
        RunningSimulator(callback_url="") as simulator,
        TestService(fresh_database(), folder, settings=simulator.settings) as service,
    ):
        simulator.call_back(f"{service.url}/platform/whatsapp/webhook")
        yield service, simulator
        assert service.call(lambda: check(service.ctx.db)) == []
