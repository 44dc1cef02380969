"""`tidings_messages_total`: the statuses that messages came to, counted once that is committed."""

from collections import Counter
from collections.abc import Iterable

from tidings.context import Context
from tidings.engine.db.tx import Tx

from .states import Status


def count(ctx: Context, tx: Tx, came_to: Iterable[Status]) -> None:
    """A status for each message that changed to it: sent, delivered, read, failed and so on."""
    counts = Counter(came_to)
    if counts:
        tx.after_commit(lambda: _add(ctx, counts))


def _add(ctx: Context, counts: Counter[Status]) -> None:
    for status, number in counts.items():
        ctx.metrics.messages.labels(status.value).inc(number)
