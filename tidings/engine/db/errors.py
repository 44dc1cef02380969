"""What can go wrong with a transaction, by what the caller may do about it."""

import asyncpg

from tidings.engine.db.connections import Connection, NoFreeConnection, Unavailable


class Conflict(Exception):
    """Data that this transaction read has changed: roll back and retry."""


class Lost(Unavailable):
    """The connection was lost before COMMIT: nothing was done, and a retry is safe."""


class Demoted(Lost):
    """This server takes no writes any more; nothing was done. Another one may."""


class CommitUnknown(Exception):
    """The connection was lost during COMMIT: check whether it succeeded before retrying."""


RETRIED = (
    Conflict,
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.InvalidCachedStatementError,  # a migration changed a table under a prepared statement
)
LOST = (
    OSError,  # includes TimeoutError: nothing else inside a transaction waits on a network
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
)
# Rolled back; an immediate retry is likely to succeed.
AGAIN = (*RETRIED, Lost, *LOST[1:])
# What asyncpg raises for a connection that ended between two statements: after it noticed, and
# while it is still reading the server's last bytes. The new statement was not sent.
ENDED = (asyncpg.InterfaceError, asyncpg.InternalClientError)
# The database itself is unreachable; logged once (`outage.py`).
OUTAGE_ERRORS: tuple[type[Exception], ...] = (Unavailable, CommitUnknown, *LOST[1:])
# Rolled back because others held the rows, or all connections, for too long.
HELD_ERRORS: tuple[type[Exception], ...] = (
    NoFreeConnection,
    asyncpg.LockNotAvailableError,  # lock_timeout
)
# The same, or the machine was too busy.
CONTENTION_ERRORS: tuple[type[Exception], ...] = (
    *HELD_ERRORS,
    asyncpg.QueryCanceledError,  # statement_timeout
)
# Answered with 503 and Retry-After: a later retry of the request can succeed.
UNAVAILABLE_ERRORS: tuple[type[Exception], ...] = (
    *OUTAGE_ERRORS,
    *RETRIED,
    asyncpg.InsufficientResourcesError,  # disk full, out of memory, too many connections
    *CONTENTION_ERRORS,
)


def explained(error: BaseException, connection: Connection) -> BaseException:
    """Lost or Unavailable if the connection failed; otherwise the error that the work raised."""
    if isinstance(error, TimeoutError):
        return Unavailable("the database did not answer in time; nothing was committed")
    if isinstance(error, asyncpg.ReadOnlySQLTransactionError):
        return Demoted("this server takes no writes; nothing was committed")
    lost = isinstance(error, asyncpg.InterfaceError) and connection.is_closed()
    if lost or isinstance(error, OSError | asyncpg.InternalClientError):
        return Lost("the connection was lost; nothing was committed")
    return error
