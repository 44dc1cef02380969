# mypy: disable-error-code="empty-body"
"""Sending messages, and what became of them. Methods are declarations (endpoint.py)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypedDict

from ..endpoint import Arguments, M, Resource, lists, posts, previews, reads, sends, with_id
from ..generated.fields import TextBody, Time
from ..generated.models import (
    BatchStatus,
    BulkResult,
    Cancelled,
    MessageItem,
    MessageStatus,
    PasscodeResult,
    Preview,
    SendResult,
    Upload,
)

FromPolicy = Literal["prefer", "strict", "auto"]


class ReplyButton(TypedDict):
    """A button whose `id` comes back when the guest presses it."""

    id: str
    text: str


class UrlButton(TypedDict):
    """A button that leads somewhere."""

    text: str
    url: str


def _with_content(given: Arguments) -> Arguments:
    """A file as base64, and its name where it has one."""
    file = given.pop("file")
    if isinstance(file, (str, Path)):
        given.setdefault("filename", Path(file).name)
        file = Path(file).read_bytes()
    content = file if isinstance(file, (bytes, bytearray)) else file.read()
    return {"media_base64": b64encode(content).decode(), **given}


def _with_ids(given: Arguments) -> Arguments:
    return {**given, "messages": [with_id(_stated(message)) for message in given["messages"]]}


def _stated(message: Mapping[str, Any]) -> Arguments:
    """None is absent here too; a message whose id is null would have none."""
    return {
        "client_message_id" if name == "clientMessageId" else name: value
        for name, value in message.items()
        if value is not None
    }


class Messages(Resource[M]):
    """`client.messages`

    A method that sends takes `client_message_id`, your id of the message: a repeated one within 48
    hours answers the original result, and sends nothing. Where you give none the client makes one
    and keeps it over its retries; the result has it.
    """

    @sends("/api/v1/messages/text")
    def send_text(
        self,
        *,
        to: str,
        client_message_id: str | None = None,
        template_name: str | None = None,
        template_lang: str | None = None,
        template_params: Sequence[str] | None = None,
        message: str | None = None,
        kind: Literal["notification", "invitation"] | None = None,
        event_id: str | None = None,
        expires_at: Time | None = None,
        scheduled_for: Time | None = None,
        deadline: Time | None = None,
        media_base64: str | None = None,
        media_id: str | None = None,
        type: Literal["image", "document"] | None = None,
        sent_from: str | None = None,
        from_policy: FromPolicy | None = None,
        meta: Mapping[str, Any] | None = None,
        button_url: str | None = None,
        button_payloads: Sequence[str] | None = None,
    ) -> SendResult:
        """Send a template, or free text (`message`) within 24 hours of the guest's last message."""

    preview_text = previews(send_text, Preview)

    @sends("/api/v1/messages/rich")
    def send_rich(
        self,
        *,
        to: str,
        message: str,
        buttons: Sequence[ReplyButton | UrlButton],
        client_message_id: str | None = None,
        header_image: str | None = None,
        title: str | None = None,
        footer: str | None = None,
        template_name: str | None = None,
        template_lang: str | None = None,
        template_params: Sequence[str] | None = None,
    ) -> SendResult:
        """Send text with up to three reply buttons, or one that leads to a URL."""

    preview_rich = previews(send_rich, Preview)

    @sends("/api/v1/messages/otp")
    def send_otp(
        self,
        *,
        to: str,
        code: str,
        client_message_id: str | None = None,
        ttl_seconds: int | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> PasscodeResult:
        """Send a one-time passcode. It is sent within its time (600 seconds) or never."""

    @sends("/api/v1/messages/bulk", prepare=_with_ids)
    def send_bulk(
        self,
        *,
        messages: Sequence[TextBody],
        batch_name: str | None = None,
        event_id: str | None = None,
        from_policy: FromPolicy | None = None,
    ) -> BulkResult:
        """Send a batch: each message is a dict of the arguments of `send_text`.

        Where the client had to try again because the first response was lost, the messages are
        `duplicates` of the first request: none is sent twice. The `batch_id` is then that of an
        empty batch; `messages.get(id).batch_id` of a duplicate is the one to watch or cancel.
        """

    preview_bulk = previews(send_bulk, BulkResult)

    @posts("/api/v1/messages/upload", prepare=_with_content, is_repeatable=True)
    def upload(
        self,
        file: str | Path | bytes | BinaryIO,
        *,
        mimetype: str | None = None,
        filename: str | None = None,
    ) -> Upload:
        """Upload a picture or PDF for later messages: a path, bytes, or an open file."""

    @reads("/api/v1/messages/{client_message_id}")
    def get(self, client_message_id: str) -> MessageStatus:
        """Get the status of a message: its timeline, attempts, error, and why it waits."""

    @lists("/api/v1/messages")
    def list(
        self,
        *,
        to: str | None = None,
        status: str | Sequence[str] | None = None,
        kind: Literal["notification", "invitation", "otp", "feedback", "prompt"] | None = None,
        event_id: str | None = None,
        batch_id: str | None = None,
        since: Time | None = None,
        until: Time | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Iterable[MessageItem]:
        """List messages, newest first. `limit` is the size of a page."""


class Batches(Resource[M]):
    """`client.batches`"""

    @reads("/api/v1/batches/{batch_id}")
    def get(self, batch_id: str) -> BatchStatus:
        """Get how far a batch has come."""

    @lists("/api/v1/batches")
    def list(self, *, limit: int | None = None, cursor: str | None = None) -> Iterable[BatchStatus]:
        """List batches, newest first."""

    @posts("/api/v1/batches/{batch_id}/cancel", is_repeatable=True)
    def cancel(self, batch_id: str) -> Cancelled:
        """Cancel what has not been sent, and refund it."""
