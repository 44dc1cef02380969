# mypy: disable-error-code="empty-body"
"""The sandbox: a guest's phone, the account's clock. Methods are declarations (endpoint.py)."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal

from ..endpoint import M, Resource, posts, reads
from ..generated.fields import ButtonBody, FormBody, MediaBody
from ..generated.models import (
    Clock,
    Conversation,
    InvoiceWithLines,
    NumberHealth,
    Replied,
    Triggered,
)

CLOCK_SECONDS = 90.0  # a call works for half a minute, and may wait 40 seconds for another


class Sandbox(Resource[M]):
    """`client.sandbox`: with the key of a sandbox account."""

    @reads("/sandbox/v1/clock")
    def clock(self) -> Clock:
        """Get the account's time, and how far it runs ahead."""

    @posts("/sandbox/v1/clock", least_seconds=CLOCK_SECONDS)
    def advance_clock(self, advance_seconds: int | timedelta) -> Clock:
        """Move the account's clock; what falls due on the way happens before this returns."""

    @reads("/sandbox/v1/phones/{number}")
    def phone(self, number: str) -> Conversation:
        """Get the conversation on a guest's phone, oldest first."""

    @posts("/sandbox/v1/replies")
    def reply(
        self,
        *,
        from_: str,
        to: str | None = None,
        text: str | None = None,
        button: ButtonBody | None = None,
        media: MediaBody | None = None,
        form: FormBody | None = None,
        stop: bool | None = None,
        quoted: str | None = None,
    ) -> Replied:
        """Answer as the guest: one of `text`, `button`, `media`, `form` and `stop`."""

    @posts("/sandbox/v1/webhooks")
    def trigger(self, type: str) -> Triggered:
        """Post an example of an event kind to the account's webhook URL."""

    @posts("/sandbox/v1/senders/{number}")
    def set_sender(
        self,
        number: str,
        *,
        quality: Literal["GREEN", "YELLOW", "RED"] | None = None,
        status: Literal["CONNECTED", "RESTRICTED"] | None = None,
    ) -> NumberHealth:
        """Change a number's quality or status, as the platform would."""

    @posts("/sandbox/v1/invoices/{number}/pay")
    def pay_invoice(self, number: str) -> InvoiceWithLines:
        """Pay an invoice."""
