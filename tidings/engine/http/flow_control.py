"""Flow control of a connection: when it reads from its socket, and whether writing must wait."""

import asyncio


class FlowControl:
    """`is_read_paused` is ours: the client sends faster than its requests are answered.
    `is_write_paused` is the client's: it reads more slowly than we write."""

    __slots__ = ("_transport", "_writable", "is_read_paused", "is_write_paused")

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._writable = asyncio.Event()
        self.is_read_paused = False
        self.is_write_paused = False

    def pause_reading(self) -> None:
        if not self.is_read_paused:
            self.is_read_paused = True
            self._transport.pause_reading()

    def resume_reading(self) -> None:
        if self.is_read_paused:
            self.is_read_paused = False
            self._transport.resume_reading()

    def pause_writing(self) -> None:
        self.is_write_paused = True
        self._writable.clear()

    def resume_writing(self) -> None:
        self.is_write_paused = False
        self._writable.set()

    async def drain(self) -> None:
        """Until the client has read enough of what was written, or has gone."""
        while self.is_write_paused:
            await self._writable.wait()
