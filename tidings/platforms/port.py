"""The contract between Tidings and a messaging platform. Values only; no I/O, no clock.

Two implementations: `simulator.sandbox.Sandbox` (nobody's phone) and `whatsapp.adapter.WhatsApp`.
What the platform tells us later arrives as `Callback` values through the ingest lane.
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
    """One of the account's numbers, with what the platform needs to send from it."""

    number: str
    phone_number_id: str = ""
    waba_id: str = ""
    access_token: Secret | None = None


class Send(msgspec.Struct, frozen=True):
    """One message to hand over. `send_id` comes back in callbacks (biz_opaque_callback_data)."""

    send_id: str  # "<message uuid>.<generation>"
    account: str
    sender: Sender
    to: str
    content: Content
    client_message_id: str
    at: datetime  # the account's time
    attempt: int = 1  # hand-overs of this message so far, this one included
    created_at: datetime | None = None  # when the message was accepted
    expires_at: datetime | None = None  # of an invitation
    deadline: datetime | None = None  # the account's time: never handed over from then on
    is_prompt: bool = False  # a text of our own to a guest: simulated guests leave it at that


class FailureKind(StrEnum):
    """What a platform error code asks of us (contract.md, Sending)."""

    REFUSED = "refused"  # permanent for this message: failed, refunded
    RECIPIENT = "recipient"  # permanent for this recipient: failed, refunded
    NUMBER_LIMIT = "number_limit"  # throttled: deferred, paced down
    ACCOUNT_LIMIT = "account_limit"  # throttled: deferred
    UNAVAILABLE = "unavailable"  # the platform is down: deferred, tried again
    ACCOUNT_FAULT = "account_fault"  # the number's or account's own fault: its queue waits


@dataclass(frozen=True, slots=True)
class Failure:
    """A platform error in words a customer can act on."""

    code: str  # ours: the machine word, e.g. "RECIPIENT_UNREACHABLE"
    platform_code: int | None
    kind: FailureKind
    explanation: str
    action: str


class Accepted(msgspec.Struct, frozen=True):
    """The platform took the message; it is `sent` for us (contract.md)."""

    platform_id: str


class Rejected(msgspec.Struct, frozen=True):
    """The platform said no, or could not be reached before a byte was written."""

    failure: Failure
    retry_after: timedelta | None = None  # what the platform asked for, if it did


class UnknownOutcome(msgspec.Struct, frozen=True):
    """Bytes went out and no answer came: the outcome is unknown. Never a blind retry."""


class DeadlineExceeded(msgspec.Struct, frozen=True):
    """Its deadline passed on the way (a file was still to be uploaded): nothing was written."""


class AccountInactive(msgspec.Struct, frozen=True):
    """The account was paused or disabled after the message was claimed: nothing was written."""


DispatchOutcome = Accepted | Rejected | UnknownOutcome | DeadlineExceeded | AccountInactive


class StatusKind(StrEnum):
    SENT = "sent"
    DELIVERED = "delivered"
    READ = "read"
    FAILED = "failed"


class StatusUpdate(msgspec.Struct, frozen=True):
    """A callback about one of our messages."""

    platform_id: str
    send_id: str | None  # biz_opaque_callback_data, when it came
    status: StatusKind
    at: datetime
    recipient: str = ""
    failure: Failure | None = None  # with FAILED


class InboundMessage(msgspec.Struct, frozen=True):
    """A callback that brings what a guest sent us."""

    platform_id: str
    sender: str  # our number it was sent to
    from_: str  # the guest's number ("" when the platform gave only `user_id`)
    at: datetime
    type: (
        str  # text, button, interactive, image, document, audio, reaction, ... as the platform says
    )
    raw: bytes  # the platform's message, verbatim JSON
    text: str | None = None
    payload: str | None = None  # of a button
    quoted: str | None = None  # platform id of the message it answers
    media_id: str | None = None
    media_type: str | None = None
    form: str | None = None  # response_json of a flow, a JSON string as it came
    user_id: str | None = None  # BSUID


Callback = StatusUpdate | InboundMessage


class ScheduledCallback(msgspec.Struct, frozen=True):
    """A callback that the simulator will make `after` the send, in the account's time."""

    after: timedelta
    callback: Callback


class DispatchResult(msgspec.Struct, frozen=True):
    """The result of one send. Only the simulator plans callbacks; a real platform calls back."""

    outcome: DispatchOutcome
    callbacks: tuple[ScheduledCallback, ...] = ()
    at: datetime | None = None  # the platform's own word on when; None: when it answered


class Platform(Protocol):
    async def send(self, sends: Sequence[Send]) -> list[DispatchResult]:
        """Hand over each message once, with no automatic retry; answers in the same order."""
        ...


class FileUnavailable(Exception):
    """A file of ours cannot be had now. The same call may do later."""


class FileMissing(Exception):
    """A file of ours is gone for good."""


class Files(Protocol):
    """What a platform needs of the files in messages: their bytes, and where it has them already.

    `account` is `Send.account`, `media` the id of a `content.MediaRef`. Every method may raise
    FileUnavailable.
    """

    async def read(self, account: str, media: str) -> bytes:
        """Raises FileMissing as well."""
        ...

    async def find_upload(self, account: str, media: str, phone_number_id: str) -> str | None:
        """The platform's id of a file that was uploaded to this place and can still be sent."""
        ...

    async def save_upload(
        self, account: str, media: str, phone_number_id: str, platform_id: str
    ) -> None: ...

    async def delete_upload(self, account: str, media: str, phone_number_id: str) -> None:
        """The platform does not know it any more."""
        ...
