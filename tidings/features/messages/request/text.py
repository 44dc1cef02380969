"""Parse the body of POST /messages/text (4.1) into a `MessageRequest`. Pure.

The struct declares the types, which OpenAPI shows; the functions check everything else.
"""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from tidings import limits, phone, times, urls
from tidings.errors import ApiError
from tidings.features.accounts.model import Account
from tidings.features.senders.number_selection import not_own, require_policy
from tidings.features.templates.rules import TemplateCode
from tidings.platforms.content import Text
from tidings.wording import quote

from ..model import MediaRequest, MessageKind, MessageRequest, TemplateRequest
from .fields import (
    ButtonPayloads,
    ClientMessageId,
    EventRef,
    FromPolicy,
    MetaObject,
    Phone,
    TemplateLang,
    TemplateName,
    TemplateParams,
    Timestamp,
    given,
    meta,
    refusal,
    require_id,
    require_payloads,
    require_said,
)

NOTIFICATION = MessageKind.NOTIFICATION  # looking up an enum member is slow


class TextBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """POST /messages/text"""

    client_message_id: ClientMessageId
    to: Phone
    template_name: TemplateName | UnsetType = UNSET
    template_lang: TemplateLang | UnsetType = UNSET
    template_params: TemplateParams | UnsetType = UNSET
    message: Annotated[str, Meta(min_length=1, max_length=limits.MESSAGE_CHARS_MAX)] | UnsetType = (
        UNSET
    )
    kind: (
        Annotated[str, Meta(extra_json_schema={"enum": ["notification", "invitation"]})] | UnsetType
    ) = UNSET
    event_id: EventRef | UnsetType = UNSET
    expires_at: Timestamp | UnsetType = UNSET
    scheduled_for: Timestamp | UnsetType = UNSET
    deadline: Timestamp | UnsetType = UNSET
    media_base64: Annotated[str, Meta(description="jpeg, png or PDF, at most 5MB.")] | UnsetType = (
        UNSET
    )
    media_id: (
        Annotated[
            str,
            Meta(
                max_length=limits.LOOKUP_ID_CHARS_MAX,
                description="Of a previous upload, valid for 90 days from its last use.",
            ),
        ]
        | UnsetType
    ) = UNSET
    type: Annotated[str, Meta(extra_json_schema={"enum": ["image", "document"]})] | UnsetType = (
        UNSET
    )
    sent_from: Phone | UnsetType = UNSET
    from_policy: FromPolicy | UnsetType = UNSET
    meta: MetaObject | UnsetType = UNSET
    button_url: Annotated[str, Meta(extra_json_schema={"format": "uri"})] | UnsetType = UNSET
    button_payloads: ButtonPayloads | UnsetType = UNSET


def parse_text(account: Account, body: TextBody, batch_id: UUID | None = None) -> MessageRequest:
    """Validate the fields in order. The caller attaches the media."""
    require_id(body.client_message_id)
    to = phone.require(body.to)
    request = MessageRequest(
        account.id,
        body.client_message_id,
        to,
        _template(body),
        given(body.message, _free, "message"),
        _kind(body),
        None if body.event_id is UNSET else body.event_id,
        given(body.expires_at, times.require, "expiresAt"),
        given(body.scheduled_for, times.require, "scheduledFor"),
        given(body.deadline, times.require, "deadline"),
        _media(body),
        given(body.sent_from, _sent_from, "sentFrom"),
        None if body.from_policy is UNSET else require_policy(body.from_policy),
        given(body.meta, meta, "meta"),
        _button_url(body),
        given(body.button_payloads, require_payloads, "buttonPayloads"),
        batch_id,
    )
    if not (
        request.template or request.free or request.media or request.kind is MessageKind.INVITATION
    ):
        raise refusal("templateName", "or message or media must be given: there is nothing to send")
    if to != body.to:
        request = replace(request, to_given=body.to)
    return request


def _free(value: str, field: str) -> Text:
    require_said(field, value)
    return Text(value)


def _sent_from(value: str, field: str) -> str:
    number = phone.find(value)
    if number is None:
        raise not_own(value, field)
    return number


def _kind(body: TextBody) -> MessageKind:
    if body.kind is UNSET:
        return NOTIFICATION
    if body.kind not in (MessageKind.NOTIFICATION, MessageKind.INVITATION):
        raise refusal("kind", f"must be notification or invitation, got {quote(body.kind)}")
    kind = MessageKind(body.kind)
    if kind is MessageKind.INVITATION and body.expires_at is UNSET and body.event_id is UNSET:
        raise refusal("expiresAt", "is needed: an invitation needs eventId or expiresAt")
    return kind


def _template(body: TextBody) -> TemplateRequest | None:
    if body.template_name is UNSET and not _has_default(body):
        _require_template_for(body)
        return None
    return TemplateRequest(
        name="" if body.template_name is UNSET else body.template_name,
        language=None if body.template_lang is UNSET else body.template_lang,
        params=() if body.template_params is UNSET else tuple(body.template_params),
    )


def _has_default(body: TextBody) -> bool:
    """An invitation without a template name uses the account's default template."""
    return body.kind == MessageKind.INVITATION


def _require_template_for(body: TextBody) -> None:
    rule = "goes with templateName, which is missing"
    dependent = {"templateLang": body.template_lang, "templateParams": body.template_params}
    for name, value in dependent.items():
        if value is not UNSET:
            raise refusal(name, rule)
    if body.button_payloads is not UNSET:
        problem = f"buttonPayloads {rule}"
        raise ApiError(TemplateCode.INVALID_BUTTON_PAYLOAD, problem, field="buttonPayloads")


def _media(body: TextBody) -> MediaRequest | None:
    if body.media_base64 is UNSET and body.media_id is UNSET:
        if body.type is not UNSET:
            raise refusal("type", "goes with mediaBase64 or mediaId, which is missing")
        return None
    base64 = None if body.media_base64 is UNSET else body.media_base64
    media_id = None if body.media_id is UNSET else body.media_id
    if base64 is not None and media_id is not None:
        raise refusal("mediaId", "and mediaBase64 exclude each other; give one")
    if body.type is UNSET:
        raise refusal("type", "is needed with media: image or document")
    if body.type not in ("image", "document"):
        raise refusal("type", f"must be image or document, got {quote(body.type)}")
    if body.message is not UNSET and len(body.message) > limits.CAPTION_CHARS_MAX:
        rule = f"must be at most {limits.CAPTION_CHARS_MAX} characters as the caption of media"
        raise refusal("message", rule)
    return MediaRequest(body.type, base64, media_id)


def _button_url(body: TextBody) -> str | None:
    if body.button_url is UNSET:
        return None
    url = urls.require_public(body.button_url, "buttonUrl")
    if body.template_name is UNSET and not _has_default(body):
        problem = "buttonUrl needs a template whose URL button is on the service's domain"
        raise ApiError(TemplateCode.BUTTON_URL_UNSUPPORTED, problem, field="buttonUrl")
    return url
