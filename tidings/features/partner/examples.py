"""Examples of the requests and responses of these endpoints; a test runs each of them. Pure."""

from tidings.engine.http.endpoint import Example

GET_ACCOUNT = Example(
    data={
        "currency": "ILS",
        "ratePerMessage": "0.05",
        "capacity": {"total": 0, "used": 0, "remaining": 0, "pct": 0},
        "debt": "0.00",
        "creditLimit": "1000.00",
        "creditAvailable": "1000.00",
        "maxTopupMessages": 20000,
        "expiresAt": None,
        "expired": False,
        "pendingTransfers": [],
    },
)

POST_TOPUP = Example(
    data={
        "messages": 1000,
        "amount": "50.00",
        "currency": "ILS",
        "capacity": {"total": 1000, "used": 0, "remaining": 1000, "pct": 0},
        "debt": "50.00",
        "creditAvailable": "950.00",
    },
    body={"messages": 1000},
)

POST_TRANSFER = Example(
    data={
        "reference": "TRF-2026-118",
        "amount": "50.00",
        "status": "REPORTED",
        "reportedAt": "2026-11-16T11:00:35.653Z",
    },
    body={
        "amount": 50.0,
        "reference": "TRF-2026-118",
        "transferDate": "2026-11-10",
        "note": "November",
    },
)

GET_LEDGER = Example(
    data=[
        {
            "id": "led_01a1e40416c77643a5f39c898e2f8f0b",
            "kind": "TRANSFER_REPORTED",
            "at": "2026-11-16T11:00:35.653Z",
            "messages": None,
            "amount": "50.00",
            "balanceAfter": "50.00",
            "reference": "TRF-2026-118",
            "note": "November",
        },
        {
            "id": "led_01a1e40416b7722ebd01bbb1df828652",
            "kind": "TOPUP",
            "at": "2026-11-16T11:00:35.636Z",
            "messages": 1000,
            "amount": "50.00",
            "balanceAfter": "50.00",
            "reference": None,
            "note": None,
        },
    ],
    query="limit=2",
    extra={"nextCursor": None},
)
