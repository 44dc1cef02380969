"""Parse POST /feedback/send (4.6) into a `FormRequest`. Pure."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings import phone
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account
from tidings.features.messages.request.fields import AnyMessageId, Phone, require_id

from .. import rules

FORM_ID_CHARS_MAX = 128


class FeedbackBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """POST /feedback/send"""

    form_id: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=FORM_ID_CHARS_MAX,
            description="A form, or any version of it (`visit@2`); the latest published one goes.",
        ),
    ]
    to: Phone
    client_message_id: AnyMessageId | UnsetType = UNSET


class FormRequest(msgspec.Struct, frozen=True):
    """A request to send a form."""

    account_id: UUID
    form_id: str  # as named: `visit` or `visit@2`
    to: str
    client_message_id: str
    send_id: UUID  # of the send it becomes
    to_given: str | None = None  # as the caller wrote it, if that differs


def feedback(account: Account, body: FeedbackBody, send_id: UUID) -> FormRequest:
    to = phone.require(body.to)
    cid = body.client_message_id
    if cid is not UNSET:
        require_id(cid)
    if not body.form_id.strip():
        raise ApiError(Code.VALIDATION_ERROR, "formId must not be blank", field="formId")
    message_id = rules.default_message_id(send_id) if cid is UNSET else cid
    given = None if to == body.to else body.to
    return FormRequest(account.id, body.form_id, to, message_id, send_id, given)
