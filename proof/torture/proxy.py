"""TCP between two parties, that can be cut, reset or delayed while they talk."""

import asyncio
import itertools
from collections.abc import Sequence
from contextlib import suppress

from tests.support.threaded import Threaded

CONNECT_SECONDS_MAX = 2
CHUNK = 65536


class Proxy(Threaded):
    """Each connection goes to the first of `ports` that takes it, another one first each time."""

    def __init__(self, ports: Sequence[int]) -> None:
        super().__init__()
        self._ports, self._turn = list(ports), itertools.count()
        self._open: set[asyncio.StreamWriter] = set()
        self._passing = asyncio.Event()
        self._passing.set()
        self._delay = 0.0
        self.port = 0

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        await self._until_closed()
        server.close()

    def swallow(self) -> None:
        """A black hole: connections stay open, new ones are taken, and nothing comes through."""
        self._loop.call_soon_threadsafe(self._passing.clear)

    def restore(self) -> None:
        self._delay = 0.0
        self._loop.call_soon_threadsafe(self._passing.set)

    def delay(self, seconds: float) -> None:
        """Each way."""
        self._delay = seconds

    def reset(self) -> None:
        """Every open connection, in the middle of whatever it carries."""
        self._loop.call_soon_threadsafe(self._abort_all)

    def _abort_all(self) -> None:
        for writer in list(self._open):
            writer.transport.abort()

    async def _pass_on(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        self._open.add(target)
        with suppress(OSError, asyncio.CancelledError):
            await self._passing.wait()
            if (opened := await self._connect()) is not None:
                self._open.add(opened[1])
                both = self._copy(source, opened[1]), self._copy(opened[0], target)
                await asyncio.gather(*both, return_exceptions=True)
                self._open.discard(opened[1])
        self._open.discard(target)
        target.close()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        first = next(self._turn)
        for nth in range(len(self._ports)):
            port = self._ports[(first + nth) % len(self._ports)]
            with suppress(OSError):
                async with asyncio.timeout(CONNECT_SECONDS_MAX):
                    return await asyncio.open_connection("127.0.0.1", port)
        return None

    async def _copy(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(CHUNK):
                if self._delay:
                    await asyncio.sleep(self._delay)
                await self._passing.wait()
                target.write(data)
                await target.drain()
        finally:
            target.close()
