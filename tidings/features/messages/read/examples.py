"""Examples of the requests and responses of these endpoints; a test runs each of them. Pure."""

from tidings.engine.http.endpoint import Example

GET_MESSAGE = Example(
    data={
        "clientMessageId": "order-1001-ready",
        "messageId": "wamid.MDFhMWU0MDM1YWE1",
        "to": "972501234567",
        "kind": "notification",
        "status": "sent",
        "reason": None,
        "retryAt": None,
        "scheduledFor": None,
        "sentFrom": "972555000001",
        "batchId": None,
        "eventId": None,
        "createdAt": "2026-11-16T11:00:34.128Z",
        "timeline": [
            {"status": "queued", "at": "2026-11-16T11:00:34.128Z"},
            {"status": "sending", "at": "2026-11-16T11:00:34.128Z"},
            {"status": "sent", "at": "2026-11-16T11:00:34.128Z"},
        ],
        "invitation": None,
        "attempts": [
            {
                "attempt": 1,
                "at": "2026-11-16T11:00:34.128Z",
                "sentFrom": "972555000001",
                "outcome": "sent",
            }
        ],
        "error": None,
        "meta": {"orderId": 1001},
    },
    path={"cid": "order-1001-ready"},
)

GET_MESSAGES = Example(
    data=[
        {
            "clientMessageId": "menu-dana-0001",
            "messageId": "wamid.MDFhMWU0MDM1YWE1",
            "to": "972501234567",
            "kind": "notification",
            "status": "sent",
            "reason": None,
            "retryAt": None,
            "scheduledFor": None,
            "sentFrom": "972555000001",
            "batchId": None,
            "eventId": None,
            "createdAt": "2026-11-16T11:00:34.128Z",
            "invitation": None,
            "error": None,
            "meta": None,
        }
    ],
    query="to=972501234567&status=sent,delivered,read&limit=1",
    extra={"nextCursor": "IjAxYTFlNDA0LTE1N2UtNzE3Ny05NGU3LWY0M2U4NjA1OWZlZCI"},
)

GET_CHARGES = Example(
    data=[
        {
            "clientMessageId": "stay-dana-0001",
            "to": "972501234567",
            "kind": "FOLLOWUP",
            "package": "Demo",
            "price": "0.00",
            "currency": "ILS",
            "state": "SETTLED",
            "chargedAt": "2026-11-16T15:00:40.318Z",
            "resolvedAt": "2026-11-16T15:00:42.318Z",
        }
    ],
    query="limit=1",
    extra={"nextCursor": "IjAxYTFlNDA0LTE1N2UtNzE3Ny05NGU3LWY0M2U4NjA1OWZlZCI"},
)
