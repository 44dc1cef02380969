"""A client that sends bytes as they are, and reads whole answers."""

import asyncio
import contextlib

from proof.fuzz.call import Call
from proof.fuzz.judge import Answer

SECONDS_MAX = 45.0  # a sandbox clock may take half a minute


class NoAnswer(Exception):
    """The connection ended, or nothing came in time."""


class Connection:
    """Kept open as long as the server keeps it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def ask(self, call: Call) -> Answer:
        """Once more on a new connection if a kept one has ended meanwhile."""
        kept = self._writer is not None
        try:
            return await asyncio.wait_for(self._ask(call), SECONDS_MAX)
        except (OSError, asyncio.IncompleteReadError) as fault:
            await self.close()
            if not kept:
                raise NoAnswer(f"{type(fault).__name__}: {fault}") from None
        except TimeoutError:
            await self.close()
            raise NoAnswer(f"nothing within {SECONDS_MAX:g} s") from None
        return await self.ask(call)

    async def ask_all(self, call: Call) -> list[Answer]:
        """The one answer of a call that is not alone."""
        answer = await self.ask(call)
        await self.close()
        return [answer]

    async def ask_alone(self, call: Call) -> list[Answer]:
        """Every answer to these bytes, behind which nothing follows, until the server closes."""
        connection = Connection(self._port)
        found: list[Answer] = []
        try:
            await asyncio.wait_for(self._collect(connection, call.raw, found), SECONDS_MAX)
        except TimeoutError:
            raise NoAnswer(f"not closed within {SECONDS_MAX:g} s") from None
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            await connection.close()
        return found

    async def _collect(self, connection: "Connection", raw: bytes, found: list[Answer]) -> None:
        await connection._send(raw)
        assert connection._writer is not None
        connection._writer.write_eof()
        while connection._writer is not None:
            found.append(await connection._read(is_head=False))

    async def close(self) -> None:
        writer, self._reader, self._writer = self._writer, None, None
        if writer is not None:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _ask(self, call: Call) -> Answer:
        sending = asyncio.ensure_future(self._send(call.raw))
        while self._reader is None:
            await asyncio.sleep(0)
            if sending.done():
                sending.result()
        try:
            return await self._read(is_head=call.is_head)
        finally:
            with contextlib.suppress(OSError):
                await sending

    async def _send(self, raw: bytes) -> None:
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._writer.write(raw)
        with contextlib.suppress(ConnectionError):  # it may answer before it has read all
            await self._writer.drain()

    async def _read(self, *, is_head: bool) -> Answer:
        reader = self._reader
        assert reader is not None
        status, headers = await self._head(reader)
        while 100 <= status < 200:
            status, headers = await self._head(reader)
        body = b"" if is_head or status in (204, 304) else await self._body(reader, headers)
        if headers.get("connection") == "close":
            await self.close()
        return Answer(status, headers, body)

    async def _head(self, reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        pairs = (line.partition(": ") for line in head[1:] if line)
        return int(head[0].split(" ")[1]), {name.lower(): value for name, _, value in pairs}

    async def _body(self, reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
        if "content-length" in headers:
            return await reader.readexactly(int(headers["content-length"]))
        if headers.get("transfer-encoding") != "chunked":
            return await reader.read()
        parts = []
        while size := int((await reader.readuntil(b"\r\n")).split(b";")[0], 16):
            parts.append(await reader.readexactly(size))
            await reader.readexactly(2)
        await reader.readexactly(2)
        return b"".join(parts)
