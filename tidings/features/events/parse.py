"""Parse the body of POST /events (4.10) into `Settings`. Pure."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings import limits, phone, times, urls
from tidings.errors import ApiError, Code
from tidings.features.senders.number_selection import SenderCode
from tidings.wording import quote

from .model import Defaults, Settings, Texts

_Timestamp = Annotated[
    str,
    Meta(description="RFC 3339 with an offset.", extra_json_schema={"format": "date-time"}),
]
_Text = Annotated[
    str, Meta(min_length=limits.EVENT_TEXT_CHARS.low, max_length=limits.EVENT_TEXT_CHARS.high)
]


class TextsBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Sent to guests inside the conversation window, each once for an invitation."""

    invalid_reply: Annotated[_Text, Meta(description="After a reply that was not understood.")]
    nudge: Annotated[_Text, Meta(description="When nothing was understood for a while.")]
    expired: Annotated[_Text, Meta(description="After a reply that came too late.")]


class DefaultsBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """For messages of this event that do not say it themselves."""

    expires_at: (
        Annotated[
            str,
            Meta(
                description="Until when an invitation can be answered; absent: until eventDate.",
                extra_json_schema={"format": "date-time"},
            ),
        ]
        | UnsetType
    ) = UNSET
    undelivered_timeout_minutes: (
        Annotated[
            int,
            Meta(
                ge=limits.UNDELIVERED_TIMEOUT_MINUTES.low,
                le=limits.UNDELIVERED_TIMEOUT_MINUTES.high,
                description="A message not delivered by then expires and is refunded; "
                "absent: 30 days.",
            ),
        ]
        | UnsetType
    ) = UNSET
    nudge_after_minutes: (
        Annotated[
            int,
            Meta(
                ge=limits.NUDGE_AFTER_MINUTES.low,
                le=limits.NUDGE_AFTER_MINUTES.high,
                description="From the first reply that was not understood; absent: 120.",
            ),
        ]
        | UnsetType
    ) = UNSET
    sent_from: (
        Annotated[str | None, Meta(description="Each new guest starts on it; null: automatic.")]
        | UnsetType
    ) = UNSET


class EventBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """POST /events"""

    event_id: Annotated[
        str, Meta(min_length=limits.EVENT_ID_CHARS.low, max_length=limits.EVENT_ID_CHARS.high)
    ]
    event_date: _Timestamp
    callback_url: Annotated[
        str,
        Meta(
            description="https, on a public host; the event's webhooks go there.",
            extra_json_schema={"format": "uri"},
        ),
    ]
    texts: TextsBody
    defaults: DefaultsBody | UnsetType = UNSET
    confirm_locked_change: (
        Annotated[bool, Meta(description="Change eventDate although invitations went out.")]
        | UnsetType
    ) = UNSET


def settings(body: EventBody, *, allow_private: bool) -> Settings:
    """Validate the fields in order. The caller checks that `sentFrom` is the account's number."""
    if not body.event_id.strip() or not body.event_id.isprintable():
        raise _refusal("eventId", "must be printable text, not only spaces")
    return Settings(
        event_date=times.require(body.event_date, "eventDate"),
        callback_url=urls.require_postable(
            body.callback_url, "callbackUrl", Code.VALIDATION_ERROR, allow_private=allow_private
        ),
        texts=_texts(body.texts),
        defaults=Defaults() if body.defaults is UNSET else _defaults(body.defaults),
    )


def _texts(body: TextsBody) -> Texts:
    named = (("invalidReply", body.invalid_reply), ("nudge", body.nudge), ("expired", body.expired))
    for name, text in named:
        if not text.strip():
            raise _refusal(f"texts.{name}", "must not be blank")
    return Texts(body.invalid_reply, body.nudge, body.expired)


def _defaults(body: DefaultsBody) -> Defaults:
    expires_at = body.expires_at
    undelivered, nudge = body.undelivered_timeout_minutes, body.nudge_after_minutes
    return Defaults(
        expires_at=None if expires_at is UNSET else times.require(expires_at, "defaults.expiresAt"),
        undelivered_minutes=None if undelivered is UNSET else undelivered,
        nudge_minutes=None if nudge is UNSET else nudge,
        sent_from=None if body.sent_from is UNSET else _sent_from(body.sent_from),
    )


def _sent_from(value: str | None) -> str | None:
    if value is None:
        return None
    number = phone.find(value)
    if number is None:
        problem = (
            f"defaults.sentFrom must be one of the account's numbers or null, got {quote(value)}"
        )
        raise ApiError(SenderCode.INVALID_SENDER, problem, field="defaults.sentFrom")
    return number


def _refusal(field: str, rule: str) -> ApiError:
    return ApiError(Code.VALIDATION_ERROR, f"{field} {rule}", field=field)
