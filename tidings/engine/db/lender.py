"""Whom a transaction has its connection from: a pool, or whoever opened a single one."""

from typing import Protocol

from tidings.engine.db.connections import Connection


class Lender(Protocol):
    at_begin: str | None

    async def take(self) -> Connection: ...

    def give(self, connection: Connection) -> None: ...

    def drop_idle(self) -> None: ...


class OwnConnection:
    """One connection, in the place of a pool: whoever opened it closes it."""

    at_begin: str | None = None

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def take(self) -> Connection:
        return self._connection

    def give(self, _connection: Connection) -> None:
        pass

    def drop_idle(self) -> None:
        pass
