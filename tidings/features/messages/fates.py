"""What invitations, kept by the events slice below, hear of their messages. Pure."""

from collections.abc import Iterable
from datetime import datetime

from tidings.features.events.invitations import Fate
from tidings.features.events.model import Invitation

from .model import Kind, Message
from .states import LEFT_US, REFUNDED, Status


def of_new(accepted: Iterable[tuple[Message, bool]]) -> list[Invitation]:
    """The invitations among accepted messages, each with whether it takes its end from its event.
    One that failed at once reaches nobody."""
    return [
        invitation(m, m.expires_at, ends_with_event=ends_with_event)
        for m, ends_with_event in accepted
        if m.kind == Kind.INVITATION and m.expires_at is not None and m.status is not Status.FAILED
    ]


def invitation(
    message: Message, expires_at: datetime, *, ends_with_event: bool = False
) -> Invitation:
    """As it stands before anything has happened to it."""
    return Invitation(
        message.account_id,
        message.id,
        message.recipient,
        expires_at,
        message.event_id,
        ends_with_event=ends_with_event,
    )


def of(messages: Iterable[Message]) -> list[Fate]:
    """That they went out, or never will."""
    return [
        ((m.account_id, m.id), m.sent_at, m.status in REFUNDED)
        for m in messages
        if m.kind == Kind.INVITATION and m.status in LEFT_US
    ]


def of_sent(sent: Iterable[tuple[Message, datetime]]) -> list[Fate]:
    """Of messages that the platform has just taken, and when."""
    return [((m.account_id, m.id), at, False) for m, at in sent if m.kind == Kind.INVITATION]
