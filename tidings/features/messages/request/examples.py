"""Examples of the requests and responses of these endpoints; a test runs each of them. Pure."""

from tidings.engine.http.endpoint import Example

POST_TEXT = Example(
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
)

POST_RICH = Example(
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
)
