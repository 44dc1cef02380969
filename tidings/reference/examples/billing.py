"""Balance, invoices, usage and charges (4.14)."""

from tidings.engine.http.openapi_samples import Example

EXAMPLES = {
    "GET /api/v1/balance": Example(
        data={
            "billingMode": "ENFORCED",
            "suspended": False,
            "invoices": [
                {
                    "number": "DEMO-0001",
                    "kind": "PACKAGE",
                    "status": "OPEN",
                    "subtotal": "100.00",
                    "vatPct": 0,
                    "vatAmount": "0.00",
                    "total": "100.00",
                    "currency": "ILS",
                    "issuedAt": "2026-01-01T00:00:00.000Z",
                    "dueAt": "2036-01-01T00:00:00.000Z",
                }
            ],
            "subscription": {
                "package": "Demo",
                "billingType": "PACKAGE",
                "state": "ACTIVE",
                "unique": {"quota": 100000, "used": 3, "remaining": 99997},
                "followup": {"quota": 100000, "used": 3, "remaining": 99997},
                "startsAt": "2026-11-16T11:00:33.870Z",
                "endsAt": None,
                "renewsAt": None,
            },
        },
    ),
    "GET /api/v1/invoices": Example(
        data=[
            {
                "number": "DEMO-0001",
                "kind": "PACKAGE",
                "status": "OPEN",
                "subtotal": "100.00",
                "vatPct": 0,
                "vatAmount": "0.00",
                "total": "100.00",
                "currency": "ILS",
                "issuedAt": "2026-01-01T00:00:00.000Z",
                "dueAt": "2036-01-01T00:00:00.000Z",
            }
        ],
        query="status=OPEN",
        extra={"nextCursor": None},
    ),
    "GET /api/v1/invoices/{number}": Example(
        data={
            "number": "DEMO-0001",
            "kind": "PACKAGE",
            "status": "OPEN",
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
    "GET /api/v1/usage": Example(
        data={
            "from": "2026-10-18",
            "to": "2026-11-16",
            "groupBy": "month",
            "currency": "ILS",
            "rows": [
                {
                    "period": "2026-10",
                    "messages": 0,
                    "unique": 0,
                    "followup": 0,
                    "refunded": 0,
                    "cost": "0.00",
                },
                {
                    "period": "2026-11",
                    "messages": 6,
                    "unique": 3,
                    "followup": 3,
                    "refunded": 0,
                    "cost": "0.00",
                },
            ],
            "totals": {"messages": 6, "unique": 3, "followup": 3, "refunded": 0, "cost": "0.00"},
            "forecast": {
                "basedOnDays": 1,
                "unique": {"perDay": 3.0, "remaining": 99997, "exhaustedAt": None},
                "followup": {"perDay": 3.0, "remaining": 99997, "exhaustedAt": None},
            },
        },
        query="groupBy=month",
    ),
    "GET /api/v1/charges": Example(
        data=[
            {
                "clientMessageId": "stay-dana-0001",
                "to": "972501234567",
                "kind": "FOLLOWUP",
                "package": "Demo",
                "price": "0.00",
                "currency": "ILS",
                "state": "RESERVED",
                "chargedAt": "2026-11-16T15:00:40.318Z",
                "resolvedAt": None,
            }
        ],
        query="limit=1",
        extra={"nextCursor": "IjAxYTFlNDA0LTE1N2UtNzE3Ny05NGU3LWY0M2U4NjA1OWZlZCI"},
    ),
}
