"""The events of replies: message.received and guest.* (6.2; contract.md, "Events out"). Pure."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings import limits, times
from tidings.engine.http.response_types import Timestamp, Url
from tidings.features.events.invitation_states import SETTLED
from tidings.features.events.model import Invitation
from tidings.features.messages.model import Message
from tidings.features.messages.state import events as message_events
from tidings.features.messages.state.events import MessageMeta
from tidings.features.recipients.events import PreferenceData
from tidings.features.webhooks.event_kinds import (
    EXAMPLE_GUEST,
    EXAMPLE_NUMBER,
    EXAMPLE_TIME,
    EventData,
    EventKind,
)

from .model import About, GuestReply, How, Match, Slot

RepliedTo = Literal["button_payload", "quoted_message", "last_outbound", "none"]
REPLIED_TO: dict[How, RepliedTo] = {How.BUTTON: "button_payload", How.QUOTED: "quoted_message"}


class OutboundData(EventData, kw_only=True):
    """A message of yours."""

    client_message_id: str
    message_id: str | None
    kind: str
    at: Timestamp | None


class MessageReceivedData(EventData, kw_only=True):
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
        RepliedTo, Meta(description="How the reply was matched; last_outbound is a guess.")
    ]
    client_message_id: Annotated[str | None, Meta(description="Of the message it is about.")]
    meta: MessageMeta
    event_id: str | UnsetType = UNSET
    batch_id: str | UnsetType = UNSET
    last_outbound: OutboundData | None
    last_outbound_by_kind: dict[str, OutboundData]
    window_expires_at: Annotated[
        Timestamp | None, Meta(description="Until then free text may be sent to this person.")
    ]
    received_at: Timestamp
    raw: Annotated[msgspec.Raw, Meta(description="The platform's message, as it came.")]


class GuestReplyData(EventData, kw_only=True):
    """A guest has replied."""

    client_message_id: Annotated[str | None, Meta(description="Of the message it is about.")]
    message_id: str | None
    to: str | None
    meta: MessageMeta
    event_id: str | UnsetType = UNSET
    batch_id: str | UnsetType = UNSET
    from_: str | None = msgspec.field(name="from")
    reply_id: Annotated[
        str | None,
        Meta(description="The reply's, at the platform; null where a person settled it."),
    ]
    type: Annotated[
        str,
        Meta(description="As the platform has it; `settled` where a person settled the answer."),
    ]
    text: str | None
    answer: Literal["yes", "no"] | None
    guests: Annotated[int | None, Meta(description="How many come, where the guest said so.")]
    match_confidence: Annotated[
        float, Meta(ge=0, le=1, description="How sure the answer was understood.")
    ]
    slot_match: Annotated[
        Literal["button", "quoted", "only_open", "latest_open", "none", "settled"],
        Meta(description="How the reply found its invitation; `settled`: by a person."),
    ]
    received_at: Timestamp
    media_url: Annotated[Url, Meta(description="Of a file; valid for 7 days.")] | UnsetType = UNSET
    raw: (
        Annotated[msgspec.Raw, Meta(description="The platform's message, as it came.")] | UnsetType
    ) = UNSET
    source: (
        Annotated[
            Literal["second_opinion"],
            Meta(description="Only where a language model has read a reply that was unclear."),
        ]
        | UnsetType
    ) = UNSET


_OF_MESSAGE = ("clientMessageId", "messageId", "to", "meta")


def guest_data(match: Match, media_url: str | None) -> GuestReplyData:
    """The data of a guest.* event."""
    data = GuestReplyData(**_about(match.message, match.reply), **_said(match, media_url))
    if match.invitation is None:
        data.raw = msgspec.Raw(match.reply.item.raw)  # a reaction, an edit or a form: unparsed
    return data


def _about(message: Message | None, reply: GuestReply) -> dict[str, Any]:
    if message is None:
        to = reply.item.from_
        return {"client_message_id": None, "message_id": None, "to": to, "meta": None}
    values = message_events.about(message)
    if message.platform_id is None:
        values["message_id"] = reply.item.quoted  # the reply overtook the platform's response
    return values


def _said(match: Match, media_url: str | None) -> dict[str, Any]:
    item, reading = match.reply.item, match.reading
    answer = reading.answer if match.invitation is not None else None
    return {
        "from_": item.from_ or item.user_id,
        "reply_id": item.platform_id,
        "type": item.type,
        "text": item.text,
        "answer": answer,
        "guests": None if answer == "no" else reading.guests,
        "match_confidence": 0.0 if answer is None else round(reading.confidence, 2),
        "slot_match": match.slot.value,
        "received_at": times.to_wire(item.at),
        "media_url": UNSET if media_url is None else media_url,
    }


def unclear(match: Match, media_url: str | None) -> dict[str, Any]:
    """What the guest said, as JSON to store with the invitation until guest.unresolved."""
    nothing: dict[str, Any] = dict.fromkeys(("client_message_id", "message_id", "to", "meta"))
    said = msgspec.to_builtins(GuestReplyData(**nothing, **_said(match, media_url)))
    return {name: value for name, value in said.items() if name not in _OF_MESSAGE}


def unresolved_data(message: Message, stored: dict[str, Any]) -> GuestReplyData:
    """The data of guest.unresolved: about the message as it is now, with what `unclear` stored."""
    data = msgspec.convert(dict.fromkeys(_OF_MESSAGE) | stored, GuestReplyData)
    for name, value in message_events.about(message).items():
        setattr(data, name, value)
    return data


def second_opinion_data(message: Message, invitation: Invitation) -> GuestReplyData:
    """The data of guest.confirmed and guest.declined where a second opinion has read the reply that
    was not understood: those of the reply, with the answer and its source."""
    assert invitation.unclear is not None, "there is an opinion on what was not understood"
    data = unresolved_data(message, invitation.unclear.data)
    data.answer, data.guests = invitation.answer, invitation.guests
    data.match_confidence = round(invitation.confidence or 0.0, 2)
    data.source = "second_opinion"
    return data


def settled_data(
    message: Message, invitation: Invitation, text: str | None, at: datetime
) -> GuestReplyData:
    """The data of guest.confirmed and guest.declined where a person settled the answer: `text` are
    the guest's last words."""
    return GuestReplyData(
        **message_events.about(message),
        from_=invitation.phone,
        reply_id=None,
        type=Slot.SETTLED.value,
        text=text,
        answer=invitation.answer,
        guests=invitation.guests,
        match_confidence=SETTLED,
        slot_match="settled",
        received_at=times.to_wire(at),
    )


def preference_data(reply: GuestReply) -> PreferenceData:
    return PreferenceData(from_=reply.item.from_ or reply.item.user_id, source="reply")


def received_data(
    reply: GuestReply,
    about: About | None,
    last: Sequence[Message],
    heard_at: datetime | None,
    media_url: str | None,
) -> MessageReceivedData:
    """The data of message.received. `about`: the message that the reply itself names. `last`: the
    last message of each kind to this person, the latest first."""
    item = reply.item
    message = about.message if about is not None else next(iter(last), None)
    replied_to: RepliedTo = "none" if message is None else "last_outbound"
    if about is not None:
        replied_to = REPLIED_TO[about.how]
    values = {} if message is None else message_events.about(message)
    return MessageReceivedData(
        message_id=item.platform_id,
        from_=item.from_ or item.user_id,
        to=item.sender,
        type=item.type,
        text=item.text,
        payload=item.payload,
        media_url=media_url,
        replied_to=replied_to,
        client_message_id=values.get("client_message_id"),
        meta=values.get("meta"),
        event_id=values.get("event_id", UNSET),
        batch_id=values.get("batch_id", UNSET),
        last_outbound=_outbound(last[0]) if last else None,
        last_outbound_by_kind={each.kind: _outbound(each) for each in last},
        window_expires_at=times.to_wire_or_none(
            None if heard_at is None else heard_at + limits.CONVERSATION_WINDOW
        ),
        received_at=times.to_wire(item.at),
        raw=msgspec.Raw(item.raw),
    )


def _outbound(message: Message) -> OutboundData:
    return OutboundData(
        client_message_id=message.client_message_id,
        message_id=message.platform_id,
        kind=message.kind,
        at=times.to_wire_or_none(message.sent_at),
    )


# The kinds, each with its example

_REPLY_ID = "wamid.HBgMOTcyNTAxMjM0NTY3FQIAEhgUEXAMPLE"
_OUTBOUND = OutboundData(
    client_message_id="example-0001",
    message_id=message_events.EXAMPLE_PLATFORM_ID,
    kind="notification",
    at=EXAMPLE_TIME,
)


def _example(text: str, answer: Literal["yes", "no"] | None, **more: Any) -> GuestReplyData:
    values = {
        **message_events.EXAMPLE,
        "event_id": "example-party",
        "from_": EXAMPLE_GUEST,
        "reply_id": _REPLY_ID,
        "type": "text",
        "guests": None,
        "match_confidence": 0.98 if answer else 0.1,
        "slot_match": "only_open",
        "received_at": EXAMPLE_TIME,
    }
    return GuestReplyData(text=text, answer=answer, **values | more)


RECEIVED = EventKind(
    "message.received",
    "Raw accounts: somebody has replied.",
    MessageReceivedData,
    MessageReceivedData(
        message_id=_REPLY_ID,
        from_=EXAMPLE_GUEST,
        to=EXAMPLE_NUMBER,
        type="text",
        text="When do you open?",
        payload=None,
        media_url=None,
        replied_to="last_outbound",
        client_message_id="example-0001",
        meta=message_events.EXAMPLE_META,
        last_outbound=_OUTBOUND,
        last_outbound_by_kind={"notification": _OUTBOUND},
        window_expires_at="2026-02-01T09:30:00.000Z",
        received_at=EXAMPLE_TIME,
        raw=msgspec.Raw(
            b'{"from":"972501234567","id":"wamid.HBgMOTcyNTAxMjM0NTY3FQIAEhgUEXAMPLE",'
            b'"timestamp":"1769851800","type":"text","text":{"body":"When do you open?"}}'
        ),
    ),
)
UNRESOLVED = EventKind(
    "guest.unresolved",
    "An invitation ended, and its reply was not understood.",
    GuestReplyData,
    _example("Who is this?", None),
)
MESSAGE = EventKind(
    "guest.message",
    "Something else a guest wrote.",
    GuestReplyData,
    _example("Thank you!", None, slot_match="none"),
)
KINDS = (
    RECEIVED,
    EventKind(
        "guest.confirmed",
        "A guest says yes, also after a no, or changes how many come.",
        GuestReplyData,
        _example("Yes! We'll be 4", "yes", guests=4),
    ),
    EventKind(
        "guest.declined",
        "A guest says no, also after a yes.",
        GuestReplyData,
        _example("Sorry, can't make it", "no"),
    ),
    EventKind(
        "guest.replied_invalid",
        "A reply to an open invitation was not understood.",
        GuestReplyData,
        _example("Who is this?", None),
    ),
    UNRESOLVED,
    EventKind(
        "guest.replied_late",
        "A reply came after the invitation was over.",
        GuestReplyData,
        _example("Is it too late to come?", None),
    ),
    MESSAGE,
)
BY_NAME = {kind.name: kind for kind in KINDS}
