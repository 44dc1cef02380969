"""The passcode result (2.2), as OpenAPI shows it. `api.py` builds it; a test compares."""

import msgspec
from msgspec import UNSET, UnsetType

from tidings.features.messages.model import Reason, Status
from tidings.features.messages.read.shapes import SendError


class PasscodeResult(msgspec.Struct, rename="camel"):
    """2.2; `messageId` is null until the platform has taken the passcode."""

    client_message_id: str
    message_id: str | None
    status: Status
    sent_from: str | None
    duplicate: bool
    reason: Reason | UnsetType = UNSET
    retry_at: str | UnsetType | None = UNSET
    error: SendError | UnsetType = UNSET
