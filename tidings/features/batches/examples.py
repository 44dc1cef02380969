"""Examples of the requests and responses of these endpoints; a test runs each of them. Pure."""

from tidings.engine.http.endpoint import Example

POST_BULK = Example(
    data={
        "batchId": "bat_01a1e4035a7399b505c0e4e937dd92",
        "batchName": "June reminders",
        "eventId": None,
        "total": 2,
        "accepted": [
            {"clientMessageId": "reminder-0001"},
            {"clientMessageId": "reminder-0002"},
        ],
        "held": [],
        "atRisk": [],
        "rejected": [],
        "duplicates": [],
        "estimatedCompletionAt": "2026-11-16T11:01:34.288Z",
    },
    status=202,
    body={
        "batchName": "June reminders",
        "messages": [
            {
                "clientMessageId": "reminder-0001",
                "to": "972501234568",
                "templateName": "hello",
                "templateParams": ["Noa"],
            },
            {
                "clientMessageId": "reminder-0002",
                "to": "972501234569",
                "templateName": "hello",
                "templateParams": ["Avi"],
            },
        ],
    },
)

POST_CANCEL = Example(
    data={
        "batchId": "bat_01a1e4035a7399b505c0e4e937dd92",
        "cancelled": 0,
        "inFlight": 0,
        "alreadySent": 2,
        "refunded": 0,
    },
    path={"batchId": "<BATCH_ID>"},
)

_BATCH = {
    "batchId": "bat_01a1e4035a7399b505c0e4e937dd92",
    "batchName": "June reminders",
    "createdAt": "2026-11-16T11:00:34.128Z",
    "state": "completed",
    "total": 2,
    "accepted": 2,
    "rejected": 0,
    "duplicates": 0,
    "counts": {
        "scheduled": 0,
        "queued": 0,
        "deferred": 0,
        "sending": 0,
        "sent": 1,
        "delivered": 1,
        "read": 0,
        "failed": 0,
        "expired": 0,
        "cancelled": 0,
    },
    "percent": 100,
    "estimatedCompletionAt": "2026-11-16T11:01:34.288Z",
    "completedAt": "2026-11-16T11:00:35.001Z",
}

GET_BATCHES = Example(
    data=[_BATCH],
    query="limit=1",
    extra={"nextCursor": None},
)

GET_BATCH = Example(data=_BATCH, path={"batchId": "<BATCH_ID>"})
