"""A messaging platform that does to each recipient what a test scripted."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.support.database import fresh_database
from tests.support.service import TestService
from tidings.doctor import check
from tidings.platforms.port import Accepted, DispatchResult, Send, UnknownOutcome

recipients = (f"97250{n:07}" for n in range(1, 1_000_000))  # each of one test's own


def accept(send: Send) -> DispatchResult:
    return DispatchResult(Accepted(f"wamid.{send.send_id}"))


def say_nothing(send: Send) -> DispatchResult:
    return DispatchResult(UnknownOutcome())


class FakePlatform:
    """Does to each recipient what `behave` says for it; records every send."""

    def __init__(self) -> None:
        self.sends: list[Send] = []
        self.behave: dict[str, Callable[[Send], DispatchResult]] = {}
        self.held: set[str] = set()  # sends to them last until a test removes them

    async def send(self, sends: Sequence[Send]) -> list[DispatchResult]:
        self.sends.extend(sends)
        while any(send.to in self.held for send in sends):
            await asyncio.sleep(0.005)
        return [self.behave.get(send.to, accept)(send) for send in sends]

    @contextmanager
    def holding(self, to: str) -> Iterator[None]:
        """Sends to this recipient get no response meanwhile."""
        self.held.add(to)
        try:
            yield
        finally:
            self.held.discard(to)

    def count(self, to: str) -> int:
        return Counter(send.to for send in self.sends)[to]


@contextmanager
def served_by(platform: FakePlatform, folder: Path) -> Iterator[TestService]:
    """A service whose sandbox is this platform, and its invariants at the end."""
    with TestService(fresh_database(), folder, platforms={"sandbox": platform}) as running:
        yield running
        assert running.call(lambda: check(running.ctx.db)) == []
