# mypy: disable-error-code="empty-body"
"""Links, recipients and templates. Methods are declarations (endpoint.py)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..endpoint import M, Resource, deletes, lists, posts, reads
from ..generated.fields import Time
from ..generated.models import (
    CheckedNumbers,
    CheckedOptOuts,
    Link,
    LinkOpens,
    OptOut,
    RemovedOptOut,
    TemplateShape,
)


class Links(Resource[M]):
    """`client.links`: redirects that count opens."""

    @posts("/api/v1/links")
    def create(
        self,
        *,
        url: str,
        event_id: str | None = None,
        client_message_id: str | None = None,
        expires_at: Time | None = None,
    ) -> Link:
        """Create a link on the service's domain that leads to `url`."""

    @reads("/api/v1/links/{code}")
    def get(self, code: str) -> LinkOpens:
        """Get how often a link was opened."""

    @lists("/api/v1/links")
    def list(
        self,
        *,
        event_id: str | None = None,
        since: Time | None = None,
        until: Time | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Iterable[LinkOpens]:
        """List links, newest first."""


class Numbers(Resource[M]):
    """`client.numbers`"""

    @posts("/api/v1/numbers/check", is_repeatable=True)
    def check(self, numbers: Sequence[str]) -> CheckedNumbers:
        """Check which numbers a message was delivered to before."""


class OptOuts(Resource[M]):
    """`client.optouts`"""

    @posts("/api/v1/optouts/check", is_repeatable=True)
    def check(self, numbers: Sequence[str]) -> CheckedOptOuts:
        """Check who asked to stop the account's messages."""

    @lists("/api/v1/optouts")
    def list(self, *, limit: int | None = None, cursor: str | None = None) -> Iterable[OptOut]:
        """List opt-outs, newest first."""

    @deletes("/api/v1/optouts/{phone_number}")
    def delete(self, phone_number: str) -> RemovedOptOut:
        """Remove an opt-out; only at the request of the number's owner."""


class Templates(Resource[M]):
    """`client.templates`"""

    @lists("/api/v1/templates")
    def list(
        self, *, limit: int | None = None, cursor: str | None = None
    ) -> Iterable[TemplateShape]:
        """List templates, and whether each can be used now."""
