"""Readiness, limits, health and templates."""

from tidings.engine.http.openapi_samples import Example

EXAMPLES = {
    "GET /api/v1/readiness": Example(
        data={
            "ready": True,
            "invitationTemplate": {
                "name": "invite",
                "language": "en",
                "status": "APPROVED",
                "ready": True,
            },
            "numbers": [{"number": "972555000001", "ready": True, "reason": None}],
        },
    ),
    "GET /api/v1/limits": Example(
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
    ),
    "GET /api/v1/sender/health": Example(
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
                }
            ],
            "fromApplication": {
                "dailyLimit": None,
                "sendWindow": None,
                "requestsPerMinute": 600,
                "paused": False,
            },
        },
    ),
    "GET /api/v1/templates": Example(
        data=[
            {
                "name": "code",
                "language": "en",
                "status": "APPROVED",
                "category": "AUTHENTICATION",
                "variables": 1,
                "header": None,
                "body": "{{1}} is your verification code.",
                "buttons": [{"type": "COPY_CODE", "text": "Copy code"}],
                "usable": True,
                "reason": None,
            }
        ],
        query="limit=1",
        extra={"nextCursor": "WyJjb2RlIiwiZW4iXQ"},
    ),
}
