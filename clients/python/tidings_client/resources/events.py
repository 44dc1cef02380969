# mypy: disable-error-code="empty-body"
"""Events, their guests and answers; feedback forms. Methods are declarations (endpoint.py)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal
from urllib.parse import parse_qsl, unquote, urlsplit

from ..endpoint import Arguments, M, Resource, lists, posts, reads, sends
from ..generated.fields import DefaultsBody, TextsBody, Time
from ..generated.models import (
    EventShape,
    FeedbackResult,
    FormResults,
    FormSummary,
    GuestShape,
    RegisteredEvent,
)

GuestState = Literal[
    "invited",
    "delivered",
    "confirmed",
    "declined",
    "unclear",
    "unresolved",
    "expired",
    "failed",
    "opted_out",
]


class Events(Resource[M]):
    """`client.events`: what guests are invited to."""

    @posts("/api/v1/events", is_repeatable=True)
    def create(
        self,
        *,
        event_id: str,
        event_date: Time,
        callback_url: str,
        texts: TextsBody,
        defaults: DefaultsBody | None = None,
        confirm_locked_change: bool | None = None,
    ) -> RegisteredEvent:
        """Register an event, or change one that has this id."""

    @reads("/api/v1/events/{event_id}")
    def get(self, event_id: str) -> EventShape:
        """Get an event with its counts of answers."""

    @lists("/api/v1/events")
    def list(self, *, limit: int | None = None, cursor: str | None = None) -> Iterable[EventShape]:
        """List events, newest first."""

    @lists("/api/v1/events/{event_id}/guests")
    def guests(
        self,
        event_id: str,
        *,
        state: GuestState | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Iterable[GuestShape]:
        """List the guests of an event with their answers."""

    @posts("/api/v1/events/{event_id}/guests/{to}/answer")
    def answer(
        self, event_id: str, to: str, *, answer: Literal["yes", "no"], guests: int | None = None
    ) -> GuestShape:
        """Settle a guest's answer by hand."""


class Feedback(Resource[M]):
    """`client.feedback`"""

    @sends("/api/v1/feedback/send")
    def send(
        self, *, form_id: str, to: str, client_message_id: str | None = None
    ) -> FeedbackResult:
        """Send a feedback form."""


class Forms(Resource[M]):
    """`client.forms`"""

    @lists("/api/v1/forms")
    def list(self, *, limit: int | None = None, cursor: str | None = None) -> Iterable[FormSummary]:
        """List the account's feedback forms."""

    @reads("/api/v1/forms/{form_id}/results")
    def results(self, form_id: str) -> FormResults:
        """Get the answers to a form: counts, averages and comments."""


def _from_link(given: Arguments) -> Arguments:
    """The `media_url` of an event: its last part is the id, its query the signature."""
    link = urlsplit(given["platform_message_id"])
    if link.scheme not in ("http", "https"):
        return given
    return {**dict(parse_qsl(link.query)), "platform_message_id": unquote(link.path.split("/")[-1])}


class Media(Resource[M]):
    """`client.media`"""

    @reads("/api/v1/media/inbound/{platform_message_id}", prepare=_from_link, has_key=False)
    def inbound(
        self,
        platform_message_id: str,
        *,
        a: str | None = None,
        e: str | None = None,
        s: str | None = None,
    ) -> bytes:
        """Download a file that a guest sent: give `media_url` of the event, which is signed."""
