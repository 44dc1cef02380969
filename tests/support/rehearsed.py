"""A service whose live accounts send to a simulated platform that calls it back."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.database import fresh_database
from tests.support.service import TestService
from tests.support.simulator import RunningSimulator
from tidings.clock import Clock
from tidings.doctor import check


@contextmanager
def rehearsed_with(
    platform: RunningSimulator, folder: Path, *, clock: Clock | None = None, **settings: str
) -> Iterator[TestService]:
    """Joined to this platform; at the end every invariant must hold."""
    settings = platform.settings | settings
    with TestService(fresh_database(), folder, clock=clock, settings=settings) as service:
        platform.call_back(f"{service.url}/platform/whatsapp/webhook")
        yield service
        assert service.call(lambda: check(service.ctx.db)) == []
        assert service.sql("SELECT reason FROM callback_dead_letters") == []
