"""The event catalogue: what `data` holds in each of the 15 kinds (6.2, contract.md). Pure.

The structs are the schemas: OpenAPI and docs/webhooks/events.md are generated from them, and tests
compare every event that the service sends with its own.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

Timestamp = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
Json = Annotated[dict[str, Any] | None, Meta(description="As it was given when sending.")]
Url = Annotated[str, Meta(extra_json_schema={"format": "uri"})]


class Data(msgspec.Struct, rename="camel", kw_only=True):
    """What all shapes of the catalogue have in common. Fields may be added, none is taken away."""


class AboutMessage(Data, kw_only=True):
    """What every event of a message carries."""

    client_message_id: str
    message_id: Annotated[str | None, Meta(description="The platform's; null before it was sent.")]
    to: str
    meta: Json
    event_id: Annotated[str, Meta(description="Where the message has one.")] | UnsetType = UNSET
    batch_id: Annotated[str, Meta(description="Where the message has one.")] | UnsetType = UNSET


class FailureData(Data, kw_only=True):
    code: str
    explanation: str
    action: Annotated[str, Meta(description="What you can do about it.")]
    platform_code: Annotated[int | None, Meta(description="The platform's own number.")]


class MessageStatusData(AboutMessage, kw_only=True):
    """A message was sent, delivered, read, has failed or expired."""

    status: Literal["sent", "delivered", "read", "failed", "expired"]
    at: Timestamp
    error: Annotated[FailureData, Meta(description="Of `failed`.")] | UnsetType = UNSET
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
    """A message waits; told once for each reason."""

    reason: Annotated[
        str,
        Meta(
            description="SEND_WINDOW, NUMBER_LIMIT, ACCOUNT_LIMIT, INVOICE_OVERDUE, SENDING_PAUSED,"
            " NUMBER_UNHEALTHY or PLATFORM_UNAVAILABLE."
        ),
    ]
    retry_at: Annotated[Timestamp | None, Meta(description="Null where no time is known.")]
    at: Timestamp


class OutboundData(Data, kw_only=True):
    """A message of yours."""

    client_message_id: str
    message_id: str | None
    kind: str
    at: Timestamp | None


class MessageReceivedData(Data, kw_only=True):
    """Raw accounts: a reply, verbatim. Its interpretation is yours."""

    message_id: Annotated[str, Meta(description="The reply's, at the platform.")]
    from_: str | None = msgspec.field(name="from")
    to: Annotated[str, Meta(description="Your number that it was sent to.")]
    type: Annotated[
        str, Meta(description="text, button, image, reaction, ... as the platform has it.")
    ]
    text: str | None
    payload: Annotated[str | None, Meta(description="Of a button: as you gave it.")]
    media_url: Annotated[Url | None, Meta(description="Of a file; valid for 7 days.")]
    replied_to: Annotated[
        Literal["button_payload", "quoted_message", "last_outbound", "none"],
        Meta(description="How the reply was matched; last_outbound is a guess."),
    ]
    client_message_id: Annotated[str | None, Meta(description="Of the message it is about.")]
    meta: Json
    event_id: str | UnsetType = UNSET
    batch_id: str | UnsetType = UNSET
    last_outbound: OutboundData | None
    last_outbound_by_kind: dict[str, OutboundData]
    window_expires_at: Annotated[
        Timestamp | None, Meta(description="Until then free text may be sent to this person.")
    ]
    received_at: Timestamp
    raw: Annotated[Any, Meta(description="The platform's message, as it came.")]


class GuestReplyData(Data, kw_only=True):
    """A guest has replied."""

    client_message_id: Annotated[str | None, Meta(description="Of the message it is about.")]
    message_id: str | None
    to: str | None
    meta: Json
    event_id: str | UnsetType = UNSET
    batch_id: str | UnsetType = UNSET
    from_: str | None = msgspec.field(name="from")
    reply_id: Annotated[str, Meta(description="The reply's, at the platform.")]
    type: str
    text: str | None
    answer: Literal["yes", "no"] | None
    guests: Annotated[int | None, Meta(description="How many come, where the guest said so.")]
    match_confidence: Annotated[
        float, Meta(ge=0, le=1, description="How sure the answer was understood.")
    ]
    slot_match: Annotated[
        Literal["button", "quoted", "only_open", "latest_open", "none"],
        Meta(description="How the reply found its invitation."),
    ]
    received_at: Timestamp
    media_url: Annotated[Url, Meta(description="Of a file; valid for 7 days.")] | UnsetType = UNSET
    raw: Annotated[Any, Meta(description="The platform's message, as it came.")] | UnsetType = UNSET


class PreferenceData(Data, kw_only=True):
    """A person wants no more messages, or wants them again."""

    from_: str | None = msgspec.field(name="from")
    source: Literal["reply", "platform"]


class BatchProgressData(Data, kw_only=True):
    """How many of a batch have come how far."""

    batch_id: str
    batch_name: str | None
    total: int
    sent: Annotated[int, Meta(description="Those delivered and read included.")]
    delivered: Annotated[int, Meta(description="Those read included.")]
    read: int
    failed: int
    expired: int
    cancelled: int
    pending: int
    percent: Annotated[int, Meta(ge=0, le=100, description="Of all that have left us.")]


class HealthData(Data, kw_only=True):
    status: str
    quality_rating: str


class SenderHealthData(Data, kw_only=True):
    """A number's status or quality changed at the platform."""

    number: str
    previous: HealthData
    current: HealthData


class AnswerData(Data, kw_only=True):
    question_id: str
    question: Annotated[str, Meta(description="Its text, as it was when the form was sent.")]
    type: Literal["rating", "single", "multi", "comment"]
    value: Annotated[
        int | str | list[str] | None, Meta(description="1 to 5 of a rating; null: not answered.")
    ]


class FeedbackSubmittedData(AboutMessage, kw_only=True):
    """A guest has filled in a form: the first answer only."""

    send_id: str
    form_id: str
    version: int
    answers: list[AnswerData]
    at: Timestamp


class Kind(msgspec.Struct, frozen=True):
    """One kind of event: when it comes, and what its data is."""

    name: str
    when: str
    data: type[Data]


CATALOGUE = (
    Kind(
        "message.status",
        "A message was sent, delivered or read, or failed or expired.",
        MessageStatusData,
    ),
    Kind("message.deferred", "A message must wait: once for each reason.", MessageDeferredData),
    Kind("message.received", "Raw accounts: somebody has replied.", MessageReceivedData),
    Kind(
        "guest.confirmed",
        "A guest says yes, also after a no, or changes how many come.",
        GuestReplyData,
    ),
    Kind("guest.declined", "A guest says no, also after a yes.", GuestReplyData),
    Kind(
        "guest.replied_invalid", "A reply to an open invitation was not understood.", GuestReplyData
    ),
    Kind(
        "guest.unresolved", "An invitation ended, and its reply was not understood.", GuestReplyData
    ),
    Kind("guest.replied_late", "A reply came after the invitation was over.", GuestReplyData),
    Kind("guest.message", "Something else a guest wrote.", GuestReplyData),
    Kind("guest.opted_out", "A person wants no more messages.", PreferenceData),
    Kind("guest.opted_in", "A person wants messages again.", PreferenceData),
    Kind("batch.progress", "A batch is under way: every 5% or 60 seconds.", BatchProgressData),
    Kind("batch.completed", "All of a batch have left us: once.", BatchProgressData),
    Kind(
        "sender.health", "A number's status or quality changed at the platform.", SenderHealthData
    ),
    Kind("feedback.submitted", "A guest's first answer to a form.", FeedbackSubmittedData),
)
BY_NAME = {kind.name: kind for kind in CATALOGUE}
