"""Parse the body of POST /messages/otp (4.2) into a `MessageRequest`. Pure.

Error messages quote no value of the body: a caller may have put the code into another field.
"""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings import limits, phone
from tidings.features.accounts.model import Account
from tidings.features.messages.model import MessageKind, MessageRequest, TemplateRequest
from tidings.features.messages.request.fields import (
    AnyMessageId,
    MetaObject,
    Phone,
    given,
    meta,
    require_id,
)
from tidings.secrets import Secret

from . import rules

UNTOLD = {"secret": True}

PasscodeText = Annotated[
    str,
    Meta(
        description="The passcode: no spaces, invisible characters or links. Erased once sent.",
        extra=UNTOLD,
        extra_json_schema={
            "minLength": limits.OTP_CODE_CHARS.low,
            "maxLength": limits.OTP_CODE_CHARS.high,
            "writeOnly": True,
        },
    ),
]
TtlSeconds = Annotated[
    int,
    Meta(
        ge=limits.OTP_TTL_SECONDS.low,
        le=limits.OTP_TTL_SECONDS.high,
        description="Not sent within this time, the passcode expires and is never sent late.",
        extra=UNTOLD,
        extra_json_schema={"default": int(limits.OTP_TTL_DEFAULT.total_seconds())},
    ),
]


class OtpBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """POST /messages/otp"""

    to: Annotated[Phone, Meta(extra=UNTOLD)]
    code: PasscodeText
    client_message_id: Annotated[AnyMessageId, Meta(extra=UNTOLD)] | UnsetType = UNSET
    ttl_seconds: TtlSeconds | UnsetType = UNSET
    meta: MetaObject | UnsetType = UNSET

    def __repr__(self) -> str:
        return "OtpBody(code=***)"  # a traceback may show it


def parse_passcode(account: Account, body: OtpBody, own_id: str) -> MessageRequest:
    """The request; `own_id` is its clientMessageId where the caller gave none."""
    to = phone.require(body.to, quoted=False)
    rules.require_code(body.code)
    if body.client_message_id is not UNSET:
        require_id(body.client_message_id, quoted=False)
        own_id = body.client_message_id
    return MessageRequest(
        account_id=account.id,
        client_message_id=own_id,
        to=to,
        kind=MessageKind.PASSCODE,
        template=TemplateRequest(account.otp_template or ""),
        passcode=Secret(body.code),
        ttl=rules.decide_ttl(None if body.ttl_seconds is UNSET else body.ttl_seconds),
        meta=given(body.meta, meta, "meta"),
        to_given=None if to == body.to else body.to,
    )
