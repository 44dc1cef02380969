"""The response of POST /feedback/send (2.7). Pure."""

import msgspec
from msgspec import UNSET, UnsetType

from tidings.features.messages.model import WAITING, Message, Status
from tidings.features.messages.read.responses import SendError, send_error

from ..forms import names
from ..model import Send


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


def send_result(send: Send, message: Message, *, duplicate: bool) -> FeedbackResult:
    """`queued` on acceptance, whatever it waits for; of a duplicate the current status."""
    status = message.status
    if not duplicate and (status in WAITING or status is Status.SENDING):
        status = Status.QUEUED
    return FeedbackResult(
        send_id=names.send_ref(send.id),
        job_id=names.job_ref(message.id),
        form_id=send.form_id,
        version=send.version,
        to=message.to,
        status=status,
        duplicate=duplicate,
        error=send_error(message),
    )
