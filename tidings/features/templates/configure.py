"""Make an account's templates those of the file, or those the platform lists (contract.md)."""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.features.accounts import changes

from . import store
from .model import Template


async def configure(tx: Tx, account_id: UUID, templates: Sequence[Template]) -> bool:
    """Write the templates, remove those not named; False when all was so already."""
    await changes.begin(tx)
    wanted = sorted(templates, key=lambda template: (template.name, template.language))
    existing = await store.load_all(tx, account_id)
    if wanted == sorted(existing, key=lambda template: (template.name, template.language)):
        return False
    await store.replace(tx, account_id, wanted)
    await changes.announce(tx, account_id)
    return True
