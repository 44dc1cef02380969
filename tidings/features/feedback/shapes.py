"""The feedback send result (2.7), as OpenAPI shows it. `present.py` builds it; a test compares."""

import msgspec
from msgspec import UNSET, UnsetType

from tidings.features.messages.model import Status
from tidings.features.messages.read.shapes import SendError


class FeedbackResult(msgspec.Struct, rename="camel"):
    """2.7; of a repeated request the status is the present one. `error`: why it failed."""

    send_id: str
    job_id: str
    form_id: str
    version: int
    to: str
    status: Status
    duplicate: bool
    error: SendError | UnsetType = UNSET
