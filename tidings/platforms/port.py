"""The interface between Tidings and a messaging platform. Values only; no I/O, no clock.

Two implementations: `sandbox.platform.Sandbox` and `whatsapp.adapter.WhatsApp`. Statuses and
inbound messages arrive later as `Callback` values through the ingest lane.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol

import msgspec

from tidings.platforms.content import Content
from tidings.secrets import Secret


class Sender(msgspec.Struct, frozen=True):
    """One of the account's numbers, with the credentials to send from it."""

    number: str
    phone_number_id: str = ""
    waba_id: str = ""
    access_token: Secret | None = None


class Send(msgspec.Struct, frozen=True):
    """One message to send. Callbacks return `send_id` (biz_opaque_callback_data)."""

    send_id: str  # features/messages/send/send_ids.py
    account: str
    sender: Sender
    to: str
    content: Content
    client_message_id: str
    at: datetime  # now, by the account's clock
    attempt: int = 1  # number of this attempt, from 1
    created_at: datetime | None = None  # when the message was accepted
    expires_at: datetime | None = None  # of an invitation
    deadline: datetime | None = None  # by the account's clock: not sent at or after it
    is_prompt: bool = False  # an automatic text to a guest: simulated guests do not reply to it


class FailureKind(StrEnum):
    """How we handle a platform error code (contract.md, Sending)."""

    REFUSED = "refused"  # permanent for this message: failed, refunded
    RECIPIENT = "recipient"  # permanent for this recipient: failed, refunded
    NUMBER_LIMIT = "number_limit"  # throttled: deferred, and the number's rate is reduced
    ACCOUNT_LIMIT = "account_limit"  # throttled: deferred
    UNAVAILABLE = "unavailable"  # the platform is down: deferred and retried
    ACCOUNT_FAULT = "account_fault"  # a fault of the number or account: its messages wait


@dataclass(frozen=True, slots=True)
class Failure:
    """A platform error in terms a customer can act on."""

    code: str  # ours, for example "RECIPIENT_UNREACHABLE"
    platform_code: int | None
    kind: FailureKind
    explanation: str
    action: str


class Accepted(msgspec.Struct, frozen=True):
    """The platform accepted the message: it is `sent` (contract.md)."""

    platform_id: str


class Rejected(msgspec.Struct, frozen=True):
    """The platform responded with an error, or was unreachable before a byte was written."""

    failure: Failure
    retry_after: timedelta | None = None  # if the platform asked for a delay


class UnknownOutcome(msgspec.Struct, frozen=True):
    """Bytes were written and no response came. The message must not simply be retried."""


class DeadlineExceeded(msgspec.Struct, frozen=True):
    """The deadline passed before the call, for example during an upload: nothing was sent."""


class AccountInactive(msgspec.Struct, frozen=True):
    """The account was paused or disabled after the message was claimed: nothing was sent."""


DispatchOutcome = Accepted | Rejected | UnknownOutcome | DeadlineExceeded | AccountInactive


class StatusKind(StrEnum):
    SENT = "sent"
    DELIVERED = "delivered"
    READ = "read"
    FAILED = "failed"


class StatusUpdate(msgspec.Struct, frozen=True):
    """A status of one of our messages."""

    platform_id: str
    send_id: str | None  # biz_opaque_callback_data, if present
    status: StatusKind
    at: datetime
    recipient: str = ""
    failure: Failure | None = None  # with FAILED


class InboundMessage(msgspec.Struct, frozen=True):
    """A message from a guest."""

    platform_id: str
    sender: str  # our number it was sent to
    from_: str  # the guest's number; "" if the platform sent only `user_id`
    at: datetime
    type: str  # the platform's: text, button, interactive, image, document, audio, reaction, ...
    raw: bytes  # the platform's message, verbatim JSON
    text: str | None = None
    payload: str | None = None  # of a button
    quoted: str | None = None  # platform id of the message it replies to
    media_id: str | None = None
    media_type: str | None = None
    form: str | None = None  # response_json of a flow, a JSON string as received
    user_id: str | None = None  # BSUID


Callback = StatusUpdate | InboundMessage


class ScheduledCallback(msgspec.Struct, frozen=True):
    """A callback that the sandbox makes `after` the send, by the account's clock."""

    after: timedelta
    callback: Callback


class DispatchResult(msgspec.Struct, frozen=True):
    """The result of one send. Only the sandbox schedules callbacks; a live platform posts them."""

    outcome: DispatchOutcome
    callbacks: tuple[ScheduledCallback, ...] = ()
    at: datetime | None = None  # when the platform processed it; None: when it responded


class Platform(Protocol):
    async def send(self, sends: Sequence[Send]) -> list[DispatchResult]:
        """Send each message once, without retries; results in the same order."""
        ...


class FileUnavailable(Exception):
    """A file cannot be read now. The call may be retried."""


class FileMissing(Exception):
    """A file no longer exists."""


class Files(Protocol):
    """Files of messages: their bytes, and the ids under which the platform already has them.

    `account` is `Send.account`, `media` the id of a `content.MediaRef`. Every method may raise
    FileUnavailable.
    """

    async def read(self, account: str, media: str) -> bytes:
        """Raises FileMissing as well."""
        ...

    async def find_upload(self, account: str, media: str, phone_number_id: str) -> str | None:
        """The platform's id of a file that was uploaded for this number and has not expired."""
        ...

    async def save_upload(
        self, account: str, media: str, phone_number_id: str, platform_id: str
    ) -> None: ...

    async def delete_upload(self, account: str, media: str, phone_number_id: str) -> None:
        """The platform no longer knows the file."""
        ...
