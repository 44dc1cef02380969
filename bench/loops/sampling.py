"""Samples taken every so many seconds while a load runs, from a thread of their own."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Sampler(threading.Thread, Generic[T]):
    def __init__(self, take: Callable[[], T], every_seconds: float) -> None:
        super().__init__(daemon=True)
        self._take = take
        self._every_seconds = every_seconds
        self._samples: list[T] = []
        self._ended = threading.Event()

    def run(self) -> None:
        while not self._ended.wait(self._every_seconds):
            self._samples.append(self._take())

    def end(self) -> list[T]:
        """All samples, with a last one taken now."""
        self._ended.set()
        self.join()
        return [*self._samples, self._take()]
