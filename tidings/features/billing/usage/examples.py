"""Examples of the requests and responses of these endpoints; a test runs each of them. Pure."""

from tidings.engine.http.endpoint import Example

from ..invoices.examples import INVOICE

GET_BALANCE = Example(
    data={
        "billingMode": "ENFORCED",
        "suspended": False,
        "invoices": [INVOICE],
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
)

GET_USAGE = Example(
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
)
