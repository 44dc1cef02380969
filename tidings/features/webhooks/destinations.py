"""The destination of a webhook as a partition key of the queue. Pure.

The account's own URL is one destination; each other host and port that its registered events lead
to is another one, however many events lead there. So a dead host delays only its own webhooks.
"""

from dataclasses import replace
from functools import lru_cache

from yarl import URL

from tidings import limits
from tidings.engine.queue import PartitionLimits

DEFAULT = "default"  # the host of the account's own URL
RESEND = "resend"  # not a destination: jobs that queue failed webhooks again

DEFAULT_LIMITS = PartitionLimits(
    total=limits.WEBHOOK_SLOTS,
    unproven=limits.WEBHOOK_SLOTS_UNPROVEN,
    throttled=limits.WEBHOOK_SLOTS_THROTTLED,
    per_account=limits.WEBHOOK_SLOTS_PER_ACCOUNT,
    initial=limits.WEBHOOK_SLOTS_PER_DESTINATION,
    maximum=limits.WEBHOOK_SLOTS_PER_DESTINATION_MAX,
    per_unresponsive_host=limits.WEBHOOK_SLOTS_PER_UNRESPONSIVE_HOST,
    failures_to_throttle=limits.WEBHOOK_FAILURES_TO_THROTTLE,
    fast=limits.WEBHOOK_FAST_RESPONSE,
    prefetch=limits.WEBHOOK_PREFETCH,
    prefetch_per_slot=limits.WEBHOOK_PREFETCH_PER_SLOT,
)


def limits_of(total: int) -> PartitionLimits:
    """For so many posts at once, in the same proportions."""
    part = total / limits.WEBHOOK_SLOTS
    return replace(
        DEFAULT_LIMITS,
        total=total,
        unproven=int(part * limits.WEBHOOK_SLOTS_UNPROVEN),
        throttled=int(part * limits.WEBHOOK_SLOTS_THROTTLED),
        per_account=int(part * limits.WEBHOOK_SLOTS_PER_ACCOUNT),
    )


@lru_cache(maxsize=4096)
def authority(url: str) -> str:
    """The host and port of a URL."""
    parsed = URL(url, encoded=True)
    return f"{parsed.raw_host}:{parsed.port}"


def partition_key(account_url: str | None, url: str | None) -> str:
    """The destination of `url`, in an account whose own URL is `account_url`."""
    if url is None or url == account_url:
        return DEFAULT
    host = authority(url)
    if account_url is not None and host == authority(account_url):
        return DEFAULT
    return host
