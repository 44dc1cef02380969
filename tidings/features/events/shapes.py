"""The answers about events (4.10), as OpenAPI shows them."""

from typing import Annotated

import msgspec
from msgspec import Meta


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
