"""The events of a message: message.status and message.deferred (6.2). Pure.

An event goes to the callbackUrl of the message's registered event, else to the account's URL.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings import ids, times
from tidings.engine.http.response_types import RawObject, Timestamp, raw_or_none
from tidings.features.accounts.model import Account
from tidings.features.webhooks.event_kinds import (
    EXAMPLE_GUEST,
    EXAMPLE_TIME,
    EventData,
    EventKind,
)
from tidings.features.webhooks.publish import Event

from ..model import Fault, Message, MessageKind, Status

EXAMPLE_PLATFORM_ID = "wamid.HBgMOTcyNTAxMjM0NTY3FQIAERgSEXAMPLE"
EXAMPLE_META = msgspec.Raw(b'{"example":true}')  # no message is behind an example
EXAMPLE: dict[str, Any] = {
    "client_message_id": "example-0001",
    "message_id": EXAMPLE_PLATFORM_ID,
    "to": EXAMPLE_GUEST,
    "meta": EXAMPLE_META,
}

MessageMeta = Annotated[RawObject | None, Meta(description="As it was given when sending.")]


class AboutMessage(EventData, kw_only=True):
    """The fields of every event of a message."""

    client_message_id: str
    message_id: Annotated[str | None, Meta(description="The platform's; null before it was sent.")]
    to: str
    meta: MessageMeta
    event_id: Annotated[str, Meta(description="Where the message has one.")] | UnsetType = UNSET
    batch_id: Annotated[str, Meta(description="Where the message has one.")] | UnsetType = UNSET


class MessageStatusData(AboutMessage, kw_only=True):
    """A message was sent, delivered, read, has failed or expired."""

    status: Literal["sent", "delivered", "read", "failed", "expired"]
    at: Timestamp
    error: Annotated[Fault, Meta(description="Of `failed`.")] | UnsetType = UNSET
    never_delivered: (
        Annotated[
            bool,
            Meta(
                description="Of `expired`: true, as it was not delivered, whether it had been sent "
                "or not."
            ),
        ]
        | UnsetType
    ) = UNSET


class MessageDeferredData(AboutMessage, kw_only=True):
    """A message waits; posted once for each reason."""

    reason: Annotated[
        str,
        Meta(
            description="SEND_WINDOW, NUMBER_LIMIT, ACCOUNT_LIMIT, INVOICE_OVERDUE, SENDING_PAUSED,"
            " NUMBER_UNHEALTHY or PLATFORM_UNAVAILABLE."
        ),
    ]
    retry_at: Annotated[Timestamp | None, Meta(description="Null where no time is known.")]
    at: Timestamp


STATUS = EventKind(
    "message.status",
    "A message was sent, delivered or read, or failed or expired.",
    MessageStatusData,
    MessageStatusData(**EXAMPLE, status="delivered", at=EXAMPLE_TIME),
)
DEFERRED = EventKind(
    "message.deferred",
    "A message must wait: once for each reason.",
    MessageDeferredData,
    MessageDeferredData(
        **EXAMPLE | {"message_id": None},
        reason="SEND_WINDOW",
        retry_at="2026-02-01T06:00:00.000Z",
        at=EXAMPLE_TIME,
    ),
)
KINDS = (STATUS, DEFERRED)

# The statuses that a message reports.
_REPORTED: dict[Status, Literal["sent", "delivered", "read", "failed", "expired"]] = {
    Status.SENT: "sent",
    Status.DELIVERED: "delivered",
    Status.READ: "read",
    Status.FAILED: "failed",
    Status.EXPIRED: "expired",
}


def status(account: Account, message: Message, at: datetime) -> Event:
    data = MessageStatusData(
        **about(message), status=_REPORTED[message.status], at=times.to_wire(at)
    )
    if message.status is Status.FAILED:
        data.error = UNSET if message.error is None else message.error
    elif message.status is Status.EXPIRED:
        data.never_delivered = message.never_delivered
    return _event(account, STATUS, message, at, data)


def deferred(account: Account, message: Message, at: datetime) -> Event:
    assert message.reason is not None, "a deferred message has a reason"
    data = MessageDeferredData(
        **about(message),
        reason=message.reason,
        retry_at=times.to_wire_or_none(message.retry_at),
        at=times.to_wire(at),
    )
    return _event(account, DEFERRED, message, at, data)


def about(message: Message) -> dict[str, Any]:
    """The values of `AboutMessage`."""
    return {
        "client_message_id": message.client_message_id,
        "message_id": message.platform_id,
        "to": message.to,
        "meta": raw_or_none(message.meta),
        "event_id": UNSET if message.event_id is None else message.event_id,
        "batch_id": UNSET if message.batch_id is None else ids.batch_ref(message.batch_id),
    }


def _event(
    account: Account, kind: EventKind, message: Message, at: datetime, data: AboutMessage
) -> Event:
    muted = message.kind == MessageKind.PROMPT
    first = _is_first(message)
    return Event(account, kind, at, data, message.id, message.event_id, is_first=first, muted=muted)


def _is_first(message: Message) -> bool:
    """Whether no other event of the message was published before the present one."""
    steps = sum(step.status in _REPORTED for step in message.timeline)
    return steps + len(message.notified_reasons) == 1
