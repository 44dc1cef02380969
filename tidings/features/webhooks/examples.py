"""Examples of the requests and responses of these endpoints; a test runs each of them. Pure."""

from tidings.engine.http.endpoint import Example

GET_FAILED = Example(
    data=[
        {
            "webhookId": "whk_01a1e4035a7399b505c0e4e937dd92",
            "type": "message.status",
            "url": "https://example.com/tidings",
            "createdAt": "2026-11-16T11:00:36.315Z",
            "failedAt": "2026-11-16T13:36:47.230Z",
            "attempts": [
                {
                    "attempt": 1,
                    "at": "2026-11-16T11:00:36.538Z",
                    "status": 500,
                    "error": None,
                    "ms": 0,
                },
                {
                    "attempt": 6,
                    "at": "2026-11-16T13:36:47.230Z",
                    "status": 500,
                    "error": None,
                    "ms": 0,
                },
            ],
            "payload": {
                "id": "whk_01a1e4035a7399b505c0e4e937dd92",
                "type": "message.status",
                "createdAt": "2026-11-16T11:00:36.315Z",
                "environment": "sandbox",
                "accountId": "acc_01a1e4035a7399b505c0e4e937dd92",
                "data": {
                    "clientMessageId": "menu-dana-0001",
                    "messageId": "wamid.MDFhMWU0MDM1YWE1",
                    "to": "972501234567",
                    "meta": None,
                    "status": "read",
                    "at": "2026-11-16T11:00:36.315Z",
                },
            },
        }
    ],
    query="limit=1",
    extra={"nextCursor": "WyIyMDI2LTExLTE2VDEz"},
)

POST_RETRY = Example(
    data={"webhookId": "whk_01a1e4035a7399b505c0e4e937dd92", "status": "queued"},
    path={"webhookId": "<WEBHOOK_ID>"},
)

POST_RETRY_SINCE = Example(
    data={"since": "2026-11-01T00:00:00.000Z", "queued": 16, "remaining": 0},
    body={"since": "2026-11-01T00:00:00Z"},
)

GET_EVENTS = Example(
    data=[
        {
            "webhookId": "whk_01a1e4035a7399b505c0e4e937dd92",
            "id": "whk_01a1e4035a7399b505c0e4e937dd92",
            "type": "message.status",
            "createdAt": "2026-11-16T11:00:34.128Z",
            "environment": "sandbox",
            "accountId": "acc_01a1e4035a7399b505c0e4e937dd92",
            "data": {
                "clientMessageId": "order-1001-ready",
                "messageId": "wamid.MDFhMWU0MDM1YWE1",
                "to": "972501234567",
                "meta": {"orderId": 1001},
                "status": "sent",
                "at": "2026-11-16T11:00:34.128Z",
            },
            "status": "queued",
            "payload": {
                "id": "whk_01a1e4035a7399b505c0e4e937dd92",
                "type": "message.status",
                "createdAt": "2026-11-16T11:00:34.128Z",
                "environment": "sandbox",
                "accountId": "acc_01a1e4035a7399b505c0e4e937dd92",
                "data": {
                    "clientMessageId": "order-1001-ready",
                    "messageId": "wamid.MDFhMWU0MDM1YWE1",
                    "to": "972501234567",
                    "meta": {"orderId": 1001},
                    "status": "sent",
                    "at": "2026-11-16T11:00:34.128Z",
                },
            },
        }
    ],
    query="limit=1",
    extra={"nextCursor": "whk_01a1e4035a7399b505c0e4e937dd92"},
)

POST_TRIGGER = Example(
    data={"webhookId": "whk_01a1e4035a7399b505c0e4e937dd92", "type": "message.status"},
    body={"type": "message.status"},
)
