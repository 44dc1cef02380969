"""A messaging platform that does to each recipient what a test tells it."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence

from tidings.platforms.port import Accepted, Handover, NoAnswer, Send


def accept(send: Send) -> Handover:
    return Handover(Accepted(f"wamid.{send.send_id}"))


def say_nothing(send: Send) -> Handover:
    return Handover(NoAnswer())


class FakePlatform:
    """Does to each recipient what `behave` says for it; remembers every hand-over."""

    def __init__(self) -> None:
        self.heard: list[Send] = []
        self.behave: dict[str, Callable[[Send], Handover]] = {}
        self.slow: dict[str, float] = {}

    async def send(self, sends: Sequence[Send]) -> list[Handover]:
        self.heard.extend(sends)
        await asyncio.sleep(max((self.slow.get(send.to, 0) for send in sends), default=0))
        return [self.behave.get(send.to, accept)(send) for send in sends]

    def count(self, to: str) -> int:
        return Counter(send.to for send in self.heard)[to]
