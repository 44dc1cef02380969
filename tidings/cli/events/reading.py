"""The lists of events, guests and opt-outs, by the API that customers use."""

from urllib.parse import quote

from tidings.cli.listing import Listing

EVENTS = Listing(
    "events",
    "/events",
    {
        "event": "eventId",
        "date": "eventDate",
        "invited>": "replies.invited",
        "confirmed>": "replies.confirmed",
        "declined>": "replies.declined",
        "unclear>": "replies.unclear",
        "unresolved>": "replies.unresolved",
        "headcount>": "replies.headcount",
    },
    none="No events.",
    exported=(
        "eventId", "eventDate", "callbackUrl", "locked", "sentInvitations", "replies.invited",
        "replies.delivered", "replies.confirmed", "replies.declined", "replies.unresolved",
        "replies.pending", "replies.unclear", "replies.late", "replies.headcount", "createdAt",
        "updatedAt",
    ),
)  # fmt: skip
OPTOUTS = Listing(
    "optouts",
    "/optouts",
    {"number": "number", "since": "since", "source": "source"},
    none="Nobody has opted out.",
)


def guests_of(event_id: str) -> Listing:
    return Listing(
        "guests",
        f"/events/{quote(event_id, safe='')}/guests",
        {
            "to": "to",
            "state": "state",
            "guests>": "guests",
            "confidence>": "matchConfidence",
            "text": "text",
            "answered": "answeredAt",
        },
        none="No guests.",
        exported=(
            "to", "clientMessageId", "state", "answer", "guests", "matchConfidence", "text",
            "answeredAt", "expiresAt",
        ),
    )  # fmt: skip
