"""The responses about events and invitations (contract.md, "Account state", "Status"). Pure."""

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tidings import times

from . import model
from .invitation_states import state_at


class EventTexts(msgspec.Struct, rename="camel"):
    invalid_reply: str
    nudge: str
    expired: str


class EventDefaults(msgspec.Struct, rename="camel"):
    """Null where none was given."""

    expires_at: str | None
    undelivered_timeout_minutes: int | None
    nudge_after_minutes: int | None
    sent_from: str | None


class EventReplies(msgspec.Struct, rename="camel"):
    """Guests, each once however many invitations they have: by their last answer."""

    invited: Annotated[
        int, Meta(description="An invitation went out to them. Cumulative: answered or not.")
    ]
    delivered: Annotated[
        int, Meta(description="An invitation arrived, or they replied. Cumulative.")
    ]
    confirmed: Annotated[int, Meta(description="Their last answer is yes.")]
    declined: Annotated[int, Meta(description="Their last answer is no.")]
    unresolved: Annotated[
        int, Meta(description="No answer; it ended with a reply that was not understood.")
    ]
    pending: Annotated[int, Meta(description="No answer yet, and an invitation is still open.")]
    unclear: Annotated[
        int, Meta(description="Those `pending` whose last reply was not understood.")
    ]
    late: Annotated[
        int, Meta(description="Replied after the end; they may be in another count too.")
    ]
    headcount: Annotated[
        int,
        Meta(description="People who come: the sum of `guests`, one where none was given."),
    ]


class EventShape(msgspec.Struct, rename="camel"):
    """4.10"""

    event_id: str
    event_date: str
    callback_url: str
    texts: EventTexts
    defaults: EventDefaults
    locked: Annotated[bool, Meta(description="An invitation went out.")]
    sent_invitations: int
    replies: EventReplies
    created_at: str
    updated_at: str


class RegisteredEvent(EventShape, rename="camel", kw_only=True):
    """The answer to POST /events."""

    duplicate: Annotated[bool, Meta(description="The body said nothing new.")]


class Invitation(msgspec.Struct, rename="camel"):
    event_id: str | None
    state: Annotated[
        Literal["open", "confirmed", "declined", "expired", "failed", "cancelled"],
        Meta(description="failed, cancelled, expired: also where its message did, unanswered."),
    ]
    answer: Literal["yes", "no"] | None
    answered_at: str | None
    expires_at: str


StateName = Literal[
    "invited",
    "delivered",
    "confirmed",
    "declined",
    "unclear",
    "unresolved",
    "expired",
    "failed",
    "opted_out",
]


class GuestShape(msgspec.Struct, rename="camel"):
    """A guest of an event, over all invitations to it."""

    to: str
    client_message_id: Annotated[str, Meta(description="Of the newest invitation.")]
    state: Annotated[
        StateName,
        Meta(
            description="`confirmed`, `declined`: the last answer. `unclear`: the last reply was"
            " not understood; `unresolved`: and then it ended. `expired`: it ended unanswered."
            " `failed`: no invitation arrived."
        ),
    ]
    answer: Annotated[
        Literal["yes", "no"] | None, Meta(description="The last answer; null: none yet.")
    ]
    guests: Annotated[int | None, Meta(description="How many come, where it was said.")]
    match_confidence: Annotated[
        Annotated[float, Meta(ge=0, le=1)] | None,
        Meta(
            description="How sure the answer was understood. 1: a button, or settled by a person;"
            " 0: the last reply was not understood; null: no answer."
        ),
    ]
    text: Annotated[str | None, Meta(description="The guest's last reply.")]
    answered_at: Annotated[str | None, Meta(description="When the last answer was given.")]
    expires_at: Annotated[str, Meta(description="When the newest invitation ends.")]


def event(registered: model.Event, counts: model.Counts) -> EventShape:
    settings = registered.settings
    texts, defaults = settings.texts, settings.defaults
    return EventShape(
        event_id=registered.event_id,
        event_date=times.to_wire(settings.event_date),
        callback_url=settings.callback_url,
        texts=EventTexts(texts.invalid_reply, texts.nudge, texts.expired),
        defaults=EventDefaults(
            expires_at=times.to_wire_or_none(defaults.expires_at),
            undelivered_timeout_minutes=defaults.undelivered_minutes,
            nudge_after_minutes=defaults.nudge_minutes,
            sent_from=defaults.sent_from,
        ),
        locked=counts.sent > 0,
        sent_invitations=counts.sent,
        replies=_replies(counts),
        created_at=times.to_wire(registered.created_at),
        updated_at=times.to_wire(registered.updated_at),
    )


def registered_event(
    registered: model.Event, counts: model.Counts, *, duplicate: bool
) -> RegisteredEvent:
    shown = msgspec.structs.asdict(event(registered, counts))
    return RegisteredEvent(**shown, duplicate=duplicate)


def _replies(counts: model.Counts) -> EventReplies:
    return EventReplies(
        invited=counts.invited,
        delivered=counts.delivered,
        confirmed=counts.confirmed,
        declined=counts.declined,
        unresolved=counts.unresolved,
        pending=counts.pending,
        unclear=counts.unclear,
        late=counts.late,
        headcount=counts.headcount,
    )


def invitation(one: model.Invitation, now: datetime) -> Invitation:
    """As GET /messages/{cid} shows it."""
    return Invitation(
        event_id=one.event_id,
        state=state_at(one.answer, one.expires_at, now).value,
        answer=one.answer,
        answered_at=times.to_wire_or_none(one.answered_at),
        expires_at=times.to_wire(one.expires_at),
    )


def guest(one: model.Guest) -> GuestShape:
    return GuestShape(
        to=one.to,
        client_message_id=one.client_message_id,
        state=one.state.value,
        answer=one.answer,
        guests=one.guests,
        match_confidence=None if one.confidence is None else round(one.confidence, 2),
        text=one.text,
        answered_at=times.to_wire_or_none(one.answered_at),
        expires_at=times.to_wire(one.expires_at),
    )
