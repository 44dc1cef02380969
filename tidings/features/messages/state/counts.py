"""The metrics of messages: accepted, come to a status, and what the platform did not take.

Counted after the commit, so that what is rolled back (a dry run, a conflict) is not counted.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from prometheus_client import Counter as Metric

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.metrics import Metrics
from tidings.features.accounts.model import Account
from tidings.platforms import failures
from tidings.platforms.port import Failure

from ..model import Message

Labels = tuple[str, ...]
Reached = tuple[str, str, str]  # a status, and the message's kind and environment


def reached(message: Message, account: Account) -> Reached:
    return message.status, message.kind, account.environment


def count_statuses(ctx: Context, tx: Tx, changed: Iterable[Reached]) -> None:
    """`tidings_messages_total`: a status for each message that changed to it."""
    counts: Counter[Labels] = Counter(changed)
    if counts:
        tx.after_commit(lambda: _add(ctx.metrics.messages, counts))


def count_accepted(ctx: Context, tx: Tx, accepted: Iterable[tuple[str, str]]) -> None:
    """`tidings_messages_accepted_total`: by kind and environment."""
    counts: Counter[Labels] = Counter(accepted)
    tx.after_commit(lambda: _add(ctx.metrics.messages_accepted, counts))


def show_faults(metrics: Metrics) -> None:
    """As 0, before they happen: the alerts see an increase only between two values."""
    for source in ("dispatch", "status"):
        for one in failures.account_faults():
            metrics.platform_errors.labels("live", source, one.code, failures.known_code(one))
    metrics.dispatch_seconds.observe(0, ("live", "unknown"), count=0)


def count_platform_errors(ctx: Context, source: str, found: Iterable[tuple[str, Failure]]) -> None:
    """`tidings_platform_errors_total`, by environment and code. Codes that the platform has and
    docs/failures.md has not share one series: its numbers are not ours to bound."""
    _add(
        ctx.metrics.platform_errors,
        Counter(
            (environment, source, failure.code, failures.known_code(failure))
            for environment, failure in found
        ),
    )


def _add(metric: Metric, counts: Mapping[Labels, int]) -> None:
    for labels, number in counts.items():
        metric.labels(*labels).inc(number)
