"""The account's templates, for other slices; cached while nothing changes. `configure` replaces
them with those of the file, or those the platform lists (contract.md)."""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.features.accounts import changes

from . import store
from .model import Template
from .passcodes import CATEGORY

KIND = "templates"


async def load_templates(
    tx: Tx, account_ids: Sequence[UUID]
) -> dict[UUID, dict[str, list[Template]]]:
    """All templates of these accounts: by account, by name, the language versions."""
    return await tx.cache.load(KIND, account_ids, lambda missing: _load(tx, missing))


async def _load(tx: Tx, account_ids: Sequence[UUID]) -> dict[UUID, dict[str, list[Template]]]:
    found: dict[UUID, dict[str, list[Template]]] = {}
    for account_id, templates in (await store.load_of_accounts(tx, account_ids)).items():
        by_name = found[account_id] = {}
        for template in templates:
            by_name.setdefault(template.name, []).append(template)
    return found


def has_passcodes(templates: dict[str, list[Template]]) -> bool:
    """Whether an account can send passcodes: it has an approved template for them."""
    return any(
        version.category == CATEGORY and version.usable
        for versions in templates.values()
        for version in versions
    )


async def configure(tx: Tx, account_id: UUID, templates: Sequence[Template]) -> bool:
    """Write the templates and remove all others. False: nothing changed."""
    await changes.begin(tx, [account_id])
    declared = sorted(templates, key=lambda template: (template.name, template.language))
    existing = await store.load_all(tx, account_id)
    if declared == sorted(existing, key=lambda template: (template.name, template.language)):
        return False
    await store.replace(tx, account_id, declared)
    await changes.announce(tx, account_id)
    return True
