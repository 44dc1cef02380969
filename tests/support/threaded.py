"""Servers for tests: each in a thread with a loop of its own, for as long as its `with` lasts."""

import asyncio
import threading
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable
from typing import Self, TypeVar

from aiohttp import web

T = TypeVar("T")

WAIT = 60.0  # seconds: far more than the slowest machine needs to come up, or go down


class Threaded(ABC):
    """What `_serve` does, in a thread. What goes wrong there is raised here."""

    def __init__(
        self, loop_factory: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop
    ) -> None:
        self._loop_factory = loop_factory
        self._is_up = threading.Event()
        self._fault: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name=type(self).__name__, daemon=True)

    @abstractmethod
    async def _serve(self) -> None:
        """Come up, say so by `_until_closed` or `_came_up`, and go down on request."""

    def start(self) -> None:
        self._thread.start()
        assert self._is_up.wait(WAIT), f"the {self._thread.name} did not start"
        if self._fault is not None:
            raise self._fault

    def begin_close(self) -> None:
        self._loop.call_soon_threadsafe(self._end)

    def close(self) -> None:
        """Once more does no harm."""
        if self._thread.is_alive():
            self.begin_close()
            self._thread.join(WAIT)
            assert not self._thread.is_alive(), f"the {self._thread.name} did not stop"
        if self._fault is not None:
            raise self._fault

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def call(self, work: Callable[[], Awaitable[T]]) -> T:
        """Run a coroutine function on its loop, from the test's thread."""

        async def run() -> T:
            return await work()

        return asyncio.run_coroutine_threadsafe(run(), self._loop).result(1.5 * WAIT)

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=self._loop_factory) as runner:
                self._loop = runner.get_loop()
                runner.run(self._serve())
        except BaseException as fault:
            self._fault = fault
            self._is_up.set()

    def _came_up(self, end: Callable[[], None]) -> None:
        """From now on it can be called; `end` makes `_serve` return."""
        self._end = end
        self._is_up.set()

    async def _until_closed(self) -> None:
        closed = asyncio.Event()
        self._came_up(closed.set)
        await closed.wait()


class ThreadedSite(Threaded):
    """Pages that aiohttp serves, at a free port."""

    def __init__(self) -> None:
        super().__init__()
        self.port = 0

    @abstractmethod
    def _routes(self) -> Iterable[web.RouteDef]: ...

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def _serve(self) -> None:
        app = web.Application(client_max_size=16 << 20)
        app.add_routes(self._routes())
        runner = web.AppRunner(app, shutdown_timeout=0.01)  # 0 would be for ever
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", self.port).start()
        self.port = runner.addresses[0][1]
        await self._until_closed()
        await runner.cleanup()
