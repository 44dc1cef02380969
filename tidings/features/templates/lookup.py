"""What other slices may ask of templates; remembered while nothing changes."""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.engine.db.versioned_cache import split

from .model import Template
from .passcodes import CATEGORY
from .store import load_all

KIND = "templates"


async def load_templates(
    tx: Tx, account_ids: Sequence[UUID]
) -> dict[UUID, dict[str, list[Template]]]:
    """All templates of these accounts: by account, by name, the language versions."""
    facts = tx.cache if tx.cache is not None else {}
    known, missing = split(facts, KIND, account_ids)
    for account_id in missing:
        by_name: dict[str, list[Template]] = {}
        for template in await load_all(tx, account_id):
            by_name.setdefault(template.name, []).append(template)
        known[account_id] = facts[KIND, account_id] = by_name
    return known


def has_passcodes(templates: dict[str, list[Template]]) -> bool:
    """Whether an account can send passcodes: it has an approved template for them."""
    return any(
        version.category == CATEGORY and version.usable
        for versions in templates.values()
        for version in versions
    )
