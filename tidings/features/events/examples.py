"""Examples of the requests and responses of these endpoints; a test runs each of them. Pure."""

from tidings.engine.http.endpoint import Example

_EVENT = {
    "eventId": "gala-2036",
    "eventDate": "2036-06-17T16:00:00.000Z",
    "callbackUrl": "https://example.com/tidings",
    "texts": {
        "invalidReply": "Sorry, we did not understand. Please answer yes or no.",
        "nudge": "Will you come? Please answer yes or no.",
        "expired": "The list is closed; please call us.",
    },
    "defaults": {
        "expiresAt": "2036-06-10T09:00:00.000Z",
        "undeliveredTimeoutMinutes": None,
        "nudgeAfterMinutes": None,
        "sentFrom": None,
    },
    "locked": False,
    "sentInvitations": 0,
    "replies": {
        "invited": 0,
        "delivered": 0,
        "confirmed": 0,
        "declined": 0,
        "unresolved": 0,
        "pending": 0,
        "unclear": 0,
        "late": 0,
        "headcount": 0,
    },
    "createdAt": "2026-11-16T11:00:34.461Z",
    "updatedAt": "2026-11-16T11:00:34.461Z",
}

POST_EVENT = Example(
    data=_EVENT | {"duplicate": False},
    status=201,
    body={
        "eventId": "gala-2036",
        "eventDate": "2036-06-17T19:00:00+03:00",
        "callbackUrl": "https://example.com/tidings",
        "texts": {
            "invalidReply": "Sorry, we did not understand. Please answer yes or no.",
            "nudge": "Will you come? Please answer yes or no.",
            "expired": "The list is closed; please call us.",
        },
        "defaults": {"expiresAt": "2036-06-10T12:00:00+03:00"},
    },
)

GET_EVENT = Example(
    data=_EVENT,
    path={"eventId": "gala-2036"},
)

GET_EVENTS = Example(data=[_EVENT], query="limit=1", extra={"nextCursor": None})

GUEST = {
    "to": "972501234567",
    "clientMessageId": "gala-0001",
    "state": "invited",
    "answer": None,
    "guests": None,
    "matchConfidence": None,
    "text": None,
    "answeredAt": None,
    "expiresAt": "2036-06-10T09:00:00.000Z",
}
GET_GUESTS = Example(
    data=[GUEST], path={"eventId": "gala-2036"}, query="state=invited", extra={"nextCursor": None}
)
