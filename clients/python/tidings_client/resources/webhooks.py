# mypy: disable-error-code="empty-body"
"""Webhooks that failed, and the catch-up feed. Methods are declarations (endpoint.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .. import webhooks
from ..endpoint import M, Resource, feeds, lists, posts
from ..generated.fields import Time
from ..generated.models import Diagnosis, FailedWebhook, FeedEntry, Retried, RetriedMany


class Webhooks(Resource[M]):
    """`client.webhooks`"""

    verify = staticmethod(webhooks.verify)
    parse = staticmethod(webhooks.parse)

    @lists("/api/v1/webhooks/failed")
    def failed(
        self, *, since: Time | None = None, limit: int | None = None, cursor: str | None = None
    ) -> Iterable[FailedWebhook]:
        """List events whose six attempts were exhausted, newest first."""

    @posts("/api/v1/webhooks/failed/{webhook_id}/retry")
    def retry(self, webhook_id: str) -> Retried:
        """Post a failed event again: the same id, six new attempts."""

    @posts("/api/v1/webhooks/failed/retry")
    def retry_since(self, since: Time) -> RetriedMany:
        """Post all events again that failed since a time, up to 1,000 of them."""

    @feeds("/api/v1/webhooks/events")
    def events(
        self, *, after: str | None = None, limit: int | None = None, wait: int | None = None
    ) -> Iterable[FeedEntry]:
        """List every event of the last 30 days, oldest first, from the one after `after`.

        `wait` is how many seconds to wait where there is nothing yet. `parse(entry.payload)` is
        the typed event.
        """

    @posts("/api/v1/webhooks/verify", is_repeatable=True)
    def check_signature(
        self,
        *,
        headers: Mapping[str, str],
        body: str,
        secret: str | None = None,
        computed: str | None = None,
    ) -> Diagnosis:
        """Ask the service what is right or wrong with a post's signature."""
