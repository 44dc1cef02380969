"""Sending, status and cancelling (4.1 to 4.5, 4.7, 4.9)."""

from tidings.engine.http.openapi_samples import Example

_PIXEL = (  # a PNG file of one pixel
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAA"
    "AABJRU5ErkJggg=="
)

EXAMPLES = {
    "POST /api/v1/messages/text": Example(
        data={
            "clientMessageId": "order-1001-ready",
            "messageId": "wamid.MDFhMWU0MDM1YWE1",
            "status": "sent",
            "sentFrom": "972555000001",
            "fallbackUsed": False,
            "sentAt": "2026-11-16T11:00:34.128Z",
            "duplicate": False,
        },
        body={
            "clientMessageId": "order-1001-ready",
            "to": "972501234567",
            "templateName": "hello",
            "templateParams": ["Dana"],
            "meta": {"orderId": 1001},
        },
    ),
    "POST /api/v1/messages/otp": Example(
        data={
            "clientMessageId": "login-dana-0001",
            "messageId": "wamid.MDFhMWU0MDM1YWE1",
            "status": "sent",
            "sentFrom": "972555000001",
            "duplicate": False,
        },
        body={
            "clientMessageId": "login-dana-0001",
            "to": "972501234567",
            "code": "482913",
            "ttlSeconds": 300,
        },
    ),
    "POST /api/v1/messages/bulk": Example(
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
    ),
    "POST /api/v1/messages/rich": Example(
        data={
            "clientMessageId": "menu-dana-0001",
            "messageId": "wamid.MDFhMWU0MDM1YWE1",
            "status": "sent",
            "sentFrom": "972555000001",
            "fallbackUsed": True,
            "sentAt": "2026-11-16T11:00:34.315Z",
            "duplicate": False,
        },
        body={
            "clientMessageId": "menu-dana-0001",
            "to": "972501234567",
            "message": "Which menu would you like?",
            "buttons": [{"id": "fish", "text": "Fish"}, {"id": "garden", "text": "Garden"}],
            "footer": "Answer until Friday",
            "templateName": "hello",
            "templateParams": ["Dana"],
        },
    ),
    "POST /api/v1/messages/upload": Example(
        data={
            "mediaId": "med_01a1e4035a7399b505c0e4e937dd92",
            "mimetype": "image/png",
            "bytes": 70,
        },
        body={
            "mediaBase64": _PIXEL,
            "mimetype": "image/png",
            "filename": "pixel.png",
        },
    ),
    "GET /api/v1/messages/{cid}": Example(
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
    ),
    "POST /api/v1/batches/{batchId}/cancel": Example(
        data={
            "batchId": "bat_01a1e4035a7399b505c0e4e937dd92",
            "cancelled": 0,
            "inFlight": 0,
            "alreadySent": 2,
            "refunded": 0,
        },
        path={"batchId": "<BATCH_ID>"},
    ),
}
