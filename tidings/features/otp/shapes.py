"""The passcode result (2.2), as OpenAPI shows it. `api.py` builds it; a test compares."""

import msgspec
from msgspec import UNSET, UnsetType

from tidings.features.messages.model import Reason
from tidings.features.messages.shapes import SendError
from tidings.features.messages.states import Status


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
