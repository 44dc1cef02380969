"""Examples of the requests and responses of these endpoints; a test runs each of them. Pure."""

from tidings.engine.http.endpoint import Example

GET_LIMITS = Example(
    data={
        "resetsAt": None,
        "numbers": [
            {
                "number": "972555000001",
                "tier": "TIER_UNLIMITED",
                "dailyLimit": None,
                "used": None,
                "remaining": None,
                "perSecond": 80,
            }
        ],
        "total": {"dailyLimit": None, "used": None, "remaining": None},
        "account": {
            "dailyLimit": None,
            "used": None,
            "remaining": None,
            "requestsPerMinute": 600,
        },
    },
)

GET_HEALTH = Example(
    data={
        "overall": "GREEN",
        "readyForSending": True,
        "aggregateCapacity": None,
        "qualityRating": "GREEN",
        "numbers": [
            {
                "number": "972555000001",
                "displayName": "Demo",
                "status": "CONNECTED",
                "qualityRating": "GREEN",
                "tier": "TIER_UNLIMITED",
                "readyForSending": True,
                "reason": None,
            }
        ],
        "fromApplication": {
            "dailyLimit": None,
            "sendWindow": None,
            "requestsPerMinute": 600,
            "paused": False,
        },
    },
)

POST_SANDBOX_SENDER = Example(
    data={
        "number": "972555000001",
        "displayName": "Demo",
        "status": "CONNECTED",
        "qualityRating": "YELLOW",
        "tier": "TIER_UNLIMITED",
        "readyForSending": True,
        "reason": None,
    },
    body={"quality": "YELLOW"},
    path={"number": "972555000001"},
)
