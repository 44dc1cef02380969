"""Listeners that count who connects: nobody should."""

import asyncio
import socket
from collections import Counter

from tests.support.threaded import Threaded


class Canaries(Threaded):
    """On each address and port, from `with` on. What connects is counted and sent away."""

    def __init__(self, addresses: list[str], ports: list[int]) -> None:
        super().__init__()
        self.connections: Counter[tuple[str, int]] = Counter()
        self._places = [(address, port) for address in addresses for port in ports]

    async def _serve(self) -> None:
        servers = [await self._listen(address, port) for address, port in self._places]
        await self._until_closed()
        for server in servers:
            server.close()

    async def _listen(self, address: str, port: int) -> asyncio.Server:
        async def count(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self.connections[address, port] += 1
            writer.close()

        return await asyncio.start_server(count, address, port)

    def prove(self) -> None:
        """Each of them notices a connection; then they begin at nought."""
        for address, port in self._places:
            with socket.create_connection((address, port), timeout=30) as connection:
                assert connection.recv(1) == b""
        assert set(self.connections) == set(self._places)
        self.connections.clear()
