"""The startup handshake of a session, before a simulated connection uses it.

asyncpg does the password authentication, which takes several round trips. A simulated connection
gets AuthenticationOk as the first answer, whether its session is new or from the pool, so that
connecting takes the same simulated time.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import asyncpg


def sign_in(startup: bytes, dsn: Mapping[str, Any], execute: Callable[[bytes], bytes]) -> bytes:
    """`startup`: the first message of a connection. All that the server has answered."""
    loop = _Straight(startup, execute)
    try:
        connection = loop.run_until_complete(asyncpg.connect(**dsn))
    finally:
        loop.close()
    del connection  # from here on its farewell goes nowhere
    return loop.answers


class _Straight(asyncio.SelectorEventLoop):
    """Whoever connects on this loop has what it writes executed at once."""

    def __init__(self, startup: bytes, execute: Callable[[bytes], bytes]) -> None:
        super().__init__()
        self.startup: bytes | None = startup  # in the place of the first message
        self.execute = execute
        self.answers = b""

    async def create_unix_connection(self, protocol_factory: Any, *_: Any, **__: Any) -> Any:
        protocol = protocol_factory()
        transport = _Direct(self, protocol)
        self.call_soon(protocol.connection_made, transport)
        return transport, protocol


class _Direct(asyncio.Transport):
    def __init__(self, loop: _Straight, protocol: Any) -> None:
        super().__init__()
        self._loop, self._protocol = loop, protocol

    def write(self, data: Any) -> None:
        loop = self._loop
        if loop.is_closed():  # what asyncpg says when it takes its leave; the session goes on
            return
        answer = loop.execute(loop.startup or bytes(data))
        loop.startup = None
        loop.answers += answer
        loop.call_soon(self._protocol.data_received, answer)

    def is_closing(self) -> bool:
        return False

    def abort(self) -> None:
        pass

    close = abort
