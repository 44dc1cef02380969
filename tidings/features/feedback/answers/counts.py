"""How many forms were sent and answered; failed sends do not count."""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx

from . import results_store

Counts = dict[tuple[str, int], tuple[int, int]]  # by form and version: sent, answered


async def load_counts(tx: Tx, account_id: UUID) -> Counts:
    return await results_store.load_counts(tx, account_id)


async def load_counts_of(
    tx: Tx, account_id: UUID, form_ids: Sequence[str]
) -> dict[str, tuple[int, int]]:
    """By form, all its versions together."""
    found: dict[str, tuple[int, int]] = {}
    of_versions = await results_store.load_counts(tx, account_id, form_ids)
    for (form_id, _), (sent, answered) in of_versions.items():
        before = found.get(form_id, (0, 0))
        found[form_id] = before[0] + sent, before[1] + answered
    return found
