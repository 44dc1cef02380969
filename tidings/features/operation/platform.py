"""Read a live account's numbers and templates from the platform now, for a page or a command."""

from functools import partial

from tidings.engine.db.pool import Database
from tidings.features.accounts.model import Account
from tidings.features.audit.record import Actor, Entry, record
from tidings.features.templates.sync import Synced, sync_account
from tidings.platforms.whatsapp.client import Graph
from tidings.secrets import Sealer


async def sync_now(
    db: Database, graph: Graph, sealer: Sealer, actor: Actor, account: Account
) -> Synced | None:
    """None: it has nothing that can be read. What changed is audited; reading alone is not."""
    synced = await sync_account(db, graph, sealer, account.id)
    if synced is not None and (synced.numbers or synced.templates):
        entry = Entry(
            actor=actor,
            action="account.synced",
            subject=account.name,
            account_id=account.id,
            details={"numbers": synced.numbers, "templates": synced.templates},
        )
        await db.transact(partial(record, entry=entry))
    return synced
