"""How many forms were sent and answered; failed sends do not count."""

from collections import Counter
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.features.messages.read.lookup import find_refunded

from . import results_store

Counts = dict[tuple[str, int], tuple[int, int]]  # by form and version: sent, answered


async def load_counts(tx: Tx, account_id: UUID) -> Counts:
    counted = await results_store.count_sends(tx, account_id)
    unanswered = await results_store.load_unanswered(tx, account_id)
    refunded = await find_refunded(tx, account_id, [message for *_, message in unanswered])
    failed = Counter((form, version) for form, version, one in unanswered if one in refunded)
    return {key: (sent - failed[key], answered) for key, (sent, answered) in counted.items()}
