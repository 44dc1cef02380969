"""The database as a command uses it: opened, migrated or checked, and closed again."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from difflib import get_close_matches
from typing import TypeVar

from tidings.clock import DatabaseClock
from tidings.engine.db.embedded.server import EmbeddedServer
from tidings.engine.db.migrate import migrate
from tidings.engine.db.pool import Database
from tidings.engine.db.pooler import Address
from tidings.engine.db.schema.upgrade import load_left
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import find_account, load_all_accounts
from tidings.features.accounts.model import Account
from tidings.settings import Settings

from .output import Refused, visible
from .runner import load_settings, run

EMBEDDED_FOLDER = "postgres"
CONNECTIONS = 2

T = TypeVar("T")


def transact(work: Callable[[Tx], Awaitable[T]]) -> T:
    """Do a command's work in one transaction."""
    settings = load_settings()

    async def open_and_transact() -> T:
        async with opened(settings) as db:
            return await db.transact(work)

    return run(open_and_transact())


def transact_for(name: str, work: Callable[[Tx, Account], Awaitable[T]]) -> T:
    """Do a command's work in one transaction, on the account of this name."""

    async def with_account(tx: Tx) -> T:
        return await work(tx, await load_account(tx, name))

    return transact(with_account)


async def load_account(tx: Tx, name: str) -> Account:
    account = await find_account(tx, name)
    if account is None:
        names = [one.name for one in await load_all_accounts(tx)]
        near = get_close_matches(name, names, 1)
        hint = f'Did you mean "{near[0]}"?' if near else "tidings accounts list shows them."
        raise Refused(visible(f'There is no account "{name}". {hint}'))
    return account


@asynccontextmanager
async def opened(settings: Settings, *, migrating: bool = False) -> AsyncIterator[Database]:
    """The database, migrated first where `migrating`, otherwise refused when out of date."""
    async with connected(settings, create=migrating) as db:
        if migrating:
            await migrate(db)
        else:
            await _require_up_to_date(db)
        yield db


@asynccontextmanager
async def connected(settings: Settings, *, create: bool) -> AsyncIterator[Database]:
    """TIDINGS_DATABASE_URL, or the embedded server, which a running `serve` shares with us."""
    async with AsyncExitStack() as stack:
        target: Address | str | EmbeddedServer | None = address(settings)
        if target is None:
            target = await _start_embedded(settings, create=create)
            stack.push_async_callback(target.stop)
        db = await Database.open(target, DatabaseClock(), CONNECTIONS)
        stack.push_async_callback(db.close)
        yield db


def address(settings: Settings) -> Address | str | None:
    """Where the database is; None: it is the embedded one."""
    url, direct = settings.database_url, settings.direct_database_url
    if direct is None:
        return url
    if url is None:
        raise Refused(
            "TIDINGS_DIRECT_DATABASE_URL is set without TIDINGS_DATABASE_URL, which is the pooler's"
            " address."
        )
    return Address({"dsn": direct}, {"dsn": url})


def is_missing(settings: Settings) -> bool:
    """Whether the embedded database does not exist yet."""
    return settings.database_url is None and not (settings.data / EMBEDDED_FOLDER).exists()


async def _start_embedded(settings: Settings, *, create: bool) -> EmbeddedServer:
    if not create and is_missing(settings):
        raise Refused(
            f"There is no database in {settings.data} yet: tidings serve, apply or migrate creates "
            "one. Is TIDINGS_DATA right?"
        )
    folder = settings.data / EMBEDDED_FOLDER
    return await EmbeddedServer.start(folder, account=settings.postgres_user)


async def _require_up_to_date(db: Database) -> None:
    left = await load_left(db)
    pending = [one for one in left.pending if not one.head.can_wait]
    if pending:
        of = len(left.pending) + len(left.applied)
        raise Refused(
            f"The database is not up to date ({len(pending)} of {of} migrations are missing); run "
            "tidings migrate first."
        )
