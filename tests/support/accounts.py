"""Accounts in a fresh database, made as `tidings apply` makes them."""

from contextlib import asynccontextmanager

from tests.support.clock import ManualClock
from tests.support.database import fresh_database
from tidings.account_file.apply import apply_declaration
from tidings.account_file.plan import Removal
from tidings.account_file.read import read_file
from tidings.engine.db.pool import Database
from tidings.features.accounts.configure import configure
from tidings.features.accounts.model import AccountSpec
from tidings.secrets import Sealer

SEALER = Sealer(bytes(32))
ACME = AccountSpec(name="acme", environment="sandbox")


@asynccontextmanager
async def database(clock=None):
    db = await Database.open(fresh_database(), clock or ManualClock(), size=3)
    try:
        yield db
    finally:
        await db.close()


async def make(db, spec=ACME):
    return await db.transact(lambda tx: configure(tx, SEALER, spec))


async def apply(db, text, env=None, *, removal=Removal.PRUNE):
    return (await apply_whole(db, text, env, removal=removal)).accounts


async def apply_whole(db, text, env=None, *, removal=Removal.REFUSE):
    """As `tidings apply` does it, with what it says of the changes."""
    declaration = read_file(text, env or {}, allow_private=False)
    return await db.transact(lambda tx: apply_declaration(tx, SEALER, declaration, removal))
