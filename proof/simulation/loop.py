"""The event loop of one simulated process: asyncio's own, without a selector and without a clock.

Callbacks run in the order in which asyncio would run them. What a selector would wait for, bytes
and timers, comes from the world.
"""

import asyncio
import heapq
import itertools
from asyncio import events
from collections.abc import Callable
from typing import Any, Protocol


class Surroundings(Protocol):
    """What a loop needs of the world around its process."""

    def time(self) -> float: ...
    def connect(self, protocol: asyncio.BaseProtocol, path: str) -> asyncio.Transport: ...
    def listen(self, factory: Callable[[], asyncio.BaseProtocol]) -> None: ...
    def went_wrong(self, context: dict[str, Any]) -> None: ...


class _Numbered:
    """Sets keep them in the order of their numbers, which is the same in every run."""

    number: int

    def __hash__(self) -> int:
        return self.number


class _Future(_Numbered, asyncio.Future[Any]):
    pass


class _Task(_Numbered, asyncio.Task[Any]):
    def __init__(self, number: int, coroutine: Any, **options: Any) -> None:
        self.number = number  # before asyncio keeps it in a set
        super().__init__(coroutine, **options)


class VirtualLoop(asyncio.BaseEventLoop):
    """Runs what is ready when `drain` is called; nothing happens by itself."""

    _ready: Any
    _scheduled: Any
    _timer_cancelled_count: int

    def __init__(self, around: Surroundings) -> None:
        super().__init__()
        self._around = around
        self.is_dead = False  # its process has crashed: nothing of it runs any more
        self._numbers = itertools.count(1)
        self.set_exception_handler(lambda _, context: around.went_wrong(context))
        self.set_task_factory(self._make_task)

    def time(self) -> float:
        return self._around.time()

    def drain(self) -> bool:
        """Run everything that is ready, and what that makes ready; whether there was anything."""
        if self.is_dead:
            return False
        if self._scheduled and self._scheduled[0].when() <= self.time():
            self._move_due()
        if not self._ready:
            return False
        events._set_running_loop(self)
        try:
            while self._ready and not self.is_dead:
                handle = self._ready.popleft()
                if not handle._cancelled:
                    handle._run()
        finally:
            events._set_running_loop(None)
        return True

    def next_timer(self) -> float | None:
        """When the next timer falls due."""
        self._drop_cancelled()
        return None if self.is_dead or not self._scheduled else self._scheduled[0].when()

    def die(self) -> None:
        """What waits is kept, so that no `finally` of it runs, as after kill -9."""
        self.is_dead = True

    def _move_due(self) -> None:
        now = self.time()
        self._drop_cancelled()
        while self._scheduled and self._scheduled[0].when() <= now:
            handle = heapq.heappop(self._scheduled)
            handle._scheduled = False
            self._ready.append(handle)
            self._drop_cancelled()

    def _drop_cancelled(self) -> None:
        while self._scheduled and self._scheduled[0]._cancelled:
            self._timer_cancelled_count -= 1
            heapq.heappop(self._scheduled)._scheduled = False

    def _make_task(self, loop: asyncio.AbstractEventLoop, coroutine: Any, **options: Any) -> _Task:
        return _Task(next(self._numbers), coroutine, loop=loop, **options)

    # What asyncio and the service ask of a loop

    def create_future(self) -> _Future:
        made = _Future(loop=self)
        made.number = next(self._numbers)
        return made

    def _write_to_self(self) -> None:
        """There is nobody to wake: whoever calls from elsewhere drains afterwards."""

    def is_running(self) -> bool:
        return events._get_running_loop() is self

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:  # type: ignore[override]
        """Threads would run in any order: here each has ended before it is asked for."""
        done = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:  # noqa: BLE001 - as a thread's future does
            done.set_exception(error)
        return done

    async def create_unix_connection(
        self, protocol_factory: Any, path: Any = None, **_: Any
    ) -> Any:
        protocol = protocol_factory()
        return self._around.connect(protocol, path), protocol

    async def create_connection(self, *_: Any, **__: Any) -> Any:
        raise ConnectionRefusedError("there is no network here")

    async def sock_connect(self, *_: Any) -> None:
        raise ConnectionRefusedError("there is no network here")

    async def create_server(self, protocol_factory: Any, *_: Any, **__: Any) -> Any:
        self._around.listen(protocol_factory)
        return _Server()


class _Server:
    def close(self) -> None:
        pass
