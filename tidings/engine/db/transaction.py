"""The beginning and the end of a transaction on a connection of the pool."""

import asyncio
from types import TracebackType
from typing import TYPE_CHECKING

import asyncpg

from tidings.engine.db.connections import Connection
from tidings.engine.db.errors import ENDED, LOST, CommitUnknown, Demoted, explained
from tidings.engine.db.lender import Lender
from tidings.engine.db.tx import Tx

if TYPE_CHECKING:
    from tidings.engine.db.pool import Database

SETTLE_SECONDS_MAX = 2.0


class Transaction:
    """COMMIT, or ROLLBACK if anything was raised, on leaving. BEGIN is sent when it is needed."""

    __slots__ = ("_connections", "_db", "_tx")

    def __init__(self, db: "Database", connections: Lender) -> None:
        self._db = db
        self._connections = connections

    async def __aenter__(self) -> Tx:
        db = self._db
        connection = await self._connections.take()
        self._tx = Tx(connection, db.clock.now(), db.versioned_cache, db.shared)
        if self._connections.at_begin is not None:
            await self._begin_with(self._connections.at_begin)
        return self._tx

    async def _begin_with(self, statement: str) -> None:
        """It sets what the session cannot keep."""
        try:
            await self._tx.begin(statement)
        except BaseException as error:
            await self.__aexit__(type(error), error, None)
            raise

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        tx, connections = self._tx, self._connections
        try:
            if error is None:
                await _end(tx)
            else:
                await _roll_back(tx.connection, error)
        except Demoted:
            connections.drop_idle()
            raise
        finally:
            connections.give(tx.connection)
        if error is not None:
            reason = explained(error, tx.connection)
            if isinstance(reason, Demoted):
                connections.drop_idle()
            if reason is not error:
                raise reason from error
            return
        self._db.committed(tx)


async def _end(tx: Tx) -> None:
    """Send what waits, and commit. A single statement commits by itself."""
    try:
        if tx.begun:
            await tx.flush()
    except BaseException as error:
        await _roll_back(tx.connection, error)
        reason = explained(error, tx.connection)
        if reason is error:
            raise
        raise reason from error
    if tx.begun:
        await _commit(tx.connection)
    elif tx.writes:
        await _commit_by_itself(tx)


async def _commit_by_itself(tx: Tx) -> None:
    connection = tx.connection
    connection.is_committing = True
    try:
        await tx.send(tx.writes.take())
    except LOST as error:
        connection.terminate()
        raise CommitUnknown("the connection was lost during a write") from error
    except (*ENDED, asyncpg.ReadOnlySQLTransactionError) as error:  # it was not done
        connection.terminate()
        raise explained(error, connection) from error
    except asyncio.CancelledError:
        connection.terminate()
        raise
    finally:
        connection.is_committing = False


async def _commit(connection: Connection) -> None:
    connection.is_committing = True
    try:
        status = await connection.execute("COMMIT")
    except LOST as error:
        connection.terminate()
        raise CommitUnknown("the connection was lost during COMMIT") from error
    except ENDED as error:  # lost before COMMIT was sent
        raise explained(error, connection) from error
    except asyncio.CancelledError:
        connection.terminate()
        raise
    finally:
        connection.is_committing = False
    # If the error of a failed statement was suppressed, COMMIT rolls back without an error.
    if status != "COMMIT":
        raise RuntimeError(f"the transaction had failed before its end: {status}")


async def _roll_back(connection: Connection, error: BaseException) -> None:
    if isinstance(error, asyncpg.ReadOnlySQLTransactionError):
        connection.terminate()
    elif connection.is_in_transaction():
        await settle(connection, "ROLLBACK")
    elif not isinstance(error, Exception) or isinstance(error, (OSError, *ENDED)):
        await settle(connection, "SELECT 1")  # a read that was interrupted outside a transaction


async def settle(connection: Connection, statement: str) -> None:
    """End what runs; if that fails, the connection is closed, which rolls back as well."""
    if connection.is_closed():
        return
    try:
        async with asyncio.timeout(SETTLE_SECONDS_MAX):
            await connection.execute(statement)
    except (OSError, asyncpg.PostgresError, *ENDED):
        connection.terminate()
    except BaseException:
        connection.terminate()
        raise
