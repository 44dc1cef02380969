"""The sandbox's controls."""

from tidings.engine.http.openapi_samples import Example

EXAMPLES = {
    "POST /sandbox/v1/replies": Example(
        data={"messageId": "wamid.MDFhMWU0MDM1YWE1"},
        body={"from": "972501234567", "text": "Yes, we will be 4"},
    ),
    "GET /sandbox/v1/phones/{number}": Example(
        data={
            "number": "972501234567",
            "messages": [
                {
                    "direction": "out",
                    "at": "2026-11-16T11:00:34.282Z",
                    "messageId": "wamid.MDFhMWU0MDM1YWE1",
                    "clientMessageId": "order-1001-ready",
                    "type": "template",
                    "text": "Hello Dana, welcome to Tidings!",
                    "title": None,
                    "footer": None,
                    "media": None,
                    "buttons": [],
                    "form": None,
                }
            ],
        },
        path={"number": "972501234567"},
    ),
    "POST /sandbox/v1/clock": Example(
        data={"now": "2026-11-16T15:01:40.854Z", "offsetSeconds": 60, "pending": 0},
        body={"advanceSeconds": 60},
    ),
    "GET /sandbox/v1/clock": Example(
        data={"now": "2026-11-16T15:01:40.881Z", "offsetSeconds": 60, "pending": 0},
    ),
    "POST /sandbox/v1/webhooks": Example(
        data={"webhookId": "whk_01a1e4035a7399b505c0e4e937dd92", "type": "message.status"},
        body={"type": "message.status"},
    ),
    "POST /sandbox/v1/senders/{number}": Example(
        data={
            "number": "972555000001",
            "displayName": "Demo",
            "status": "CONNECTED",
            "qualityRating": "YELLOW",
            "tier": "TIER_UNLIMITED",
            "readyForSending": True,
        },
        body={"quality": "YELLOW"},
        path={"number": "972555000001"},
    ),
    "POST /sandbox/v1/invoices/{number}/pay": Example(
        data={
            "number": "DEMO-0001",
            "kind": "PACKAGE",
            "status": "PAID",
            "subtotal": "100.00",
            "vatPct": 0,
            "vatAmount": "0.00",
            "total": "100.00",
            "currency": "ILS",
            "issuedAt": "2026-01-01T00:00:00.000Z",
            "dueAt": "2036-01-01T00:00:00.000Z",
            "lines": [
                {
                    "description": "Package Demo",
                    "quantity": 1,
                    "unitPrice": "100.00",
                    "amount": "100.00",
                }
            ],
        },
        path={"number": "DEMO-0001"},
    ),
}
