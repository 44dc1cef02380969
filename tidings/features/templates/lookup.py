"""The account's templates, for other slices; cached while nothing changes. `configure` replaces
them with those of the file, or those the platform lists (contract.md)."""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.engine.db.versioned_cache import split
from tidings.features.accounts import changes

from . import store
from .model import Template
from .passcodes import CATEGORY
from .store import load_all

KIND = "templates"


async def load_templates(
    tx: Tx, account_ids: Sequence[UUID]
) -> dict[UUID, dict[str, list[Template]]]:
    """All templates of these accounts: by account, by name, the language versions."""
    cache = tx.cache if tx.cache is not None else {}
    known, missing = split(cache, KIND, account_ids)
    for account_id in missing:
        by_name: dict[str, list[Template]] = {}
        for template in await load_all(tx, account_id):
            by_name.setdefault(template.name, []).append(template)
        known[account_id] = cache[KIND, account_id] = by_name
    return known


def has_passcodes(templates: dict[str, list[Template]]) -> bool:
    """Whether an account can send passcodes: it has an approved template for them."""
    return any(
        version.category == CATEGORY and version.usable
        for versions in templates.values()
        for version in versions
    )


async def configure(tx: Tx, account_id: UUID, templates: Sequence[Template]) -> bool:
    """Write the templates and remove all others. False: nothing changed."""
    await changes.begin(tx)
    declared = sorted(templates, key=lambda template: (template.name, template.language))
    existing = await store.load_all(tx, account_id)
    if declared == sorted(existing, key=lambda template: (template.name, template.language)):
        return False
    await store.replace(tx, account_id, declared)
    await changes.announce(tx, account_id)
    return True
