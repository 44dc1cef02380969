"""A sound body for every endpoint that takes one, with all of its fields somewhere."""

from random import Random
from typing import Any

from proof.fuzz.catalogue import FILES
from proof.fuzz.world import NUMBER
from tidings.engine.http.endpoint import Route

_PIXEL = FILES[11]
_TEXTS = {"invalidReply": "Yes or no?", "nudge": "Coming?", "expired": "Closed."}
_SIGNED = {"X-Timestamp": "1799740800", "X-Signature": "sha256=" + "0" * 64, "X-Webhook-Id": "w1"}
_ITEM = {"to": "972501234568", "templateName": "hello", "templateParams": ["Noa"]}
SOUND: dict[str, list[dict[str, Any]]] = {
    "/api/v1/messages/text": [
        {"to": "972501234567", "templateName": "hello", "templateParams": ["Dana"],
        "meta": {"a": [1, {}]}},
        {"to": "972501234567", "message": "Hi", "sentFrom": NUMBER, "fromPolicy": "prefer"},
        {"to": "972501234567", "templateName": "invite", "templateLang": "en", "kind": "invitation",
         "templateParams": ["Dana", "Friday"], "eventId": "gala-2036", "buttonPayloads": ["y", "n"],
         "expiresAt": "2036-01-01T00:00:00Z"},
        {"to": "972501234567", "templateName": "menu", "buttonUrl": "https://hooks.invalid/menu",
         "scheduledFor": "2027-01-01T00:00:00Z", "deadline": "2027-02-01T00:00:00Z"},
        {"to": "972501234567", "message": "Look", "mediaBase64": _PIXEL, "type": "image"},
    ],
    "/api/v1/messages/otp": [{"to": "972501234567", "code": "482913", "ttlSeconds": 300,
    "meta": {}}],
    "/api/v1/messages/bulk": [
        {"batchName": "June", "fromPolicy": "auto", "eventId": "gala-2036", "messages": [_ITEM,
        _ITEM]},
        {"messages": [_ITEM]},
    ],
    "/api/v1/messages/rich": [
        {"to": "972501234567", "message": "Which?", "buttons": [{"id": "a", "text": "A"}],
        "title": "T",
         "footer": "F", "templateName": "hello", "templateParams": ["Dana"], "templateLang": "en"},
        {"to": "972501234567", "message": "Which?", "buttons": [{"text": "A",
        "url": "https://hooks.invalid/"}],
         "headerImage": _PIXEL},
    ],
    "/api/v1/messages/upload": [{"mediaBase64": _PIXEL, "mimetype": "image/png",
    "filename": "a.png"}],
    "/api/v1/feedback/send": [{"formId": "visit", "to": "972501234567"}, {"formId": "draft",
    "to": "972501234567"}],
    "/api/v1/links": [{"url": "https://hooks.invalid/a", "expiresAt": "2036-01-01T00:00:00Z",
    "eventId": "gala-2036"}],
    "/api/v1/events": [
        {"eventId": "gala-2036", "eventDate": "2036-06-17T19:00:00+03:00", "texts": _TEXTS,
         "callbackUrl": "https://hooks.invalid/e", "confirmLockedChange": True,
         "defaults": {"expiresAt": "2036-06-10T12:00:00+03:00", "sentFrom": NUMBER}},
    ],
    "/api/v1/numbers/check": [{"numbers": ["972501234567", "972501234599"]}],
    "/api/v1/optouts/check": [{"numbers": ["972501234567"]}],
    "/api/v1/partner/topups": [{"messages": 1000}],
    "/api/v1/partner/transfers": [
        {"amount": 50.0, "reference": "TRF-1", "transferDate": "2026-11-10", "note": "November"}
    ],
    "/api/v1/webhooks/failed/retry": [{"since": "2026-11-01T00:00:00Z"}],
    "/api/v1/webhooks/verify": [
        {"headers": _SIGNED, "body": "{}", "secret": "whsec_" + "S" * 43, "computed": "00"},
        {"headers": {"webhook-id": "w1", "webhook-timestamp": "1799740800",
        "webhook-signature": "v1,AA=="},
         "body": "{}"},
    ],
    "/api/v1/events/{eventId}/guests/{to}/answer": [{"answer": "yes", "guests": 3}],
    "/api/v1/batches/{batchId}/cancel": [{}],
    "/sandbox/v1/clock": [{"advanceSeconds": 1}],
    "/sandbox/v1/webhooks": [{"type": "message.status"}, {"type": "feedback.submitted"}],
    "/sandbox/v1/replies": [
        {"from": "972501234567", "text": "Yes, 3", "to": NUMBER, "quoted": "wamid.x"},
        {"from": "972501234567", "button": {"text": "Yes", "payload": "y"}},
        {"from": "972501234567", "media": {"type": "image", "caption": "c"}},
        {"from": "972501234567", "form": {"answers": {"q1": 5, "q2": "Fish", "q3": ["Food"],
        "q4": "x"}}},
        {"from": "972501234567", "stop": True},
    ],
    "/sandbox/v1/senders/{number}": [{"quality": "YELLOW", "status": "CONNECTED"}],
}  # fmt: skip
_NAMED = ("/api/v1/messages/text", "/api/v1/messages/rich")


def sound(rng: Random, route: Route) -> dict[str, Any]:
    """One of them, mostly with new ids, so that it is not taken for a repetition."""
    body = dict(rng.choice(SOUND[route.path]))
    if route.path in _NAMED or ("clientMessageId" in str(route.body) and rng.random() < 0.3):
        body["clientMessageId"] = _id(rng)
    if "messages" in body and isinstance(body["messages"], list):
        body["messages"] = [{**item, "clientMessageId": _id(rng)} for item in body["messages"]]
    if "reference" in body:
        body["reference"] = _id(rng)
    if "to" in body and rng.random() < 0.5 and isinstance(body["to"], str):
        body["to"] = f"97250{rng.randrange(10**7):07}"
    return body


def _id(rng: Random) -> str:
    return "order-0001" if rng.random() < 0.05 else f"fuzz-{rng.getrandbits(48):012x}"
