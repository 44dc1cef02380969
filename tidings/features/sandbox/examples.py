"""Examples of the requests and responses of these endpoints; a test runs each of them. Pure."""

from tidings.engine.http.endpoint import Example

POST_CLOCK = Example(
    data={"now": "2026-11-16T15:01:40.854Z", "offsetSeconds": 60, "pending": 0},
    body={"advanceSeconds": 60},
)

GET_CLOCK = Example(
    data={"now": "2026-11-16T15:01:40.881Z", "offsetSeconds": 60, "pending": 0},
)

POST_REPLY = Example(
    data={"messageId": "wamid.MDFhMWU0MDM1YWE1"},
    body={"from": "972501234567", "text": "Yes, we will be 4"},
)

GET_PHONE = Example(
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
)
